import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import bs58 from "bs58";
import { showClientRequest } from "../../../engine/client/show-turn.ts";
import type { ClientRequest, Violation } from "../../../engine/client/trace.ts";
import { isObject } from "../../../engine/play/exchange.ts";
import type { Shown } from "../../../engine/play/result.ts";
import { bytesOf, GROUP_ORDER, littleEndian } from "../../keys/key-pair.ts";
import { remembered } from "../../remembered.ts";
import type { ClientReading } from "./client-reading.ts";
import { brokenBy } from "./found.ts";

/** Private keys that were found in requests. */
interface SecretsFound {
  /** Each key once for each request. */
  readonly violations: readonly Violation[];
  /** Removes the keys from a violation by a request that holds some. */
  readonly withoutKeys: (violation: Violation) => Violation;
}

/** Looks for the private keys of all launches in all requests (contract, "What the service does" and "Authentication"). */
export function judgeSecrets({ asked, launches }: ClientReading): SecretsFound {
  const keys = [...new Map(launches.map(({ secretKey, creator }) => [secretKey, creator]))];
  const secretKeys = keys.map(([secretKey]) => secretKey);
  const clean = new Set<string>();
  const masked = new Map<number, Shown>();
  const violations = asked.flatMap((one) => {
    const findings = secretsInRequest(one.turn.request, secretKeys, clean);
    if (findings.length === 0) return [];
    masked.set(one.turn.index, showClientRequest(maskedRequest(one.turn.request, findings, secretKeys)));
    // The smallest part that holds a key is the most precise place.
    const first = findings.filter(
      ({ key }, index) => findings.findIndex((other) => other.key === key) === index,
    );
    return first.map((finding) =>
      brokenBy(one, "CLIENT-SECRET-1", {
        message: "a request carries a private key",
        expected: "no private key in any request, in any usual encoding, whole or in part",
        got: `${finding.what} of ${keys[finding.key]?.[1]}, in ${finding.where}, as ${finding.encoding}`,
      }),
    );
  });
  const told = (text: string) => (holdsSecret(text, secretKeys) ? MASK : text);
  const withoutKeys = (violation: Violation) => {
    const request = masked.get(violation.turn ?? -1);
    if (request === undefined) return violation;
    return { ...violation, expected: told(violation.expected), got: told(violation.got), request };
  };
  return { violations, withoutKeys };
}

/** A place in a request that holds a private key. */
interface SecretFinding {
  /** Index of the key among those that were searched for. */
  readonly key: number;
  /** Which form of the key: `the private key`, `the secret scalar`, … */
  readonly what: string;
  /** `header user-agent`, `body, member name`. */
  readonly where: string;
  readonly encoding: string;
  /** The part of the request that holds it: not to be shown. */
  readonly text: string;
}

/** A part of a request in which text can stand. */
interface RequestPiece {
  /** For people: `path`, `header user-agent`, `body, member name`. */
  readonly where: string;
  readonly text: string;
}

/** Bytes of a private key that count as a part of it: fewer recur by chance. */
const LEAST_BYTES = 8;
/** Characters of base58 that stand for at least that many bytes. */
const LEAST_BASE58 = 11;
/** Different bytes in a part: parts with fewer, such as the zeros that fill fields, recur by chance. */
const LEAST_VARIETY = 5;
/** Depth of encodings within encodings, such as base64 of a text that holds the key in hexadecimal. */
const MOST_ENCODINGS = 2;
/** Depth to which members of a body are searched one by one; deeper ones are found in the body's text. */
const DEEPEST_MEMBER = 32;

/**
 * Finds private keys in a request, whole or {@link LEAST_BYTES} bytes or more, anywhere in it: as raw bytes, hexadecimal,
 * base64, base64url, base58 or a list of bytes.
 * @param secretKeys each as base64 of seed and public key, or of the seed alone
 * @param clean texts of earlier requests that hold none of these keys: added to
 * @returns every part that holds one, the smallest parts first; none for public keys, signatures, hashes
 */
export function secretsInRequest(
  request: ClientRequest,
  secretKeys: readonly string[],
  clean = new Set<string>(),
): readonly SecretFinding[] {
  const keys = secretKeys.map((key) => partsOfKey(key));
  return requestPieces(request).flatMap((piece) => {
    if (clean.has(piece.text)) return [];
    const found = new Map<number, SecretFinding>();
    searchText(piece.text, keys, 0, (key, what, encoding) => {
      if (!found.has(key)) found.set(key, { key, what, encoding, where: piece.where, text: piece.text });
    });
    if (found.size === 0) clean.add(piece.text);
    return [...found.values()];
  });
}

/** Whether a text holds any of the private keys. */
function holdsSecret(text: string, secretKeys: readonly string[]): boolean {
  return secretsInRequest({ method: text, target: "", headers: [] }, secretKeys).length > 0;
}

