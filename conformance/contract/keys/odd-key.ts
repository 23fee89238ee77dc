import { createHash } from "node:crypto";
import { Point } from "@noble/ed25519";
import bs58 from "bs58";
import { GROUP_ORDER, type KeyPair, keyPairOf, littleEndian, secretOf, signatureWith } from "./key-pair.ts";

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

/** A point of order eight: its multiples are the points of small order (RFC 8032, 5.1: the cofactor). */
const TORSION = Point.fromHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a");

/** The multiples of {@link TORSION}, from none to seven times. */
const MULTIPLES: readonly Point[] = Array.from({ length: 8 }, (_, times) =>
  Array.from({ length: times }).reduce<Point>((sum) => sum.add(TORSION), Point.ZERO),
);

/** So many times {@link TORSION}. */
export function torsionPoint(times: number): Point {
  return MULTIPLES[times % MULTIPLES.length] ?? Point.ZERO;
}

/** How many times {@link TORSION} a point of small order is. */
function torsionTimes(point: Point): number {
  return MULTIPLES.findIndex((multiple) => multiple.equals(point));
}

/** The point that 32 bytes stand for, in canonical form or not (ZIP 215); undefined where they stand for none. */
export function looselyDecoded(bytes: Uint8Array): Point | undefined {
  try {
    return Point.fromBytes(Uint8Array.from(bytes), true);
  } catch {
    return undefined;
  }
}

/** A nonce that need not be secret, since these key pairs exist for tests only. */
export function nonceOf(message: Uint8Array, attempt: number): bigint {
  return littleEndian(createHash("sha512").update(message).update(`nonce ${attempt}`).digest()) % GROUP_ORDER;
}

/** Somebody whose public key begins with a zero byte, and so the address with a 1: one creator in 256 has such a key. */
export const LEADING_ZERO = "leading-zero";

/** The first key pair whose labels begin so and whose public key begins with a zero byte: found after some 256 tries. */
export function leadingZeroKeyPair(label: string): KeyPair {
  for (let tries = 0; ; tries++) {
    const pair = keyPairOf(`${label} ${tries}`);
    if (pair.address.startsWith("1")) return pair;
  }
}

const LETTER = /[A-Za-z]/;
/** Letters of one case that the alphabet of addresses has in the other case alone. */
const ALONE: ReadonlySet<string> = new Set(["i", "L", "o"]);

/**
 * An address that differs from this one in the case of one letter or two, and is a key that signs like any other: of 32
 * bytes, on the curve and in its group of prime order (RFC 8032, 5.1).
 */
export function inOtherCase(address: string): string {
  const places = [...address].flatMap((letter, place) =>
    LETTER.test(letter) && !ALONE.has(letter) ? [place] : [],
  );
  const pairs = places.flatMap((one) => places.map((other) => [one, other] as const));
  const found = pairs.map((pair) => flipped(address, new Set(pair))).find(isUsualKey);
  if (found === undefined) throw new Error(`no key is like ${address}`);
  return found;
}

function flipped(text: string, places: ReadonlySet<number>): string {
  return [...text].map((letter, place) => (places.has(place) ? otherCaseOf(letter) : letter)).join("");
}

function otherCaseOf(letter: string): string {
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
}

function isUsualKey(address: string): boolean {
  const bytes = bs58.decode(address);
  const point = bytes.length === 32 ? looselyDecoded(bytes) : undefined;
  return point?.isTorsionFree() === true && !point.isSmallOrder();
}
