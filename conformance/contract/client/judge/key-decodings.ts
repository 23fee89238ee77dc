import { isUtf8 } from "node:buffer";
import bs58 from "bs58";

/** What a text may be the encoding of. */
export interface Decoded {
  readonly encoding: string;
  readonly bytes: Buffer;
}

/** No shorter stretch stands for the bytes that are looked for. */
const LEAST_HEX = 16;
const LEAST_BASE64 = 11;
const LEAST_BASE32 = 13;
const LEAST_BASE58 = 11;
/** Decoding base58 takes time by the square of its length. */
const MOST_BASE58 = 200;
const LEAST_NUMBERS = 8;

/**
 * All bytes that a text may stand for, as a whole or in part, in the encodings that are usual for keys. Encodings whose
 * parts stand for parts are read from each place at which a byte may begin.
 */
export function* decodings(text: string): Generator<Decoded> {
  yield* plainBytes(text);
  yield* hexadecimal(text);
  yield* binary(text);
  yield* base64(text);
  yield* base32(text);
  yield* base58(text);
  yield* numbers(text);
}

/** The characters themselves: as UTF-8, and, where bytes were made characters, those. */
function* plainBytes(text: string): Generator<Decoded> {
  const bytes = Buffer.from(text, "latin1");
  yield { encoding: "bytes", bytes };
  if (!/[^\0-\x7f]/.test(text)) return;
  yield { encoding: "bytes", bytes: Buffer.from(text) };
  // Bytes that were taken for Latin-1, and then written in UTF-8.
  if (isUtf8(bytes)) yield { encoding: "bytes", bytes: Buffer.from(bytes.toString(), "latin1") };
}

/** Whatever stands between the digits: colons, blanks, `0x`, `\x`. */
function* hexadecimal(text: string): Generator<Decoded> {
  const digits = text.replace(/[0\\]x/gi, "").replace(/[^0-9A-Za-z]+/g, "");
  for (const [run] of digits.matchAll(/[0-9A-Fa-f]{16,}/g)) {
    yield { encoding: "hexadecimal", bytes: Buffer.from(run, "hex") };
    if (run.length > LEAST_HEX) yield { encoding: "hexadecimal", bytes: Buffer.from(run.slice(1), "hex") };
  }
  // Bytes below 16 may have been written with one digit.
  const loose = text.replace(/[0\\]x/gi, " ").match(/(?<![0-9A-Za-z])[0-9A-Fa-f]{1,2}(?![0-9A-Za-z])/g) ?? [];
  if (loose.length >= LEAST_NUMBERS)
    yield { encoding: "hexadecimal", bytes: Buffer.from(loose.map((digit) => Number.parseInt(digit, 16))) };
}

/** Bit by bit, with or without anything between. */
function* binary(text: string): Generator<Decoded> {
  const digits = text.replace(/[^0-9A-Za-z]+/g, "");
  for (const [run] of digits.matchAll(/[01]{64,}/g)) {
    for (let skipped = 0; skipped < 8; skipped++) {
      const bytes = run.slice(skipped).match(/.{8}/g) ?? [];
      yield { encoding: "binary", bytes: Buffer.from(bytes.map((bits) => Number.parseInt(bits, 2))) };
    }
  }
}

/** Either alphabet, white space between, at any place within a larger whole. */
function* base64(text: string): Generator<Decoded> {
  const tight = /[\s\\]/.test(text) ? [text, text.replace(/[\s\\]+/g, "")] : [text];
  for (const whole of tight) {
    for (const [run] of whole.matchAll(/[A-Za-z0-9+/_-]{11,}/g)) {
      const most = Math.min(3, run.length - LEAST_BASE64);
      for (let skipped = 0; skipped <= most; skipped++)
        yield { encoding: "base64", bytes: Buffer.from(run.slice(skipped), "base64") };
    }
  }
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function* base32(text: string): Generator<Decoded> {
  for (const [run] of text.toUpperCase().matchAll(/[A-Z2-7]{13,}/g)) {
    const most = Math.min(7, run.length - LEAST_BASE32);
    for (let skipped = 0; skipped <= most; skipped++)
      yield { encoding: "base32", bytes: fromBase32(run.slice(skipped)) };
  }
}

function fromBase32(text: string): Buffer {
  const bytes = Buffer.alloc(Math.floor((text.length * 5) / 8));
  let held = 0;
  let bits = 0;
  let at = 0;
  for (const character of text) {
    held = ((held << 5) | BASE32.indexOf(character)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (held >> bits) & 0xff;
  }
  return bytes;
}

function* base58(text: string): Generator<Decoded> {
  for (const [run] of text.matchAll(/[1-9A-HJ-NP-Za-km-z]{11,}/g)) {
    if (run.length < LEAST_BASE58 || run.length > MOST_BASE58) continue;
    yield { encoding: "base58", bytes: Buffer.from(bs58.decode(run)) };
    // What names its own encoding, as in did:key.
    if (run.startsWith("z")) yield { encoding: "base58", bytes: Buffer.from(bs58.decode(run.slice(1))) };
  }
}

/** Lists of numbers, however they are written: bytes, signed or not, each for itself or after its place; or words. */
function* numbers(text: string): Generator<Decoded> {
  const written = text.match(/(?<![0-9A-Za-z.])-?\d{1,78}(?![0-9A-Za-z])/g) ?? [];
  const found = written.length < LEAST_NUMBERS ? [] : written.map(Number);
  for (const list of [
    found,
    found.filter((_, index) => index % 2 === 0),
    found.filter((_, index) => index % 2),
  ]) {
    if (list.length < LEAST_NUMBERS) continue;
    yield { encoding: "list of bytes", bytes: Buffer.from(list.map((value) => value & 0xff)) };
  }
  for (const [list] of text.matchAll(/(?<![0-9.])\d{1,3}(?:\.\d{1,3}){7,}(?![0-9])/g))
    yield { encoding: "list of bytes", bytes: Buffer.from(list.split(".").map(Number)) };
  const words = written.filter((digits) => digits.length > 3);
  yield* inWords(words.map(Number));
  for (const digits of words) {
    if (digits.length < 18 || digits.startsWith("-")) continue;
    const hex = BigInt(digits).toString(16);
    yield { encoding: "number", bytes: Buffer.from(hex.length % 2 ? `0${hex}` : hex, "hex") };
  }
}

/** A key as words of four bytes. */
function* inWords(values: readonly number[]): Generator<Decoded> {
  if (values.length < 2) return;
  const words = values.filter((value) => value >= -(2 ** 31) && value < 2 ** 32);
  const bytes = Buffer.alloc(words.length * 4);
  for (const [index, word] of words.entries()) bytes.writeUInt32BE(word >>> 0, index * 4);
  yield { encoding: "list of words", bytes };
  yield { encoding: "list of words", bytes: Buffer.from(bytes).swap32() };
}
