import bs58 from "bs58";

const BASE58_KEY = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const BYTES = 32;

/** The largest number of so many bytes, as base58. */
const LARGEST = Array.from({ length: BYTES + 1 }, (_, bytes) =>
  bs58.encode(new Uint8Array(bytes).fill(0xff)),
);

/**
 * Whether the text is a public key: 32 to 44 base58 characters that decode to 32 bytes (contract, "Launch request").
 *
 * A leading `1` is a byte of zeros, and the rest is a number, whose digits stand in the order of their characters: of how
 * many bytes it is shows by comparing texts, several times faster than by decoding.
 */
export function isPublicKey(text: string): boolean {
  if (!BASE58_KEY.test(text)) return false;
  const number = text.replace(/^1+/, "");
  const bytes = BYTES - (text.length - number.length);
  const [largest, tooSmall] = [LARGEST[bytes], LARGEST[bytes - 1]];
  if (largest === undefined || !isAtMost(number, largest)) return false;
  return tooSmall === undefined || !isAtMost(number, tooSmall);
}

/** Whether one number is at most another, both as base58 without zeros in front. */
function isAtMost(one: string, other: string): boolean {
  return one.length === other.length ? one <= other : one.length < other.length;
}
