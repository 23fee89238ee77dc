import sodium from "libsodium-wrappers";

await sodium.ready;

/** Verification by libsodium. */
export function signatureHolds(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  return sodium.crypto_sign_verify_detached(signature, message, publicKey);
}
