/** Properties about the text fields of requests: names, symbols, keys, addresses and metadata URIs. */
import bs58 from "bs58";
import fc from "fast-check";
import type { Facts } from "../adapters/adapter.ts";
import { MAX_NAME_BYTES, MAX_SYMBOL_BYTES, MAX_URI_BYTES } from "../contract/constants.ts";
import { referencesIn } from "../suite/template.ts";
import { readTransformations, spell } from "../suite/transformations.ts";
import { type Action, build, usually } from "./actions.ts";
import type { Cases } from "./property.ts";

/** Characters of one to four bytes: first those that all services accept, then those that some may refuse. */
const USUAL_CHARACTERS = ["a", "Z", "7", "-", " ", "é", "ß", "Ж", "漢", "€"];
const UNUSUAL_CHARACTERS = ["😀", "𝒜", "\u0301", "\u200D", "\u202E", "\t", "\u0000", "\uD800"];

/** Removes texts that a vector would read as a template. */
function plain(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return texts.filter((text) => referencesIn(text).length === 0);
}

/** Draws one to five requests, all to the same service. */
function some(request: fc.Arbitrary<Action>): fc.Arbitrary<readonly Action[]> {
  return fc.array(request, { minLength: 1, maxLength: 5 });
}

/** Returns a text of `bytes` bytes: the start of `text`, padded with `x` if necessary. */
function resized(text: string, bytes: number): string {
  let characters = [...text];
  while (Buffer.byteLength(characters.join("")) > bytes) characters = characters.slice(0, -1);
  const start = characters.join("");
  return start + "x".repeat(bytes - Buffer.byteLength(start));
}

/** Draws short texts, and texts within three bytes of a limit. */
function nearLimitText(maxBytes: number): fc.Arbitrary<string> {
  const character = usually(6, fc.constantFrom(...USUAL_CHARACTERS), fc.constantFrom(...UNUSUAL_CHARACTERS));
  const long = fc
    .tuple(fc.string({ unit: character, maxLength: maxBytes }), fc.integer({ min: -3, max: 3 }))
    .map(([start, difference]) => resized(start, maxBytes + difference));
  return plain(fc.oneof(fc.string({ unit: character, maxLength: 4 }), long, long));
}

/** Draws idempotency keys, most of about 8 or 64 characters, some with a character that is not allowed. */
const keyText = fc
  .tuple(
    fc.constantFrom(1, 6, 7, 8, 9, 63, 64, 65, 66),
    fc.string({ unit: fc.constantFrom(..."abcXYZ0189_-"), minLength: 66, maxLength: 66 }),
    fc.constantFrom("", "", "", ..." .+/=é~"),
  )
  .map(([length, text, other]) => (text[0] + other + text.slice(1)).slice(0, length));

/** Draws a text and a form of it that two functions of the table of transformations make equal to the text. */
function transformedText(): fc.Arbitrary<readonly [string, string]> {
  const entries = Object.values(readTransformations().functions).flat();
  const texts = entries.flatMap(({ examples }) => Object.keys(examples));
  return fc
    .tuple(fc.constantFrom(...texts), fc.array(fc.constantFrom(...entries), { minLength: 1, maxLength: 2 }))
    .map(([text, chosen]) => [text, chosen.reduce((form, entry) => spell(entry, form), text)] as const)
    .filter((pair) => referencesIn([...pair]).length === 0);
}

/** Draws two builds under one key, with a text and a form of it. */
function transformedBuilds(): fc.Arbitrary<readonly Action[]> {
  return fc
    .tuple(transformedText(), fc.constantFrom("name", "symbol"))
    .map(([pair, field]) => pair.map((text) => build({ key: "key-of-both", [field]: text })));
}

export const texts: Cases = {
  casesPerRun: 0.5,
  draw: () => usually(3, some(nearLimitTexts()), transformedBuilds()),
};

