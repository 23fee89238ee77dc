import { createHash } from "node:crypto";
import type { Connection, SignedBytes } from "../../adapters/adapter.ts";
import type { Exchange } from "../../engine/play/exchange.ts";

/**
 * The bytes to sign for a text (adapter protocol, "facts"; the contract leaves it open). Where the adapter decides, it is
 * asked only about the messages of challenges: any other text is signed as UTF-8.
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

/** Asks the adapter for the bytes to sign for a challenge, where the adapter decides. */
export function askBytes(
  { operation, status, body }: Pick<Exchange, "operation" | "status" | "body">,
  connection: Connection,
): Promise<Uint8Array> | undefined {
  const { message } = body;
  const asked =
    connection.info.facts.signedBytes === "adapter" && operation === "challenge" && status === 200;
  return asked && typeof message === "string" ? connection.bytesToSign(message) : undefined;
}

/** The bytes to sign for the challenge in a response. */
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

/** A part of a text that may be hex, base64 or base64url, as in a JSON web signature. */
const ENCODED = /[\w+/-]{16,}/g;
const HEX = /^(?:[\da-f]{2})+$/i;

/**
 * The readable bytes of a challenge: those signed, where the message itself is not readable, and its decoded parts.
 * @param aside the bytes to sign, where the adapter was asked
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
