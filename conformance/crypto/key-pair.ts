import { createHash } from "node:crypto";
import { getPublicKey, hashes, sign } from "@noble/ed25519";
import bs58 from "bs58";

hashes.sha512 = (message: Uint8Array) => new Uint8Array(createHash("sha512").update(message).digest());

/** An Ed25519 key pair that exists for tests only. */
export interface KeyPair {
  /** Public key in base58. */
  readonly address: string;
  /** RFC 8032 signature over the bytes: 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
}

/** The key pair that belongs to a label; the same label always gives the same pair. */
export function keyPairOf(label: string): KeyPair {
  const secret = new Uint8Array(createHash("sha256").update(`launch-draft-conformance ${label}`).digest());
  const publicKey = getPublicKey(secret);
  return { address: bs58.encode(publicKey), sign: (message) => sign(message, secret) };
}
