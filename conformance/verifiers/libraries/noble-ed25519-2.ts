import { verifyAsync } from "noble-ed25519-2";

/** Verification by @noble/ed25519 2. */
export async function signatureHolds(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): Promise<boolean> {
  return verifyAsync(signature, message, publicKey);
}
