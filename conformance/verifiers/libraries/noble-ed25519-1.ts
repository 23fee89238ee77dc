import { verify } from "noble-ed25519-1";

/** Verification by @noble/ed25519 1, which throws where bytes are no point, or S is too great. */
export async function signatureHolds(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): Promise<boolean> {
  try {
    return await verify(signature, message, publicKey);
  } catch {
    return false;
  }
}
