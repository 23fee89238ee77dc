import { Point } from "@noble/ed25519";
import { challengeScalar, GROUP_ORDER, type KeyPair } from "./key-pair.ts";
import { nonceOf } from "./nonce.ts";
import type { OddKeyPair } from "./odd-key.ts";
import { torsionPoint } from "./small-order.ts";

/**
 * Signatures that fit by some reading of the equation SB = R + kA and not by every one (RFC 8032, 5.1.7; ZIP 215). The
 * part of small order of R + kA is what the reading without the cofactor looks at, and the one with it does not.
 */
export type OddSignature =
  /** R has a part of small order that stays: it fits with the cofactor alone. */
  | "r-with-torsion"
  /** R has a part of small order that the key's takes away: it fits by both readings. */
  | "torsion-cancels"
  /** The same, where k hashes the key in canonical form. */
  | "torsion-cancels-reencoded"
  /** The key's part of small order stays, also where 8k is reduced by the group order first. */
  | "torsion-of-the-key"
  /** R is the neutral point. */
  | "r-of-small-order"
  /** R is the neutral point with y written as p + 1. */
  | "r-not-canonical"
  /** The same, where k hashes it in canonical form. */
  | "r-not-canonical-reencoded";

/** The neutral point with y = 1 written as p + 1, which RFC 8032, 5.1.3, refuses. */
const NEUTRAL_NOT_REDUCED = Uint8Array.from([0xee, ...new Uint8Array(30).fill(0xff), 0x7f]);
const NEUTRAL = Point.ZERO.toBytes();

/** A try succeeds once in eight times or more often; so many that fail are a mistake in the vector. */
const MOST_ATTEMPTS = 2_000;

/** What an odd signature is made for: how many times the point of order eight R has, and whether the rest will do. */
interface Wanted {
  readonly torsionOfR: number;
  readonly hashedKey?: Uint8Array;
  readonly fits: (k: bigint) => boolean;
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
    default:
      return found(signer, wanted(signer, kind), message);
  }
}

function wanted(signer: KeyPair | OddKeyPair, kind: OddSignature): Wanted {
  if (!("torsion" in signer)) {
    if (kind === "r-with-torsion") return { torsionOfR: 1, fits: () => true };
    throw new Error(`${kind} needs a key with a part of small order`);
  }
  const { torsion, encoded, canonical } = signer;
  const stays = (torsionOfR: number, k: bigint) => (BigInt(torsionOfR) + k * BigInt(torsion)) % 8n !== 0n;
  switch (kind) {
    case "r-with-torsion":
      return { torsionOfR: torsion, hashedKey: encoded, fits: (k) => stays(torsion, k) };
    case "torsion-of-the-key":
      return {
        torsionOfR: 0,
        hashedKey: encoded,
        fits: (k) => stays(0, k) && stays(0, (8n * k) % GROUP_ORDER),
      };
    default: {
      const hashedKey = kind === "torsion-cancels" ? encoded : canonical;
      return { torsionOfR: torsion, hashedKey, fits: (k) => !stays(torsion, k) };
    }
  }
}

function found(signer: KeyPair, { torsionOfR, hashedKey, fits }: Wanted, message: Uint8Array): Uint8Array {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const nonce = nonceOf(message, attempt);
    const r = Point.BASE.multiply(nonce).add(torsionPoint(torsionOfR)).toBytes();
    const hashed = hashedKey === undefined ? {} : { key: hashedKey };
    if (hashedKey === undefined || fits(challengeScalar({ r, key: hashedKey }, message)))
      return signer.signWith(message, r, nonce, hashed);
  }
  throw new Error("no nonce was found for an odd signature");
}
