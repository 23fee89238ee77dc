import { ed25519 } from "@noble/curves/ed25519.js";

/** Verification by @noble/curves. */
export function signatureHolds(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  return ed25519.verify(signature, message, publicKey);
}
