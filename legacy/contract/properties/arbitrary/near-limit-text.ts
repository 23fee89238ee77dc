import fc from "fast-check";
import { plain } from "./plain-text.ts";

/** Characters of one to four bytes, and some that services treat apart. */
const CHARACTERS = [
  "a",
  "Z",
  "7",
  "-",
  " ",
  "é",
  "ß",
  "Ж",
  "漢",
  "€",
  "😀",
  "𝒜",
  "\u0301",
  "\u200D",
  "\u202E",
  "\t",
  "\u0000",
  "\uD800",
];

/** Texts around a limit in bytes, of characters of any width, and short ones. */
export function nearLimitText(bytes: number): fc.Arbitrary<string> {
  const usual = fc.constantFrom(...CHARACTERS.slice(0, 10));
  const any = fc.constantFrom(...CHARACTERS);
  const short = fc.array(any, { maxLength: 4 }).map((characters) => characters.join(""));
  const long = fc
    .tuple(
      fc.array(fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: any }), {
        maxLength: bytes,
      }),
      fc.integer({ min: -3, max: 3 }),
    )
    .map(([characters, difference]) => filledTo(characters.join(""), bytes + difference));
  return plain(fc.oneof(short, long, long));
}

/** The text, cut or filled with one-byte letters to so many bytes. */
function filledTo(text: string, bytes: number): string {
  let cut = [...text];
  while (Buffer.byteLength(cut.join("")) > bytes) cut = cut.slice(0, -1);
  const kept = cut.join("");
  return kept + "x".repeat(bytes - Buffer.byteLength(kept));
}
