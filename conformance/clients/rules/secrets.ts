/**
 * Searches requests for private keys: as raw bytes, or in hexadecimal, base64, base64url, base58, or a JSON
 * array of bytes. Also finds each of these forms inside base64.
 */
import bs58 from "bs58";
import type { ClientRequest, Launch } from "../history.ts";
import { type RuleTable, sent } from "./rule.ts";

/** The kit searches for four 8-byte parts of a key's seed. Any 15 bytes in a row contain a whole part. */
const PART_BYTES = 8;
const PART_OFFSETS = [0, 8, 16, 24];
/** 11 characters of base58 encode about 8 bytes. */
const BASE58_PART = /.{11}/g;

export const SECRET_RULES: RuleTable = {
  "SECRET-1": {
    expected: "no part of a private key",
    testedBy: sent("verify"),
    check: ({ exchanges, launches }) => {
      const containsKey = keySearch(launches);
      return exchanges.flatMap((exchange) => {
        const found = textsOf(exchange.request).find(([, text]) => encodes(text, containsKey));
        return found === undefined ? [] : [{ exchange, got: `a private key in the ${found[0]}` }];
      });
    },
  },
};

/** Returns a function that checks whether bytes contain a part of the private key of a launch. */
function keySearch(launches: readonly Launch[]): (bytes: Buffer) => boolean {
  const keys = [...new Map(launches.map(({ creator, secretKey }) => [creator.address, secretKey])).values()];
  const parts = keys.flatMap((key) =>
    PART_OFFSETS.map((offset) => key.subarray(offset, offset + PART_BYTES)),
  );
  // A part of a base58 text cannot be decoded, so the search also looks for parts of the encoded key.
  const texts = keys.flatMap((key) =>
    [key.subarray(0, 32), key].flatMap((bytes) => bs58.encode(bytes).match(BASE58_PART) ?? []),
  );
  return (bytes) => [...parts, ...texts].some((part) => bytes.includes(part));
}

/** Returns pairs of a place in a request and the text there: as sent, and with percent escapes decoded. */
function textsOf({ path, headers, bytes }: ClientRequest) {
  const texts = [
    ["path", path] as const,
    ...Object.entries(headers).flatMap(([name, values]) => [
      ["name of a header", name] as const,
      ...values.map((value) => [`header ${name}`, value] as const),
    ]),
    ["headers", Object.values(headers).flat().join("")] as const,
    ["body", bytes.toString("latin1")] as const,
    ["body", stringsIn(bytes).join("")] as const,
  ];
  const decode = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  return texts.flatMap(([place, text]) => {
    const decoded = text.replace(/%([0-9A-Fa-f]{2})/g, decode);
    return [...new Set([text, decoded])].map((each) => [place, each] as const);
  });
}

/** Returns the names and strings in a JSON body without their escapes, or none if the body is not JSON. */
function stringsIn(body: Buffer): readonly string[] {
  const strings: string[] = [];
  try {
    JSON.stringify(JSON.parse(body.toString()), function (this: unknown, name, value: unknown) {
      if (!Array.isArray(this)) strings.push(name);
      if (typeof value === "string") strings.push(value);
      return value;
    });
  } catch {
    return [];
  }
  return strings;
}

/** Returns whether a text encodes bytes that `isFound` accepts, directly or inside base64. */
function encodes(text: string, isFound: (bytes: Buffer) => boolean): boolean {
  const texts = [text, ...base64DecodingsOf(text).map((bytes) => bytes.toString("latin1"))];
  return texts.some((one) => [...directDecodingsOf(one), ...base64DecodingsOf(one)].some(isFound));
}

/** Returns all bytes that a text or a part of it can encode, except in base64. */
function directDecodingsOf(text: string): readonly Buffer[] {
  const decodings = [Buffer.from(text, "latin1"), Buffer.from(text)];
  // In a run of hex digits, an encoded byte can start at an even or an odd position.
  for (const [run] of text.matchAll(/[0-9A-Fa-f]{16,}/g))
    for (const start of [0, 1]) decodings.push(Buffer.from(run.slice(start), "hex"));
  for (const [run] of text.matchAll(/[1-9A-HJ-NP-Za-km-z]{11,90}/g))
    decodings.push(Buffer.from(bs58.decodeUnsafe(run) ?? []));
  for (const [array] of text.matchAll(/\[(?:\s*\d{1,3}\s*,){7,}\s*\d{1,3}\s*\]/g))
    decodings.push(Buffer.from((array.match(/\d+/g) ?? []).map(Number)));
  return decodings;
}

/** Decodes runs of base64 from four positions, because a group of encoded bytes can start at each of them. */
function base64DecodingsOf(text: string): readonly Buffer[] {
  return [...text.matchAll(/[A-Za-z0-9+/_-]{11,}/g)].flatMap(([run]) =>
    [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), "base64")),
  );
}
