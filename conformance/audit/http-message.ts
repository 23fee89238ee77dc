import { isUtf8 } from "node:buffer";
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import type { Fields } from "../engine/audit/recorded.ts";

/** Whether less of a body came than its head says: whoever sent it broke off, or was answered before. */
export function isCutShort(fields: Fields, bytes: number): boolean {
  return bytes < (lengthIn(fields) ?? 0);
}

/** Whether a body that the kit wrote down was {@link isCutShort}: masks may have made a whole one shorter. */
export function isBrokenOff(fields: Fields, body: string | Uint8Array = ""): boolean {
  return isCutShort(fields, Buffer.byteLength(body)) && !isJson(body);
}

/** How long a body was, as its Content-Length says. */
export function lengthIn(fields: Fields): number | undefined {
  const [, value] = fields.find(([name]) => name.toLowerCase() === "content-length") ?? [];
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
}

/** Whether a body is JSON. */
export function isJson(body: string | Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(body).toString());
    return true;
  } catch {
    return false;
  }
}

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

/** Methods whose bodies say nothing. */
export const BODILESS: ReadonlySet<unknown> = new Set(["GET", "HEAD", "OPTIONS"]);

/** What stands in a text for bytes that its writer could not read. */
export const UNREAD_BYTES = /\uFFFD|[\uD800-\uDFFF]/u;

/** The path and query of a URL, letter for letter: a parser of URLs rewrites dots and escapes that a service was asked with. */
export function pathIn(url: string): string {
  const [rest = ""] = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "").split("#", 1);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** Headers by their names, as Node takes them of a request; what stands twice has a list of values. */
export function byName(headers: Fields): Record<string, string | string[]> {
  const spelled = new Map<string, string>();
  // A name such as __proto__ is one like any other.
  const found: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of headers) {
    const key = spelled.get(name.toLowerCase());
    if (key === undefined) {
      spelled.set(name.toLowerCase(), name);
      found[name] = value;
    } else found[key] = [found[key] ?? [], value].flat();
  }
  return found;
}
