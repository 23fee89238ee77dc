import forge from "node-forge";

/** Verification by node-forge. */
export function signatureHolds(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  return forge.pki.ed25519.verify({ message: Buffer.from(message), signature, publicKey });
}
