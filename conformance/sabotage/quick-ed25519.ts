/**
 * Stands in for `@noble/ed25519` in the services of the bank, and differs from it in speed alone: a run of all vectors
 * spends half of its time in proofs that are honest, and Node checks those ten times faster.
 */
import { createPublicKey, type KeyObject, verify as nodeVerify } from "node:crypto";
import * as noble from "@noble/ed25519";

export * from "@noble/ed25519";

/** Like noble's; what Node does not accept, noble decides. */
export const verify: typeof noble.verify = (signature, message, publicKey, options) =>
  nodeAccepts(signature, message, publicKey) || noble.verify(signature, message, publicKey, options);

/**
 * Node's check is the one without cofactor of RFC 8032, section 5.1.7, and so the strictest: noble accepts what it
 * accepts, but for keys of small order and keys that are not canonical.
 */
function nodeAccepts(signature: unknown, message: unknown, publicKey: unknown): boolean {
  const isBytes = [signature, message, publicKey].every((bytes) => bytes instanceof Uint8Array);
  if (!isBytes) return false;
  const key = ordinaryKey(Buffer.from(publicKey as Uint8Array).toString("base64url"));
  return key !== undefined && nodeVerify(null, message as Uint8Array, key, signature as Uint8Array);
}

const keys = new Map<string, KeyObject | undefined>();

/** The key of these bytes as base64url, where they are the canonical form of a point that is not of small order. */
function ordinaryKey(x: string): KeyObject | undefined {
  if (!keys.has(x)) keys.set(x, readKey(x));
  return keys.get(x);
}

function readKey(x: string): KeyObject | undefined {
  try {
    const bytes = new Uint8Array(Buffer.from(x, "base64url"));
    if (noble.Point.fromBytes(bytes).isSmallOrder()) return undefined;
    return createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
  } catch {
    return undefined;
  }
}
