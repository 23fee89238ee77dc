/** Whether a signature of 64 bytes holds over a message, for a public key of 32 bytes. */
export type SignatureHolds = (
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
) => boolean | Promise<boolean>;

/** Libraries that verify Ed25519 signatures, by the id of their verifier, each called as its README says. */
const LIBRARIES: Readonly<Record<string, () => Promise<SignatureHolds>>> = {
  "node-crypto": async () => {
    const { createPublicKey, verify } = await import("node:crypto");
    return (signature, message, publicKey) => {
      const x = Buffer.from(publicKey).toString("base64url");
      const key = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
      return verify(null, message, key, signature);
    };
  },
  webcrypto: async () => {
    const { subtle } = (await import("node:crypto")).webcrypto;
    return async (signature, message, publicKey) => {
      const key = await subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
      return subtle.verify("Ed25519", key, signature, message);
    };
  },
  tweetnacl: async () => {
    const { default: nacl } = await import("tweetnacl");
    return (signature, message, publicKey) => nacl.sign.detached.verify(message, signature, publicKey);
  },
  libsodium: async () => {
    const { default: sodium } = await import("libsodium-wrappers");
    await sodium.ready;
    return (signature, message, publicKey) =>
      sodium.crypto_sign_verify_detached(signature, message, publicKey);
  },
  stablelib: async () => {
    const { verify } = await import("@stablelib/ed25519");
    return (signature, message, publicKey) => verify(publicKey, message, signature);
  },
  elliptic: async () => {
    const { default: elliptic } = await import("elliptic");
    const ed25519 = new elliptic.eddsa("ed25519");
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
    return falseWhereThrown((signature, message, publicKey) =>
      ed25519.verify(hex(message), hex(signature), hex(publicKey)),
    );
  },
  "node-forge": async () => {
    const { default: forge } = await import("node-forge");
    return (signature, message, publicKey) =>
      forge.pki.ed25519.verify({ message: Buffer.from(message), signature, publicKey });
  },
  "noble-curves": async () => (await import("@noble/curves/ed25519.js")).ed25519.verify,
  "noble-ed25519-1": async () => falseWhereThrown((await import("noble-ed25519-1")).verify),
  "noble-ed25519-2": async () => (await import("noble-ed25519-2")).verifyAsync,
  "noble-ed25519-3": async () => (await import("@noble/ed25519")).verifyAsync,
};

/** Ids of the verifiers. */
export const LIBRARY_IDS: readonly string[] = Object.keys(LIBRARIES);

/** The function by which a library verifies. @throws where there is no such verifier, or its package is missing */
export async function signatureHoldsOf(id: string): Promise<SignatureHolds> {
  const load = LIBRARIES[id];
  if (load === undefined) throw new Error(`there is no verifier ${id}`);
  return load();
}

/** Some libraries throw where bytes are not a point, or S is too great. */
function falseWhereThrown(verify: SignatureHolds): SignatureHolds {
  return async (...given) => {
    try {
      return await verify(...given);
    } catch {
      return false;
    }
  };
}
