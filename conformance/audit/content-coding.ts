import { isUtf8 } from "node:buffer";
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import type { Fields } from "./http-fields.ts";

/** More no answer of a service holds: a few bytes may stand for more than there is room. */
const MOST_BYTES = 16 * 1024 * 1024;

type Decode = (bytes: Uint8Array) => Uint8Array;

const limits = { maxOutputLength: MOST_BYTES };
const gunzip: Decode = (bytes) => gunzipSync(bytes, limits);
/** What is called deflate has a frame around it, or as often none (RFC 9110, section 8.4.1.2). */
const inflate: Decode = (bytes) => {
  try {
    return inflateSync(bytes, limits);
  } catch {
    return inflateRawSync(bytes, limits);
  }
};
const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: gunzip,
  "x-gzip": gunzip,
  deflate: inflate,
  br: (bytes) => brotliDecompressSync(bytes, limits),
};

/** In which ways content was coded, the first first (RFC 9110, section 8.4). */
export function codingsIn(fields: Fields): readonly string[] {
  return fields
    .filter(([name]) => name.toLowerCase() === "content-encoding")
    .flatMap(([, value]) => value.toLowerCase().split(","))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
}

/** Content as it was before it was coded; undefined where it cannot be had, or is too much. */
export function uncoded(bytes: Uint8Array, codings: readonly string[]): Uint8Array | undefined {
  let plain = bytes;
  for (const coding of codings.toReversed()) {
    const decode = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
    try {
      if (decode === undefined) return undefined;
      plain = decode(plain);
    } catch {
      return undefined;
    }
  }
  return plain;
}

/** Content that was recorded as it came, or without its coding, which no recording says: text wherever it is UTF-8. */
export function contentOf(bytes: Uint8Array, codings: readonly string[]): string | Uint8Array | undefined {
  const plain = uncoded(bytes, codings) ?? (isUtf8(bytes) ? bytes : undefined);
  return plain && textWherePossible(plain);
}

/** Text where bytes are UTF-8, as a request has it; else the bytes. */
export function textWherePossible(bytes: Uint8Array): string | Uint8Array {
  const own = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(own) ? own.toString() : new Uint8Array(own);
}
