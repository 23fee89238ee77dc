import { createPublicKey, verify } from "node:crypto";

/** Verification by node:crypto, which asks OpenSSL. */
export function signatureHolds(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  const x = Buffer.from(publicKey).toString("base64url");
  const key = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
  return verify(null, message, key, signature);
}