function nearLimitTexts(): fc.Arbitrary<Action> {
  return fc.oneof(
    nearLimitText(MAX_NAME_BYTES).map((name) => build({ name })),
    nearLimitText(MAX_SYMBOL_BYTES).map((symbol) => build({ symbol })),
    keyText.map((key) => build({ key })),
  );
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const encodedBytes = fc
  .tuple(fc.constantFrom(0, 0, 1, 2), fc.uint8Array({ minLength: 28, maxLength: 34 }))
  .map(([zeros, bytes]) => bs58.encode(Uint8Array.from([...new Uint8Array(zeros), ...bytes])));
const base58Text = fc.string({ unit: fc.constantFrom(...BASE58), minLength: 30, maxLength: 46 });
const withOtherCharacter = fc
  .tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.constantFrom(..."0OIl+ é"), fc.nat(31))
  .map(([bytes, character, at]) => {
    const text = bs58.encode(bytes);
    return text.slice(0, at) + character + text.slice(at + 1);
  });
const addressText = plain(fc.oneof(encodedBytes, encodedBytes, base58Text, withOtherCharacter));

export const addresses: Cases = {
  casesPerRun: 1,
  draw: () =>
    some(
      fc.oneof(
        addressText.map((mint) => build({ mint })),
        addressText.map((creator): Action => ({ verb: "challenge", fields: { for: "alice", creator } })),
      ),
    ),
};

/** Draws a part of a URI that is usually valid. Shrinks towards the first valid value. */
function uriPart(valid: readonly string[], invalid: readonly string[]): fc.Arbitrary<string> {
  return usually(4, fc.constantFrom(...valid), fc.constantFrom(...invalid));
}

const scheme = uriPart(
  ["https://"],
  ["http://", "HTTPS://", "https:/", "https:", "ftp://", "//", "", " https://", "https:\\\\", "javascript:"],
);
const credentials = uriPart([""], ["@", "user@", "user:password@", ":@"]);
const port = uriPart([""], [":", ":443", ":80", ":x"]);
const separator = uriPart(["/"], ["", "\\", "?", "#", "//", ".", "%2f"]);
const SEGMENTS = ["m.json", "a", "metadata", "x-1", "~a_b", "A", "%41", ...["..", "."], ..."é @:%\\\t[", ""];
const path = fc.array(fc.constantFrom(...SEGMENTS), { maxLength: 4 }).map((segments) => segments.join("/"));
const suffix = uriPart([""], ["?v=1", "#part", "#", "?#a", " ", "?a=@:"]);

/** Draws URIs of valid and invalid parts, some of about the maximum length. */
function uriText({ metadataHosts: [hostA, hostB] }: Facts): fc.Arbitrary<string> {
  const otherHosts = [
    ...[`${hostA}.evil.example`, `evil-${hostA}`, `x.${hostB}`, `${hostA}.`, hostA.toUpperCase()],
    ...["evil.example", "", `${hostA}\t`, hostA.replace(".", "%2e"), "localhost"],
  ];
  const host = uriPart([hostA, hostB], otherHosts);
  const size = fc.constantFrom(0, 0, 0, MAX_URI_BYTES - 1, MAX_URI_BYTES, MAX_URI_BYTES + 1);
  const sized = (start: string, end: string, bytes: number) =>
    start + "x".repeat(Math.max(0, bytes - Buffer.byteLength(start + end))) + end;
  const anyParts = fc
    .tuple(scheme, credentials, host, port, separator, path, suffix, size)
    .map(([first, user, name, number, slash, rest, last, bytes]) =>
      sized(first + user + name + number + slash + rest, last, bytes),
    );
  // Finds services that check only short URIs, and therefore accept an invalid long one.
  const longWithOneFault = fc.oneof(
    fc.constantFrom(...otherHosts).map((name) => sized(`https://${name}/m`, "", MAX_URI_BYTES)),
    suffix.map((last) => sized(`https://${hostA}/m`, last, MAX_URI_BYTES)),
  );
  return plain(usually(3, anyParts, longWithOneFault));
}

export const uris: Cases = {
  casesPerRun: 1,
  draw: (facts) => some(uriText(facts).map((uri) => build({ uri }))),
};