/** Text that replaces whatever holds a key. */
const MASK = "(a private key)";

/**
 * A request without the parts that hold a private key, so that a report can show it: the smallest parts that can be cut
 * out as they were written, else the whole body or all headers.
 */
function maskedRequest(
  request: ClientRequest,
  findings: readonly SecretFinding[],
  secretKeys: readonly string[],
): ClientRequest {
  const texts = new Set(findings.map(({ text }) => text));
  const mask = (whole: string) => [...texts].reduce((left, text) => left.replaceAll(text, MASK), whole);
  const utf8 = (text: string) => new Uint8Array(Buffer.from(text));
  const { method, target, headers, body } = request;
  const cut: ClientRequest = {
    method: mask(method),
    target: mask(target),
    headers: headers.map(([name, value]) => [mask(name), mask(value)]),
    ...(body === undefined ? {} : { body: utf8(mask(Buffer.from(body).toString())) }),
  };
  const left = secretsInRequest(cut, secretKeys).map(({ where }) => where);
  return {
    ...cut,
    ...(left.some((where) => where.includes("header"))
      ? { headers: cut.headers.map(([name]) => [name, MASK] as const) }
      : {}),
    ...(left.some((where) => where.includes("body")) ? { body: utf8(MASK) } : {}),
  };
}

/** The texts of a request, the small parts first; several parts together show what is written over them all. */
function requestPieces({ method, target, headers, body }: ClientRequest): readonly RequestPiece[] {
  const [, path = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(target) ?? [];
  const written = [
    { where: "method", text: method },
    { where: "path", text: path },
    { where: "query", text: query },
    ...headers.flatMap(([name, value]) => [
      { where: "name of a header", text: name },
      { where: `header ${name}`, text: value },
    ]),
    ...(body === undefined ? [] : bodyPieces(Buffer.from(body))),
    { where: "several headers", text: headers.map(([, value]) => value).join("") },
  ];
  return written.flatMap(({ where, text }) => {
    const decoded = percentDecoded(text);
    const texts = decoded === text ? [text] : [text, decoded];
    return texts.filter(({ length }) => length >= LEAST_BYTES).map((one) => ({ where, text: one }));
  });
}

function bodyPieces(body: Buffer): readonly RequestPiece[] {
  const text = isUtf8(body) ? body.toString() : body.toString("latin1");
  const pieces: RequestPiece[] = [];
  const strings: string[] = [];
  try {
    addMembers(pieces, strings, "", JSON.parse(text), 0);
  } catch {
    // Not JSON: only its whole text is searched.
  }
  return [
    ...pieces,
    { where: "body", text },
    { where: "several members of the body", text: strings.join("") },
  ];
}

function addMembers(
  pieces: RequestPiece[],
  strings: string[],
  path: string,
  value: unknown,
  depth: number,
): void {
  const where = path === "" ? "body" : `body, member ${path}`;
  if (typeof value === "string") {
    strings.push(value);
    pieces.push({ where, text: value });
  } else if (Array.isArray(value) && value.every((item) => typeof item === "number")) {
    pieces.push({ where, text: value.join(" ") });
  } else if (depth < DEEPEST_MEMBER && typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (isObject(value)) pieces.push({ where: "name of a member of the body", text: name });
      addMembers(pieces, strings, path === "" ? name : `${path}.${name}`, member, depth + 1);
    }
  }
}

