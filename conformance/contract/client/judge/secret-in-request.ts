import { constants, gunzipSync, inflateSync } from "node:zlib";
import type { ClientRequest } from "../../../engine/client/trace.ts";
import { decodings } from "./key-decodings.ts";
import { type RequestPiece, requestPieces } from "./request-pieces.ts";
import { LEAST_DIGITS, type SecretMaterial, secretMaterial } from "./secret-material.ts";
import { digitsIn } from "./text-encodings.ts";

/** Where a request holds a private key. */
export interface SecretFinding {
  /** Whose key it is: the place of it among those that were looked for. */
  readonly key: number;
  /** What of it: `the private key`, `the secret scalar`, … */
  readonly what: string;
  /** `header user-agent`, `body, member name`. */
  readonly where: string;
  readonly encoding: string;
  /** The part of the request that holds it: not to be shown. */
  readonly text: string;
}

/** Encodings within encodings: base64 of a text that holds the key in hexadecimal, say. */
const DEEPEST = 2;
/** Bytes of what was compressed: no request of a legal size holds more that matters. */
const MOST_UNPACKED = 1 << 18;

/**
 * Finds private keys in a request, whole or 8 bytes or more of one, in any usual encoding, anywhere in it.
 * @param secretKeys each as base64 of seed and public key, or of the seed alone
 * @param clean texts in which none of these keys is, of requests before: added to
 * @returns every part that holds one, the smallest parts first; none for public keys, signatures, hashes
 */
export function secretsInRequest(
  request: ClientRequest,
  secretKeys: readonly string[],
  clean = new Set<string>(),
): readonly SecretFinding[] {
  const materials = secretKeys.map((key) => secretMaterial(key));
  return requestPieces(request).flatMap((piece) => {
    if (clean.has(piece.text)) return [];
    const found = new Map<number, SecretFinding>();
    search(piece, piece.text, "", materials, found, 0);
    if (found.size === 0) clean.add(piece.text);
    return [...found.values()];
  });
}

/** Whether a text holds any of the private keys. */
export function holdsSecret(text: string, secretKeys: readonly string[]): boolean {
  return secretsInRequest({ method: text, target: "", headers: [] }, secretKeys).length > 0;
}

function search(
  piece: RequestPiece,
  text: string,
  within: string,
  materials: readonly SecretMaterial[],
  found: Map<number, SecretFinding>,
  depth: number,
): void {
  const note = (key: number, what: string | undefined, encoding: string) => {
    if (what !== undefined && !found.has(key))
      found.set(key, { key, what, where: piece.where, encoding: `${encoding}${within}`, text: piece.text });
  };
  const { characters, stretches } = digitsIn(text, LEAST_DIGITS);
  for (const stretch of stretches) {
    const { name, kind } = stretch.encoding;
    for (const [key, { digits }] of materials.entries())
      note(key, digits[kind].find(characters, stretch), name);
  }
  for (const { encoding, bytes } of decodings(text)) {
    for (const [key, material] of materials.entries()) note(key, material.bytes.find(bytes), encoding);
    if (depth === DEEPEST) continue;
    const unpacked = decompressed(bytes);
    if (unpacked !== undefined) {
      for (const [key, material] of materials.entries())
        note(key, material.bytes.find(unpacked), `compressed, in ${encoding}`);
      search(
        piece,
        unpacked.toString("latin1"),
        ` in ${encoding}, compressed${within}`,
        materials,
        found,
        depth + 1,
      );
    } else if (encoding !== "bytes" && isText(bytes)) {
      search(piece, bytes.toString("latin1"), ` in ${encoding}${within}`, materials, found, depth + 1);
    }
  }
}

/** What gzip or zlib made bytes of, by their first two; undefined for others. */
function decompressed(bytes: Buffer): Buffer | undefined {
  const first = bytes.length < 8 ? 0 : bytes.readUInt16BE(0);
  const options = { maxOutputLength: MOST_UNPACKED, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    if (first === 0x1f8b) return gunzipSync(bytes, options);
    if (first >> 8 === 0x78 && first % 31 === 0) return inflateSync(bytes, options);
  } catch {
    // Something else that begins like it.
  }
  return undefined;
}

/** Whether bytes look like text, and are long enough to hold a key in some encoding. */
function isText(bytes: Buffer): boolean {
  return (
    bytes.length >= 16 && bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 10 || byte === 13)
  );
}
