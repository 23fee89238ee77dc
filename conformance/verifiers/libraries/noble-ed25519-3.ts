import { verifyAsync } from "@noble/ed25519";

/** Verification by @noble/ed25519 3. */
export async function signatureHolds(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): Promise<boolean> {
  return verifyAsync(signature, message, publicKey);
}
