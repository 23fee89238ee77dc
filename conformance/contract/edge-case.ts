/**
 * Keys and signatures on which Ed25519 libraries disagree. The equation SB = R + kA can be checked with or
 * without the cofactor (RFC 8032, section 5.1.7; ZIP 215), and encodings can be canonical or not (RFC 8032,
 * section 5.1.3). Only the check without the cofactor depends on the small-order component of R + kA.
 */
import { Point } from "@noble/ed25519";
import bs58 from "bs58";
import {
  challengeScalar,
  fromLittleEndian,
  GROUP_ORDER,
  type KeyPair,
  keyPairOf,
  nonceOf,
  privateKeyOf,
  signatureWith,
  signWithNonce,
} from "./key-pair.ts";

/** A key pair whose public key is not in the prime-order group. */
interface EdgeCaseKeyPair extends KeyPair {
  /** Small-order component of the key, as a multiple of {@link TORSION}: 1 to 7. */
  readonly torsion: number;
  /** The canonical encoding of the public key. */
  readonly canonical: Uint8Array;
}

/** A point of order eight. Its multiples are all points of small order. */
const TORSION = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a";

/** Public keys of small order. They have no private key, so anyone can sign for them. */
const SMALL_ORDER_KEYS = {
  "small-order": { torsion: 1, encoded: TORSION, canonical: TORSION },
  /** y = 0, encoded as p. */
  "y-not-reduced": { torsion: 6, encoded: `ed${"ff".repeat(30)}7f`, canonical: "00".repeat(32) },
  /** y = -1, so x = 0, encoded with its sign bit set. */
  "sign-of-zero": { torsion: 4, encoded: `ec${"ff".repeat(31)}`, canonical: `ec${"ff".repeat(30)}7f` },
};

/** Actors whose address starts with `1`, as for one creator in 256, or whose key is an edge case. */
export const UNUSUAL_ACTORS: readonly string[] = [
  "mixed-order",
  ...Object.keys(SMALL_ORDER_KEYS),
  "leading-zero",
];

/**
 * Creates the key pair of one of {@link UNUSUAL_ACTORS}.
 * @param label text that the private key is derived from, if the key has one
 */
export function unusualKeyPair(actor: string, label: string): KeyPair {
  if (actor === "leading-zero") return leadingZeroKeyPair(label);
  if (Object.hasOwn(SMALL_ORDER_KEYS, actor)) {
    const { torsion, encoded, canonical } = SMALL_ORDER_KEYS[actor as keyof typeof SMALL_ORDER_KEYS];
    return pairOf(0n, torsion, fromHex(encoded), fromHex(canonical));
  }
  const scalar = fromLittleEndian(privateKeyOf(label)) % GROUP_ORDER;
  const publicKey = withTorsion(scalar, 1);
  return pairOf(scalar, 1, publicKey, publicKey);
}

/** Searches numbered labels for a public key whose address starts with `1`. Takes about 256 attempts. */
function leadingZeroKeyPair(label: string): KeyPair {
  for (let attempt = 0; ; attempt++) {
    const pair = keyPairOf(`${label} ${attempt}`);
    if (pair.address.startsWith("1")) return pair;
  }
}

function pairOf(
  scalar: bigint,
  torsion: number,
  publicKey: Uint8Array,
  canonical: Uint8Array,
): EdgeCaseKeyPair {
  const pair: EdgeCaseKeyPair = {
    address: bs58.encode(publicKey),
    publicKey,
    canonical,
    torsion,
    scalar: () => scalar,
    sign: (message) => signWithNonce(pair, message, 0),
  };
  return pair;
}

const IDENTITY = `01${"00".repeat(31)}`;
/** The identity with y = 1 encoded as p + 1. */
const IDENTITY_NOT_REDUCED = `ee${"ff".repeat(30)}7f`;
/** The identity with the sign bit of x = 0 set. */
const IDENTITY_NEGATIVE = `01${"00".repeat(30)}80`;

/** Signatures whose R is the identity: R as sent, and R as k hashes it. */
const IDENTITY_SIGNATURES = {
  "r-of-small-order": [IDENTITY, IDENTITY],
  "r-not-canonical": [IDENTITY_NOT_REDUCED, IDENTITY_NOT_REDUCED],
  "r-not-canonical-reencoded": [IDENTITY_NOT_REDUCED, IDENTITY],
  "r-sign-of-zero": [IDENTITY_NEGATIVE, IDENTITY_NEGATIVE],
  "r-sign-of-zero-reencoded": [IDENTITY_NEGATIVE, IDENTITY],
} as const;

/** Signatures whose R + kA has a small-order component that the kit chooses. */
type TorsionSignature =
  /** R has a small-order component that remains in R + kA: valid only with the cofactor. */
  | "r-with-torsion"
  /** R has a small-order component that cancels that of kA: valid with and without the cofactor. */
  | "torsion-cancels"
  /** The components cancel only if k hashes the canonical encoding of the key. */
  | "torsion-cancels-reencoded"
  /** The small-order component of the key remains, even if 8k is reduced modulo the group order first. */
  | "torsion-of-the-key";

type IdentitySignature = keyof typeof IDENTITY_SIGNATURES;
export type EdgeCaseSignature = IdentitySignature | TorsionSignature;

function isIdentitySignature(change: string): change is IdentitySignature {
  return Object.hasOwn(IDENTITY_SIGNATURES, change);
}

/** At least one nonce in ten is suitable, so reaching this limit means a mistake in the vector. */
const MAX_ATTEMPTS = 500;

/** Creates an edge-case signature. @throws if the signer's key does not allow it */
export function edgeCaseSignature(signer: KeyPair, kind: EdgeCaseSignature, message: Uint8Array): Uint8Array {
  if (isIdentitySignature(kind)) {
    const [sent, hashed] = IDENTITY_SIGNATURES[kind];
    return signatureWith(signer, message, fromHex(sent), 0n, { r: fromHex(hashed) });
  }
  const { publicKey, torsion = 0, canonical = publicKey } = signer as KeyPair & Partial<EdgeCaseKeyPair>;
  const torsionOfR = kind === "torsion-of-the-key" ? 0 : torsion || 1;
  const [hashedKey, otherKey] =
    kind === "torsion-cancels-reencoded" ? [canonical, publicKey] : [publicKey, canonical];
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const nonce = nonceOf(message, attempt);
    const r = withTorsion(nonce, torsionOfR);
    const k = challengeScalar({ r, key: hashedKey }, message);
    const cancels = (factor: bigint) => (BigInt(torsionOfR) + factor * BigInt(torsion)) % 8n === 0n;
    const otherCancels = cancels(challengeScalar({ r, key: otherKey }, message));
    const isSuitable = kind.startsWith("torsion-cancels")
      ? cancels(k) && (Buffer.from(hashedKey).equals(otherKey) || !otherCancels)
      : !cancels(k) && (kind === "r-with-torsion" || !cancels((8n * k) % GROUP_ORDER));
    if (isSuitable) return signatureWith(signer, message, r, nonce, { key: hashedKey });
  }
  throw new Error(`${kind}: no suitable nonce in ${MAX_ATTEMPTS} attempts for ${signer.address}`);
}

/** Encodes scalar·B + torsion·T. */
function withTorsion(scalar: bigint, torsion: number): Uint8Array {
  const torsionPoint = torsion === 0 ? Point.ZERO : Point.fromHex(TORSION).multiply(BigInt(torsion), false);
  return Point.BASE.multiply(scalar).add(torsionPoint).toBytes();
}

function fromHex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "hex"));
}
