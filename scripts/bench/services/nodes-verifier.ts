import { createPublicKey, verify } from "node:crypto";

/** Whether a signature holds, as node:crypto has it. */
export function signatureHolds(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  return verify(null, message, nodesKey(publicKey), signature);
}

/** A public key as node:crypto takes it, imported anew. */
export function nodesKey(publicKey: Uint8Array): ReturnType<typeof createPublicKey> {
  const x = Buffer.from(publicKey).toString("base64url");
  return createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
}
