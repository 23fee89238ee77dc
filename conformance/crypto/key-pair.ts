import { createHash, createPrivateKey, type KeyObject, sign } from "node:crypto";
import { getPublicKey, hashes } from "@noble/ed25519";
import bs58 from "bs58";

hashes.sha512 = (message: Uint8Array) => new Uint8Array(createHash("sha512").update(message).digest());

/** An Ed25519 key pair that exists for tests only. */
export interface KeyPair {
  /** Public key in base58. */
  readonly address: string;
  /** RFC 8032 signature over the bytes: 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
}

/** The key pair that belongs to a label; the same label always gives the same pair. */
export function keyPairOf(label: string): KeyPair {
  const secret = createHash("sha256").update(`launch-draft-conformance ${label}`).digest();
  const publicKey = getPublicKey(new Uint8Array(secret));
  let key: KeyObject | undefined;
  return {
    address: bs58.encode(publicKey),
    sign: (message) => {
      // Node signs seven times faster than JavaScript can, and by the same RFC gives the same bytes.
      key ??= privateKey(secret, publicKey);
      return new Uint8Array(sign(null, message, key));
    },
  };
}

/** RFC 8037: an Ed25519 key as a JWK, which Node reads ten times faster than PKCS #8. */
function privateKey(secret: Uint8Array, publicKey: Uint8Array): KeyObject {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  const key = { kty: "OKP", crv: "Ed25519", d: text(secret), x: text(publicKey) };
  return createPrivateKey({ format: "jwk", key });
}

const pool = new Map<string, string>();

/** The address of a key pair that may serve many vectors because nobody signs with it: made once. */
export function pooledAddress(label: string): string {
  let address = pool.get(label);
  if (address === undefined) {
    address = keyPairOf(label).address;
    pool.set(label, address);
  }
  return address;
}
