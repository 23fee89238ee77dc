import bs58 from "bs58";

const BASE58_KEY = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const BYTES = 32;

/** At index N, the largest integer of N bytes, in base58. */
const LARGEST = Array.from({ length: BYTES + 1 }, (_, bytes) =>
  bs58.encode(new Uint8Array(bytes).fill(0xff)),
);

/**
 * Returns whether a text is a public key: 32 to 44 base58 characters that decode to 32 bytes (contract,
 * "Launch request").
 *
 * Each leading `1` is a zero byte, and the rest is a number. The base58 characters sort in the order of their
 * values, so a comparison of texts gives the number of bytes. This is several times faster than decoding.
 */
export function isPublicKey(text: string): boolean {
  if (!BASE58_KEY.test(text)) return false;
  const number = text.replace(/^1+/, "");
  const bytes = BYTES - (text.length - number.length);
  const [largest, tooSmall] = [LARGEST[bytes], LARGEST[bytes - 1]];
  if (largest === undefined || !isAtMost(number, largest)) return false;
  return tooSmall === undefined || !isAtMost(number, tooSmall);
}

/** Returns whether one base58 number without leading zeros is at most another. */
function isAtMost(one: string, other: string): boolean {
  return one.length === other.length ? one <= other : one.length < other.length;
}
