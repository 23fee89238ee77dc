import { Point } from "@noble/ed25519";
import { challengeScalar, GROUP_ORDER, type KeyPair } from "./key-pair.ts";
import { nonceOf, type OddKeyPair, torsionPoint } from "./odd-key.ts";

/**
 * Signatures that fit by some reading of the equation SB = R + kA and not by every one (RFC 8032, 5.1.7; ZIP 215). The
 * part of small order of R + kA is what the reading without the cofactor looks at, and the one with it does not.
 */
export type OddSignature =
  /** R has a part of small order that stays: it fits with the cofactor alone. */
  | "r-with-torsion"
  /** R has a part of small order that the key's takes away: it fits by both readings. */
  | "torsion-cancels"
  /** The same, where k hashes the key in canonical form, and not where it hashes the key as it was sent. */
  | "torsion-cancels-reencoded"
  /** The key's part of small order stays, also where 8k is reduced by the group order first. */
  | "torsion-of-the-key"
  /** R is the neutral point. */
  | "r-of-small-order"
  /** R is the neutral point with y written as p + 1. */
  | "r-not-canonical"
  /** The same, where k hashes it in canonical form. */
  | "r-not-canonical-reencoded"
  /** R is the neutral point with the sign of its x, zero, set. */
  | "r-sign-of-zero"
  /** The same, where k hashes it in canonical form. */
  | "r-sign-of-zero-reencoded";

/** The neutral point with y = 1 written as p + 1, which RFC 8032, 5.1.3, refuses. */
const NEUTRAL_NOT_REDUCED = Uint8Array.from([0xee, ...new Uint8Array(30).fill(0xff), 0x7f]);
/** The neutral point with x = 0 written as negative, which RFC 8032, 5.1.3, refuses as well. */
const NEUTRAL_NEGATIVE = Uint8Array.from([0x01, ...new Uint8Array(30), 0x80]);
const NEUTRAL = Point.ZERO.toBytes();

/** A try succeeds once in eight times or more often; so many that fail are a mistake in the vector. */
const MOST_ATTEMPTS = 2_000;

/** What an odd signature is made for. */
interface Wanted {
  /** How many times the point of order eight R has. */
  readonly torsionOfR: number;
  /** The form of the key that the signature hashes; the usual one unless told. */
  readonly hashedKey?: Uint8Array;
  /** Whether this R will do, by the k of the key in any form. */
  readonly suits: (k: (key: Uint8Array) => bigint) => boolean;
}

/** Makes such a signature. @throws where there is none for the signer's key */
export function oddSignature(
  signer: KeyPair | OddKeyPair,
  kind: OddSignature,
  message: Uint8Array,
): Uint8Array {
  switch (kind) {
    case "r-of-small-order":
      return signer.signWith(message, NEUTRAL, 0n);
    case "r-not-canonical":
      return signer.signWith(message, NEUTRAL_NOT_REDUCED, 0n);
    case "r-not-canonical-reencoded":
      return signer.signWith(message, NEUTRAL_NOT_REDUCED, 0n, { r: NEUTRAL });
    case "r-sign-of-zero":
      return signer.signWith(message, NEUTRAL_NEGATIVE, 0n);
    case "r-sign-of-zero-reencoded":
      return signer.signWith(message, NEUTRAL_NEGATIVE, 0n, { r: NEUTRAL });
    default:
      return found(signer, wanted(signer, kind), message);
  }
}

function wanted(signer: KeyPair | OddKeyPair, kind: OddSignature): Wanted {
  if (!("torsion" in signer)) {
    if (kind === "r-with-torsion") return { torsionOfR: 1, suits: () => true };
    throw new Error(`${kind} needs a key with a part of small order`);
  }
  const { torsion, encoded, canonical } = signer;
  const stays = (torsionOfR: number, k: bigint) => (BigInt(torsionOfR) + k * BigInt(torsion)) % 8n !== 0n;
  switch (kind) {
    case "r-with-torsion":
      return { torsionOfR: torsion, suits: (k) => stays(torsion, k(encoded)) };
    case "torsion-of-the-key":
      return {
        torsionOfR: 0,
        suits: (k) => stays(0, k(encoded)) && stays(0, (8n * k(encoded)) % GROUP_ORDER),
      };
    default: {
      const [hashedKey, other] = kind === "torsion-cancels" ? [encoded, canonical] : [canonical, encoded];
      const oneForm = Buffer.from(encoded).equals(canonical);
      return {
        torsionOfR: torsion,
        hashedKey,
        suits: (k) => !stays(torsion, k(hashedKey)) && (oneForm || stays(torsion, k(other))),
      };
    }
  }
}

function found(signer: KeyPair, { torsionOfR, hashedKey, suits }: Wanted, message: Uint8Array): Uint8Array {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const nonce = nonceOf(message, attempt);
    const r = Point.BASE.multiply(nonce).add(torsionPoint(torsionOfR)).toBytes();
    if (suits((key) => challengeScalar({ r, key }, message)))
      return signer.signWith(message, r, nonce, hashedKey === undefined ? {} : { key: hashedKey });
  }
  throw new Error("no nonce was found for an odd signature");
}
