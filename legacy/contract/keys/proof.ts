import { createHash } from "node:crypto";
import { Point } from "@noble/ed25519";
import type { Connection, SignedBytes } from "../../adapters/adapter.ts";
import { bytesOf, GROUP_ORDER, type KeyPair, littleEndian } from "./key-pair.ts";
import { messageBytes } from "./message-bytes.ts";
import { looselyDecoded, nonceOf } from "./odd-key.ts";
import { type OddSignature, oddSignature } from "./odd-signature.ts";

/** A change of the signed message. */
export type MessageChange =
  | "first-byte-changed"
  | "last-byte-changed"
  | "byte-added"
  | "byte-dropped"
  | "sha-256"
  | "other-form";
/** A change of the signature. */
export type SignatureChange =
  | "r-bit-flipped"
  | "r-no-point"
  | "s-bit-flipped"
  | "s-plus-l"
  | "s-plus-most-l"
  | "s-top-bit-set"
  | "s-top-bits-set"
  | "all-zero"
  | "halves-swapped";
/** The encoding of the signature. */
export type SignatureEncoding =
  | "standard"
  | "unpadded"
  | "url-safe"
  | "white-space"
  | "outside-alphabet"
  | "spare-bits"
  | "hex";

/** The differences of a proof from an honest one; without any, the proof is honest. */
export interface ProofSpec {
  readonly signer: KeyPair;
  /** The challenge message, as the service gave it. */
  readonly text: string;
  readonly signedBytes: SignedBytes;
  /** The bytes to sign, where the adapter was asked. */
  readonly bytes?: Uint8Array;
  readonly message?: MessageChange;
  readonly signature?: SignatureChange | OddSignature;
  /** Length to which the signature is cut, or lengthened with zeros. */
  readonly length?: number;
  readonly encoding?: SignatureEncoding;
}

/** The text for `signatureBase64`. */
export function proofText(spec: ProofSpec): string {
  const message = changeMessage(spec.bytes ?? messageBytes(spec.text, spec.signedBytes), spec);
  const signature = changeSignature(signatureOf(spec, message), spec.signature);
  return encode(resize(signature, spec.length), spec.encoding ?? "standard");
}

/** The signer's signature, or another valid one where the change or the encoding needs it. */
function signatureOf({ signer, signature, encoding }: ProofSpec, message: Uint8Array): Uint8Array {
  if (signature !== undefined && isOdd(signature)) return oddSignature(signer, signature, message);
  if (encoding !== "url-safe") return signer.sign(message);
  // One signature in sixteen has neither of the two characters in which the alphabets differ.
  for (let attempt = 0; ; attempt++) {
    const nonce = nonceOf(message, attempt);
    const found = signer.signWith(message, Point.BASE.multiply(nonce).toBytes(), nonce);
    if (/\+.*\/|\/.*\+/.test(Buffer.from(found).toString("base64"))) return found;
  }
}

/** Whether the signature is made in another way, rather than an honest one changed. */
function isOdd(signature: SignatureChange | OddSignature): signature is OddSignature {
  return signature.startsWith("torsion-") || ODD_R.has(signature);
}

const ODD_R: ReadonlySet<string> = new Set([
  "r-with-torsion",
  "r-of-small-order",
  "r-not-canonical",
  "r-not-canonical-reencoded",
  "r-sign-of-zero",
  "r-sign-of-zero-reencoded",
]);

function changeMessage(message: Uint8Array, { message: change, text }: ProofSpec): Uint8Array {
  const changed = Uint8Array.from(message);
  switch (change) {
    case "other-form":
      return otherForm(message, text);
    case "first-byte-changed":
      return flip(changed, 0, 1);
    case "last-byte-changed":
      return flip(changed, changed.length - 1, 1);
    case "byte-added":
      return Uint8Array.from([...message, 0x20]);
    case "byte-dropped":
      return message.slice(0, -1);
    case "sha-256":
      return new Uint8Array(createHash("sha256").update(message).digest());
    default:
      return message;
  }
}