/** Percent-encoding undone, however often it was applied; each byte becomes one character. */
function percentDecoded(text: string): string {
  return text.replace(/%(?:25)*([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function searchText(
  text: string,
  keys: readonly PartsOfKey[],
  depth: number,
  found: (key: number, what: string, encoding: string) => void,
): void {
  for (const { encoding, bytes } of decodings(text)) {
    for (const [key, parts] of keys.entries()) {
      const part = partIn(bytes, parts);
      if (part !== undefined) found(key, part.what, within(part.encoding, encoding));
    }
    if (depth < MOST_ENCODINGS && encoding !== "bytes" && isText(bytes))
      searchText(bytes.toString("latin1"), keys, depth + 1, (key, what, inner) =>
        found(key, what, within(inner, encoding)),
      );
  }
}

function within(inner: string, outer: string): string {
  if (inner === "bytes") return outer;
  return outer === "bytes" ? inner : `${inner} in ${outer}`;
}

/** Whether bytes look like text, and are long enough to hold a key in some encoding. */
function isText(bytes: Buffer): boolean {
  return bytes.length >= 16 && /^[\x20-\x7e\r\n]*$/.test(bytes.toString("latin1"));
}

/** All bytes that a text, or a part of it, may stand for. */
function* decodings(text: string): Generator<{ readonly encoding: string; readonly bytes: Buffer }> {
  const latin1 = Buffer.from(text, "latin1");
  yield { encoding: "bytes", bytes: latin1 };
  if (/[^\0-\x7f]/.test(text)) {
    yield { encoding: "bytes", bytes: Buffer.from(text) };
    // Bytes that were taken for Latin-1, and then written in UTF-8.
    if (isUtf8(latin1)) yield { encoding: "bytes", bytes: Buffer.from(latin1.toString(), "latin1") };
  }
  // Between the digits there may be colons, blanks, `0x`; a byte may begin at either digit of a run.
  for (const [run] of text.replace(/0x|[^0-9A-Za-z]+/gi, "").matchAll(/[0-9A-Fa-f]{16,}/g))
    for (const skipped of [0, 1])
      yield { encoding: "hexadecimal", bytes: Buffer.from(run.slice(skipped), "hex") };
  const tight = text.replace(/[\s\\]+/g, "");
  for (const whole of new Set([text, tight]))
    for (const [run] of whole.matchAll(/[A-Za-z0-9+/_-]{11,}/g))
      for (let skipped = 0; skipped <= Math.min(3, run.length - 11); skipped++)
        yield { encoding: "base64", bytes: Buffer.from(run.slice(skipped), "base64") };
  const numbers = text.match(/(?<![0-9A-Za-z])-?\d{1,3}(?![0-9A-Za-z])/g) ?? [];
  if (numbers.length < LEAST_BYTES) return;
  // As a typed array is written in JSON, each number stands after its index.
  for (const list of [numbers, numbers.filter((_, at) => at % 2 === 0), numbers.filter((_, at) => at % 2)])
    yield { encoding: "list of bytes", bytes: Buffer.from(list.map((digits) => Number(digits) & 0xff)) };
}

/** A part of a private key whose presence shows the key. */
interface KeyPart {
  readonly bytes: Buffer;
  readonly what: string;
  readonly encoding: "bytes" | "base58";
}

/** All parts of one private key, by their first four bytes. */
type PartsOfKey = ReadonlyMap<number, readonly KeyPart[]>;

/** First part of a key that bytes hold. */
function partIn(bytes: Buffer, parts: PartsOfKey): KeyPart | undefined {
  let four = 0;
  for (let end = 0; end < bytes.length; end++) {
    four = (four << 8) | (bytes[end] ?? 0);
    const from = end - 3;
    const part = parts
      .get(four)
      ?.find((one) => from >= 0 && one.bytes.equals(bytes.subarray(from, from + one.bytes.length)));
    if (part !== undefined) return part;
  }
  return undefined;
}

/** Parts of a private key in all its forms, by the base64 of its seed and public key, or of its seed alone. */
const partsOfKey: (secretKeyBase64: string) => PartsOfKey = remembered(500, (base64) => {
  const given = Buffer.from(base64, "base64");
  const seed = given.subarray(0, 32);
  const hash = createHash("sha512").update(seed).digest();
  const clamped = Buffer.from(hash);
  clamped[0] = (clamped[0] ?? 0) & 248;
  clamped[31] = ((clamped[31] ?? 0) & 63) | 64;
  const scalar = Buffer.from(bytesOf(littleEndian(clamped.subarray(0, 32)) % GROUP_ORDER));
  const secrets: readonly (readonly [what: string, bytes: Buffer])[] = [
    ["the private key", seed],
    ["the private key, expanded", clamped],
    ["the private key, expanded", hash],
    ["the secret scalar", scalar],
  ];
  // A text in base58 stands for all its bytes together, so each usual whole has parts of its own.
  const wholes: typeof secrets = [
    ...secrets,
    ["the private key with its public key", given],
    ["the secret scalar", clamped.subarray(0, 32)],
    ["half of the expanded private key", hash.subarray(32)],
  ];
  const parts = new Map<number, KeyPart[]>();
  const add = (what: string, encoding: KeyPart["encoding"], whole: Buffer, length: number) => {
    for (let at = 0; at + length <= whole.length; at++) {
      const bytes = whole.subarray(at, at + length);
      if (new Set(bytes).size < LEAST_VARIETY) continue;
      const four = bytes.readInt32BE();
      parts.set(four, [...(parts.get(four) ?? []), { bytes, what, encoding }]);
    }
  };
  for (const [what, bytes] of secrets) {
    add(what, "bytes", bytes, LEAST_BYTES);
    add(`${what}, its bytes reversed`, "bytes", Buffer.from(bytes).reverse(), LEAST_BYTES);
  }
  for (const [what, bytes] of wholes)
    for (const ordered of [bytes, Buffer.from(bytes).reverse()])
      add(what, "base58", Buffer.from(bs58.encode(ordered)), LEAST_BASE58);
  return parts;
});
