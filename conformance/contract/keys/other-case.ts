import bs58 from "bs58";
import { looselyDecoded } from "./small-order.ts";

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
