import { createHash, createPrivateKey, type KeyObject, sign } from "node:crypto";
import bs58 from "bs58";

/** An Ed25519 key pair that exists for tests only. */
export interface KeyPair {
  /** Public key in base58. */
  readonly address: string;
  /** RFC 8032 signature over the bytes: 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
  /**
   * A signature with this R in place of the derived one: S = nonce + k·a, where k hashes R, key and message.
   * @param hashed what k hashes in place of R and key, where that is to be another encoding of them
   */
  signWith(message: Uint8Array, r: Uint8Array, nonce: bigint, hashed?: Partial<Hashed>): Uint8Array;
}

/** The parts that k hashes in addition to the message (RFC 8032, 5.1.6). */
export interface Hashed {
  readonly r: Uint8Array;
  readonly key: Uint8Array;
}

/** Order of the base point (RFC 8032, 5.1). */
export const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The private key of a label: 32 bytes, which anyone can derive. */
export function secretOf(label: string): Buffer {
  return createHash("sha256").update(`launch-draft-conformance ${label}`).digest();
}

/** Maximum number of cached key pairs, so that a process that runs for days does not grow. */
const MOST_KEPT = 10_000;
const kept = new Map<string, KeyPair>();

/**
 * The key pair of a label; the same label always gives the same pair. It is cached, since making one costs as much as
 * several requests, and a process that judges several services uses the same labels again.
 */
export function keyPairOf(label: string): KeyPair {
  let pair = kept.get(label);
  if (pair === undefined) {
    pair = keyPairFrom(secretOf(label));
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(label, pair);
  }
  return pair;
}

/** The key pair of a private key of 32 bytes (RFC 8032, 5.1.5). */
export function keyPairFrom(secret: Uint8Array): KeyPair {
  const key = privateKey(secret);
  const publicKey = publicPart(key);
  const address = bs58.encode(publicKey);
  remember(address);
  return {
    address,
    sign: (message) => {
      const signature = new Uint8Array(sign(null, message, key));
      rememberSigned(signedName(address, message, signature), signature);
      return signature;
    },
    signWith: (message, r, nonce, hashed) => {
      return signatureWith(scalarOf(secret), message, r, nonce, { r, key: publicKey, ...hashed });
    },
  };
}

/** A signature with a given R and nonce, by the key of that scalar. */
export function signatureWith(
  scalar: bigint,
  message: Uint8Array,
  r: Uint8Array,
  nonce: bigint,
  hashed: Hashed,
): Uint8Array {
  const s = (nonce + challengeScalar(hashed, message) * scalar) % GROUP_ORDER;
  return Uint8Array.from([...r, ...bytesOf(s)]);
}

/** The k of a signature: SHA-512 over R, key and message, reduced by the group order (RFC 8032, 5.1.7). */
export function challengeScalar({ r, key }: Hashed, message: Uint8Array): bigint {
  return littleEndian(sha512(r, key, message)) % GROUP_ORDER;
}

/** The secret scalar of a private key, reduced by the group order (RFC 8032, 5.1.5). */
function scalarOf(secret: Uint8Array): bigint {
  const half = sha512(secret).subarray(0, 32);
  half[0] = (half[0] ?? 0) & 248;
  half[31] = ((half[31] ?? 0) & 63) | 64;
  return littleEndian(half) % GROUP_ORDER;
}

/** SHA-512 by Node: a service in the same process could replace the hash that noble uses. */
function sha512(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha512");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Addresses of the key pairs made here. */
const addresses = new Set<string>();
/** S of their signatures, by key, message and R: no other S holds for the same R. */
const signed = new Map<string, bigint>();
/** R of all their signatures. */
const signedWith = new Set<string>();

function remember(address: string): void {
  if (addresses.size >= MOST_KEPT) addresses.clear();
  addresses.add(address);
}

function rememberSigned(name: string, signature: Uint8Array): void {
  if (signed.size >= MOST_KEPT) {
    signed.clear();
    signedWith.clear();
  }
  signed.set(name, littleEndian(signature.subarray(32)));
  signedWith.add(latin1(signature.subarray(0, 32)));
}

/** Whether a text is the address of a key pair made here; false where it was forgotten. */
export function isOfKeyPair(address: string): boolean {
  return addresses.has(address);
}

/** S of the signature with this R that the key pair of that address made here; undefined where none is known. */
export function scalarSigned(
  address: string,
  message: Uint8Array,
  signature: Uint8Array,
): bigint | undefined {
  return signed.get(signedName(address, message, signature));
}

/**
 * Whether a key pair made here has signed something with this R. Its nonce is in no other signature (RFC 8032, 5.1.6), so
 * an S that fits it for another key or message cannot exist.
 */
export function isRSigned(signature: Uint8Array): boolean {
  return signedWith.has(latin1(signature.subarray(0, 32)));
}

function signedName(address: string, message: Uint8Array, signature: Uint8Array): string {
  return `${address} ${latin1(signature.subarray(0, 32))} ${latin1(message)}`;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

/**
 * RFC 8037: an Ed25519 key as a JWK, which Node reads ten times faster than PKCS #8 (RFC 8410). Node makes the public part
 * and signs several times faster than JavaScript can, and by RFC 8032 gives the same bytes.
 */
function fromJwk(secret: Uint8Array): KeyObject {
  const d = Buffer.from(secret).toString("base64url");
  return createPrivateKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", d, x: "" } });
}

/** DER of an Ed25519 private key up to its 32 bytes (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

function fromPkcs8(secret: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, secret]), format: "der", type: "pkcs8" });
}

/** Node up to 24 does not read the `x` of a private JWK; later ones refuse a key whose `x` is not its own. */
function readsJwkBySecret(): boolean {
  try {
    return fromJwk(Buffer.alloc(32, 1)).type === "private";
  } catch {
    return false;
  }
}

const privateKey = readsJwkBySecret() ? fromJwk : fromPkcs8;

function publicPart(key: KeyObject): Uint8Array {
  return new Uint8Array(Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url"));
}

/** The integer that the bytes stand for, least significant first (RFC 8032, 5.1.2). */
export function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
}

/** 32 bytes that stand for the integer, least significant first. */
export function bytesOf(value: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(64, "0"), "hex").reverse());
}
