import { verify } from "@stablelib/ed25519";

/** Verification by @stablelib/ed25519. */
export function signatureHolds(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  return verify(publicKey, message, signature);
}
