import { webcrypto } from "node:crypto";

/** Verification by WebCrypto. */
export async function signatureHolds(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): Promise<boolean> {
  const key = await webcrypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
  return webcrypto.subtle.verify("Ed25519", key, signature, message);
}
