import { Point } from "@noble/ed25519";

/** A point of order eight: its multiples are the points of small order (RFC 8032, 5.1: the cofactor). */
export const TORSION = Point.fromHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a");

/** The multiples of {@link TORSION}, from none to seven times. */
const MULTIPLES: readonly Point[] = Array.from({ length: 8 }, (_, times) =>
  Array.from({ length: times }).reduce<Point>((sum) => sum.add(TORSION), Point.ZERO),
);

/** So many times {@link TORSION}. */
export function torsionPoint(times: number): Point {
  return MULTIPLES[times % MULTIPLES.length] ?? Point.ZERO;
}

/** How many times {@link TORSION} a point of small order is. */
export function torsionTimes(point: Point): number {
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