/** The text as UTF-8; where that is what is signed, its hex. */
function otherForm(message: Uint8Array, text: string): Uint8Array {
  const plain = Buffer.from(text);
  return new Uint8Array(plain.equals(message) ? Buffer.from(plain.toString("hex")) : plain);
}

function changeSignature(signature: Uint8Array, change: ProofSpec["signature"]): Uint8Array {
  switch (change) {
    case "r-bit-flipped":
      return withOtherR(signature, (point) => point !== undefined);
    case "r-no-point":
      return withOtherR(signature, (point) => point === undefined);
    case "s-bit-flipped":
      return flip(Uint8Array.from(signature), 40, 4);
    case "s-plus-l":
      return plusL(signature, 1n);
    case "s-plus-most-l":
      return plusL(signature, (MOST_SCALAR - littleEndian(signature.subarray(32))) / GROUP_ORDER);
    // A reduced S has its three top bits clear (RFC 8032, 5.1.7): a service that masks them off accepts these.
    case "s-top-bit-set":
      return flip(Uint8Array.from(signature), 63, 0x80);
    case "s-top-bits-set":
      return flip(Uint8Array.from(signature), 63, 0xe0);
    case "all-zero":
      return new Uint8Array(64);
    case "halves-swapped":
      return Uint8Array.from([...signature.slice(32), ...signature.slice(0, 32)]);
    default:
      return signature;
  }
}

/** The greatest value of 32 bytes. */
const MOST_SCALAR = 2n ** 256n - 1n;

/** The same signature with S + nL in place of S: the equation still holds, RFC 8032 5.1.7 refuses it. */
function plusL(signature: Uint8Array, times: bigint): Uint8Array {
  const s = littleEndian(signature.subarray(32)) + times * GROUP_ORDER;
  return Uint8Array.from([...signature.slice(0, 32), ...bytesOf(s)]);
}

/** The signature with one bit of R flipped: the first that gives such a point, or none (half of all values of y have one). */
function withOtherR(signature: Uint8Array, suits: (point: Point | undefined) => boolean): Uint8Array {
  for (let index = 5; index < 31; index++) {
    const changed = flip(Uint8Array.from(signature), index, 4);
    if (suits(looselyDecoded(changed.subarray(0, 32)))) return changed;
  }
  throw new Error("no bit of R was found that suits");
}

function flip(bytes: Uint8Array, index: number, mask: number): Uint8Array {
  bytes[index] = (bytes[index] ?? 0) ^ mask;
  return bytes;
}

function resize(signature: Uint8Array, length: number | undefined): Uint8Array {
  if (length === undefined) return signature;
  const resized = new Uint8Array(length);
  resized.set(signature.slice(0, length));
  return resized;
}

function encode(signature: Uint8Array, encoding: SignatureEncoding): string {
  const base64 = Buffer.from(signature).toString("base64");
  switch (encoding) {
    case "standard":
      return base64;
    case "unpadded":
      return base64.replace(/=+$/, "");
    case "url-safe":
      return base64.replaceAll("+", "-").replaceAll("/", "_");
    case "white-space":
      return `${base64.slice(0, 44)}\n${base64.slice(44)}`;
    case "outside-alphabet":
      return `${base64.slice(0, 44)}!${base64.slice(44)}`;
    case "spare-bits":
      return withSpareBits(base64);
    case "hex":
      return Buffer.from(signature).toString("hex");
  }
}

/** The same bytes with the unused low bits of the last base64 digit set (RFC 4648, 3.5). */
function withSpareBits(base64: string): string {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return base64.replace(/(.)(=+)$/, (_, last: string, padding: string) => {
    return (digits[digits.indexOf(last) + 1] ?? last) + padding;
  });
}

/**
 * The `signatureBase64` of an honest proof for a challenge message; the adapter is asked where it decides what is signed.
 * @throws {MissingAnswer} where it does not tell
 */
export async function honestProof(
  connection: Pick<Connection, "info" | "bytesToSign">,
  signer: KeyPair,
  text: string,
): Promise<string> {
  const { signedBytes } = connection.info.facts;
  const asked = signedBytes === "adapter" ? { bytes: await connection.bytesToSign(text) } : {};
  return proofText({ signer, text, signedBytes, ...asked });
}
