import type { Stretch } from "./window-index.ts";

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
  {
    name: "base58 of Flickr",
    kind: "base58",
    alphabet: "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ",
  },
  {
    name: "base58 of Ripple",
    kind: "base58",
    alphabet: "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz",
  },
  { name: "decimal", kind: "decimal", alphabet: DIGITS },
  { name: "base36", kind: "base36", alphabet: `${DIGITS}${SMALL}` },
  { name: "base36 in capitals", kind: "base36", alphabet: `${DIGITS}${CAPITALS}` },
  { name: "base62", kind: "base62", alphabet: `${DIGITS}${CAPITALS}${SMALL}` },
  { name: "base62", kind: "base62", alphabet: `${DIGITS}${SMALL}${CAPITALS}` },
  { name: "base62", kind: "base62", alphabet: `${CAPITALS}${SMALL}${DIGITS}` },
  { name: "Bech32", kind: "base32", alphabet: "qpzry9x8gf2tvdw0s3jn54khce6mua7l" },
  { name: "Bech32 in capitals", kind: "base32", alphabet: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L" },
  { name: "z-base-32", kind: "base32", alphabet: "ybndrfg8ejkmcpqxot1uwisza345h769" },
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

/** A stretch of a text that some encoding may have written. */
export interface Written extends Stretch {
  readonly encoding: TextEncoding;
}

/** A text, and the stretches of it in which digits may be. */
export interface Digits {
  /** The text's characters as Latin-1, where they are; NUL for others, which is in no alphabet. */
  readonly characters: Uint8Array;
  readonly stretches: readonly Written[];
}

const DIGITS_OF = TEXT_ENCODINGS.map(({ alphabet }) => {
  const digitOf = new Uint8Array(256);
  for (const [digit, letter] of [...alphabet].entries()) digitOf[letter.charCodeAt(0)] = digit;
  return digitOf;
});

/** The encodings in whose alphabet a character is: a bit for each. */
const ENCODINGS_OF = Uint32Array.from({ length: 256 }, (_, character) =>
  TEXT_ENCODINGS.reduce(
    (bits, { alphabet }, index) =>
      alphabet.includes(String.fromCharCode(character)) ? bits | (1 << index) : bits,
    0,
  ),
);

/**
 * All stretches of a text, as long as they can be, that some encoding may have written.
 * @param least digits of a stretch that is looked for, by kind
 */
export function digitsIn(text: string, least: Readonly<Record<DigitKind, number>>): Digits {
  const characters = Buffer.from(
    /[^\0-\xff]/.test(text) ? text.replace(/[^\0-\xff]/g, "\0") : text,
    "latin1",
  );
  const stretches: Written[] = [];
  const begun = new Uint32Array(TEXT_ENCODINGS.length);
  let before = 0;
  for (let at = 0; at <= characters.length; at++) {
    const here = at < characters.length ? (ENCODINGS_OF[characters[at] ?? 0] ?? 0) : 0;
    if (here === before) continue;
    for (let changed = here ^ before; changed !== 0; changed &= changed - 1) {
      const index = 31 - Math.clz32(changed & -changed);
      const encoding = TEXT_ENCODINGS[index];
      const digitOf = DIGITS_OF[index];
      if (encoding === undefined || digitOf === undefined) continue;
      const from = begun[index] ?? 0;
      if ((here >> index) & 1) begun[index] = at;
      else if (at - from >= least[encoding.kind]) stretches.push({ encoding, digitOf, from, to: at });
    }
    before = here;
  }
  return { characters, stretches };
}
