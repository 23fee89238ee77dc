import elliptic from "elliptic";

const ed25519 = new elliptic.eddsa("ed25519");

/** Verification by elliptic, which throws where bytes are no point. */
export function signatureHolds(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  try {
    return ed25519.verify(hex(message), hex(signature), hex(publicKey));
  } catch {
    return false;
  }
}
