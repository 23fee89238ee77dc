/** Ed25519 public keys as base58 text. */
import { base58Bytes, isPrimeOrderPoint } from "../contract/key-pair.ts";
import { BASE58_KEY } from "../contract/refusals.ts";

/** The fault of a key's text: wrong alphabet, text length, or number of bytes. */
export type KeyFault = "alphabet" | "length" | "bytes";

/** Returns the fault in the text of a key, if there is one (contract, "Launch request", field `creator`). */
export function keyFault(text: string): KeyFault | undefined {
  if (!BASE58_KEY.test(text)) return /[^1-9A-HJ-NP-Za-km-z]/.test(text) ? "alphabet" : "length";
  return base58Bytes(text)?.length === 32 ? undefined : "bytes";
}

/**
 * Returns whether every conforming service accepts a key of 32 bytes. False for a point that is off the
 * curve, or of small or mixed order. Slow for a key that the kit did not create.
 */
export function isUsualKey(text: string): boolean {
  return isPrimeOrderPoint(base58Bytes(text) ?? new Uint8Array());
}
