import { createHash } from "node:crypto";
import type { Connection, SignedBytes } from "../../adapters/adapter.ts";
import type { Exchange } from "../../engine/play/exchange.ts";

/**
 * How a text becomes the bytes to sign (adapter protocol, "facts"; the contract leaves it open). Where the adapter
 * decides, it is asked about the messages of challenges alone, and any other text stands for itself.
 */
export function messageBytes(text: string, signedBytes: SignedBytes): Uint8Array {
  switch (signedBytes) {
    case "sha256":
      return new Uint8Array(createHash("sha256").update(text).digest());
    case "adapter":
      return new Uint8Array(Buffer.from(text));
    default:
      return new Uint8Array(Buffer.from(text, signedBytes));
  }
}

/** Asks the adapter what is signed for the challenge in an answer, where it is for the adapter to say. */
export function askBytes(
  { operation, status, body }: Pick<Exchange, "operation" | "status" | "body">,
  connection: Connection,
): Promise<Uint8Array> | undefined {
  const { message } = body;
  const asked =
    connection.info.facts.signedBytes === "adapter" && operation === "challenge" && status === 200;
  return asked && typeof message === "string" ? connection.bytesToSign(message) : undefined;
}

/** What is signed for the challenge in an answer. */
export function bytesSigned(
  { body, aside }: Pick<Exchange, "body" | "aside">,
  signedBytes: SignedBytes,
): Uint8Array | undefined {
  const { message } = body;
  return typeof message === "string" ? signedFor(message, aside, signedBytes) : undefined;
}

function signedFor(message: string, aside: unknown, signedBytes: SignedBytes): Uint8Array {
  return aside instanceof Uint8Array ? aside : messageBytes(message, signedBytes);
}

/** A stretch of a text that may be bytes in hex, base64 or base64url, as in the parts of a JSON web signature. */
const ENCODED = /[\w+/-]{16,}/g;
const HEX = /^(?:[\da-f]{2})+$/i;

/**
 * The bytes in which a challenge says what it is about: those signed, where the message itself is not readable, and what
 * its encoded stretches stand for.
 * @param aside what the adapter said is signed for it, where it was asked
 */
export function readableBytes(message: string, aside: unknown, signedBytes: SignedBytes): Uint8Array {
  const signed = signedFor(message, aside, signedBytes);
  if (signedBytes === "hex" || signedBytes === "base64") return signed;
  const decoded = (message.match(ENCODED) ?? []).map((stretch) =>
    Buffer.from(stretch, HEX.test(stretch) ? "hex" : "base64url"),
  );
  // What the adapter makes of a message may be a hash of it, or what the message is the encoding of.
  const held = signedBytes === "adapter" ? [signed] : [];
  const parts = [Buffer.from(message), ...held, ...decoded];
  return new Uint8Array(Buffer.concat(parts.flatMap((part) => [part, Buffer.from("\n")])));
}
