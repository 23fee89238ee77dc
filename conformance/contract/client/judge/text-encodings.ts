/** How text stands for digits. */
export type DigitKind = "base32" | "base85" | "base58" | "base62" | "base36" | "decimal";

/** An alphabet by which digits are written. */
export interface TextEncoding {
  readonly name: string;
  readonly kind: DigitKind;
  readonly alphabet: string;
}

const DIGITS = "0123456789";
const CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const SMALL = CAPITALS.toLowerCase();
const ASCII85 = Array.from({ length: 85 }, (_, index) => String.fromCharCode(33 + index)).join("");

/** Encodings that a decoder for base64 or the usual base32 does not read, or whose parts stand for no bytes. */
export const TEXT_ENCODINGS: readonly TextEncoding[] = [
  { name: "base58", kind: "base58", alphabet: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz" },
  { name: "decimal", kind: "decimal", alphabet: DIGITS },
  { name: "base36", kind: "base36", alphabet: `${DIGITS}${SMALL}` },
  { name: "base62", kind: "base62", alphabet: `${DIGITS}${CAPITALS}${SMALL}` },
  { name: "base62", kind: "base62", alphabet: `${DIGITS}${SMALL}${CAPITALS}` },
  { name: "base62", kind: "base62", alphabet: `${CAPITALS}${SMALL}${DIGITS}` },
  { name: "Bech32", kind: "base32", alphabet: "qpzry9x8gf2tvdw0s3jn54khce6mua7l" },
  { name: "Crockford's base32", kind: "base32", alphabet: "0123456789ABCDEFGHJKMNPQRSTVWXYZ" },
  {
    name: "Crockford's base32 in small letters",
    kind: "base32",
    alphabet: "0123456789abcdefghjkmnpqrstvwxyz",
  },
  { name: "base32hex", kind: "base32", alphabet: `${DIGITS}${CAPITALS.slice(0, 22)}` },
  { name: "base32hex in small letters", kind: "base32", alphabet: `${DIGITS}${SMALL.slice(0, 22)}` },
  { name: "Ascii85", kind: "base85", alphabet: ASCII85 },
  { name: "Z85", kind: "base85", alphabet: `${DIGITS}${SMALL}${CAPITALS}.-:+=^!/*?&<>()[]{}@%$#` },
  { name: "base85", kind: "base85", alphabet: `${DIGITS}${CAPITALS}${SMALL}!#$%&()*+-;<=>?@^_\`{|}~` },
];

/** A stretch of a text that is written in one encoding. */
export interface Written {
  readonly encoding: TextEncoding;
  /** The digits of the whole text: those outside of the stretch mean nothing. */
  readonly digits: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** No digit. */
const OTHER = 255;

const READERS = TEXT_ENCODINGS.map((encoding) => {
  const digitOf = new Uint8Array(256).fill(OTHER);
  for (const [digit, letter] of [...encoding.alphabet].entries()) digitOf[letter.charCodeAt(0)] = digit;
  return { encoding, digitOf };
});

/**
 * All stretches of a text, as long as they can be, that some encoding may have written.
 * @param least digits of a stretch that is looked for, by kind
 */
export function* stretches(text: string, least: Readonly<Record<DigitKind, number>>): Generator<Written> {
  // Characters beyond Latin-1 would fold onto others; NUL is in no alphabet.
  const characters = Buffer.from(
    /[^\0-\xff]/.test(text) ? text.replace(/[^\0-\xff]/g, "\0") : text,
    "latin1",
  );
  for (const { encoding, digitOf } of READERS) {
    const shortest = least[encoding.kind];
    let digits: Uint8Array | undefined;
    for (let from = 0, at = 0; at <= characters.length; at++) {
      if (at < characters.length && digitOf[characters[at] ?? 0] !== OTHER) continue;
      if (at - from >= shortest) {
        digits ??= characters.map((character) => digitOf[character] ?? OTHER);
        yield { encoding, digits, from, to: at };
      }
      from = at + 1;
    }
  }
}
