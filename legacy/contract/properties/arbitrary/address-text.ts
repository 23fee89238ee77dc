import bs58 from "bs58";
import fc from "fast-check";
import { plain } from "./plain-text.ts";

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Base58 of so many random bytes, of which the first may be zeros (each is one character `1`). */
const encoded = fc
  .tuple(fc.constantFrom(0, 0, 1, 2), fc.uint8Array({ minLength: 28, maxLength: 34 }))
  .map(([zeros, bytes]) => bs58.encode(Uint8Array.from([...new Uint8Array(zeros), ...bytes])));

const letters = fc
  .array(fc.constantFrom(...ALPHABET), { minLength: 30, maxLength: 46 })
  .map((characters) => characters.join(""));

/** A character that base58 leaves out, put into a text. */
const spoilt = fc
  .tuple(encoded, fc.constantFrom("0", "O", "I", "l", "+", " ", "é"), fc.nat(31))
  .map(([text, character, at]) => text.slice(0, at) + character + text.slice(at + 1));

/** Texts that are, or are nearly, base58 of 32 bytes. */
export const addressText: fc.Arbitrary<string> = plain(fc.oneof(encoded, encoded, letters, spoilt));
