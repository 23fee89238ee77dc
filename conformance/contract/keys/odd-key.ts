import { Point } from "@noble/ed25519";
import bs58 from "bs58";
import { GROUP_ORDER, type KeyPair, littleEndian, secretOf, signatureWith } from "./key-pair.ts";
import { nonceOf } from "./nonce.ts";
import { looselyDecoded, torsionPoint, torsionTimes } from "./small-order.ts";

/** A key pair whose public key is no point of the prime-order group: honest libraries differ about its signatures. */
export interface OddKeyPair extends KeyPair {
  /** The public key as the address has it. */
  readonly encoded: Uint8Array;
  /** The same point in canonical form (RFC 8032, 5.1.2). */
  readonly canonical: Uint8Array;
  /** How many times the point of order eight the key's part of small order is: 1 to 7. */
  readonly torsion: number;
}

/** Public keys of small order, which have no private key: everybody can sign for them. */
const SMALL_ORDER: Readonly<Record<string, string>> = {
  "small-order": "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  // y = 0, written as p.
  "y-not-reduced": "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  // y = -1, where x is zero and its sign bit set.
  "sign-of-zero": "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
};

/** People whose keys are named for what is odd about them. */
export const ODD_PEOPLE: readonly string[] = ["mixed-order", ...Object.keys(SMALL_ORDER)];

/**
 * The key pair of one of {@link ODD_PEOPLE}.
 * @param label what the private key is made of, where there is one
 */
export function oddKeyPair(name: string, label: string): OddKeyPair {
  const fixed = SMALL_ORDER[name];
  if (fixed !== undefined) return oddPair(0n, 0, Uint8Array.from(Buffer.from(fixed, "hex")));
  const scalar = littleEndian(secretOf(label)) % GROUP_ORDER;
  const point = Point.BASE.multiply(scalar).add(torsionPoint(1));
  return oddPair(scalar, 1, point.toBytes());
}

function oddPair(scalar: bigint, times: number, encoded: Uint8Array): OddKeyPair {
  const point = looselyDecoded(encoded);
  if (point === undefined) throw new Error("an odd key is a point, in one form or another");
  const signWith: KeyPair["signWith"] = (message, r, nonce, hashed) =>
    signatureWith(scalar, message, r, nonce, { r, key: encoded, ...hashed });
  return {
    address: bs58.encode(encoded),
    encoded,
    canonical: point.toBytes(),
    torsion: scalar === 0n ? torsionTimes(point) : times,
    sign: (message) => {
      const nonce = nonceOf(message, 0);
      return signWith(message, Point.BASE.multiply(nonce).toBytes(), nonce);
    },
    signWith,
  };
}
