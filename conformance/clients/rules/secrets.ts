/**
 * Searches requests, results, and logs for private keys and expanded keys: as raw bytes, or in hexadecimal, base64,
 * base64url, base58, or a list of bytes. Also finds each of these forms inside base64.
 */
import { createHash } from "node:crypto";
import bs58 from "bs58";
import type { ClientRequest, History, Launch } from "../history.ts";
import { DRAFT, type RuleTable, sent } from "./rule.ts";

/** The kit searches for 8-byte parts of a key. Any 15 bytes in a row contain a whole part. */
const PART_BYTES = 8;
const SEED_BYTES = 32;
/** 11 characters of base58 encode about 8 bytes. */
const BASE58_PART = /.{11}/g;
/** Bytes with separators, such as `aa:bb`, `0xaa, 0xbb`, or `[170, 187]`. */
const BYTE_LIST = /(?:(?:0x)?[0-9A-Fa-f]{1,3}[^0-9A-Za-z]{1,2}){7,}(?:0x)?[0-9A-Fa-f]{1,3}/g;

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
  "SECRET-2": {
    expected: "no part of a private key in a result or on standard error",
    testedBy: DRAFT,
    check: (history) => {
      const containsKey = keySearch(history.launches);
      const found = outputsOf(history).find(([, text]) => encodes(text, containsKey));
      return found === undefined ? [] : [{ got: `a private key ${found[0]}` }];
    },
  },
};

/** Returns the texts that a client writes, each with its place. */
function outputsOf({ launches, log }: History) {
  const results = launches.map(({ end }) => {
    const text = end.kind === "result" ? JSON.stringify(end.result) : end.kind === "error" ? end.reason : "";
    return ["in a result", text] as const;
  });
  return [...results, ["on standard error", log] as const];
}

/** Returns a function that checks whether bytes contain a part of the private key of a launch. */
function keySearch(launches: readonly Launch[]): (bytes: Buffer) => boolean {
  const keys = [...new Map(launches.map(({ creator, secretKey }) => [creator.address, secretKey])).values()];
  const parts = keys.flatMap((key) => secretsOf(key).flatMap(partsOf));
  // A part of a base58 text cannot be decoded, so the search also looks for parts of the encoded key.
  const texts = keys.flatMap((key) =>
    [...secretsOf(key), key].flatMap((bytes) => bs58.encode(bytes).match(BASE58_PART) ?? []),
  );
  const needles = [...parts, ...texts.map((text) => Buffer.from(text))];
  // Whether a needle starts with the two bytes of the index. The search of many short texts is faster with it.
  const starts = new Uint8Array(0x1_00_00);
  for (const needle of needles) starts[needle.readUInt16BE()] = 1;
  return (bytes) => {
    let lastTwo = 0;
    for (let index = 0; index < bytes.length; index++) {
      lastTwo = ((lastTwo << 8) | (bytes[index] as number)) & 0xff_ff;
      if (starts[lastTwo] === 1 && isAnyAt(needles, bytes, index - 1)) return true;
    }
    return false;
  };
}

function isAnyAt(needles: readonly Buffer[], bytes: Buffer, start: number): boolean {
  return needles.some((needle) => bytes.subarray(start, start + needle.length).equals(needle));
}

/** Returns the seed of a key, and the expanded key before and after clamping (RFC 8032, section 5.1.5). */
function secretsOf(key: Buffer): readonly Buffer[] {
  const seed = key.subarray(0, SEED_BYTES);
  const expanded = createHash("sha512").update(seed).digest();
  const clamped = Buffer.from(expanded);
  clamped[0] = (clamped[0] ?? 0) & 0xf8;
  clamped[SEED_BYTES - 1] = ((clamped[SEED_BYTES - 1] ?? 0) & 0x7f) | 0x40;
  return [seed, expanded, clamped];
}

function partsOf(secret: Buffer): readonly Buffer[] {
  return Array.from({ length: secret.length / PART_BYTES }, (_, index) =>
    secret.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
  );
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
  const decodings = [Buffer.from(text, "latin1")];
  if (Buffer.byteLength(text) > text.length) decodings.push(Buffer.from(text));
  // In a run of hex digits, an encoded byte can start at an even or an odd position.
  for (const [run] of text.matchAll(/[0-9A-Fa-f]{16,}/g))
    for (const start of [0, 1]) decodings.push(Buffer.from(run.slice(start), "hex"));
  for (const [run] of text.matchAll(/[1-9A-HJ-NP-Za-km-z]{11,90}/g))
    decodings.push(Buffer.from(bs58.decodeUnsafe(run) ?? []));
  for (const [list] of text.matchAll(BYTE_LIST)) {
    const bytes = list.replaceAll("0x", "").split(/[^0-9A-Za-z]+/);
    for (const base of [10, 16])
      decodings.push(Buffer.from(bytes.map((byte) => Number.parseInt(byte, base))));
  }
  return decodings;
}

/** Decodes runs of base64 from four positions, because a group of encoded bytes can start at each of them. */
function base64DecodingsOf(text: string): readonly Buffer[] {
  return [...text.matchAll(/[A-Za-z0-9+/_-]{11,}/g)].flatMap(([run]) =>
    [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), "base64")),
  );
}
