/** Reads the exchanges that tools record, in any format of `vectors/contract/recordings.yaml`. */
import { isUtf8 } from "node:buffer";
import { isObject, type JsonObject, parseJson, show, valueAt } from "../data/json.ts";
import { type Format, isRedacted, kindOf, type Slot, TABLES } from "./tables.ts";
import { type RecordedTime, readDuration, readTime } from "./times.ts";

/** Part of a request. Undefined if it was not sent, and null if it is not known. */
export type Known<Value> = Value | undefined | null;

/** An exchange as a tool recorded it. A restart has no method. */
export interface RawExchange {
  readonly at: RecordedTime;
  /** Undefined if it is not known. */
  readonly durationMs: number | undefined;
  readonly clockMs: number | undefined;
  readonly method: string | undefined;
  /** A URL, or the path of a URL, without a fragment. */
  readonly url: string;
  readonly bearer: Known<string>;
  readonly key: Known<string>;
  /** An Authorization header without a bearer. */
  readonly authorization: string | undefined;
  readonly body: Known<string | Uint8Array>;
  /** Undefined if no response was recorded. */
  readonly status: number | undefined;
  /** Undefined if the body of the response was not recorded as a whole. */
  readonly responseBody: string | undefined;
}

/** Assumed maximum duration of an exchange whose duration is not recorded. */
export const MAX_DURATION_MS = 30_000;

/** Reads an exchange, or a restart. Throws what is wrong, as a text. */
export function readExchange(value: JsonObject, format: Format): RawExchange {
  const isLog = format.missing === "unknown";
  const read = (name: Slot) => {
    const found = readSlot(value, format, name);
    return isLog && found === "-" ? undefined : found;
  };
  const text = (name: Slot, found = read(name)) => {
    if (found === undefined || found === null || typeof found === "string") return found;
    throw `${format[name]?.[0]} must be a string, got ${show(found)}`;
  };
  const clock = read("clockMs");
  const times = { ...timesOf(read, format), clockMs: typeof clock === "number" ? clock : undefined };
  if (read("restart") === true) return { ...NOTHING, ...times };

  const [lineMethod, lineUrl] = (text("requestLine") ?? "").split(" ");
  const [given, url] = [text("method") ?? lineMethod, text("url") ?? lineUrl];
  // Some tools write methods in lower case.
  const method = format === TABLES.formats.recording ? given : given?.toUpperCase();
  if (!method) throw absent(format.method);
  if (!url) throw absent(format.url);
  const headers = headersOf(read("headers"));
  const header = (slot: Slot, name: string) => {
    const stated = text(slot, readSlot(value, format, slot));
    // A log has nothing, or a dash, in place of a header that was not sent.
    if (stated !== undefined) return isLog && /^-?$/.test(stated ?? "-") ? undefined : stated;
    // Every request has a host. Without it, the tool has recorded only some of the headers.
    return headers?.get(name) ?? (isLog && headers?.has("host") !== true ? null : undefined);
  };
  const key = header("key", "idempotency-key");
  const response = responseOf(read, format);
  return {
    ...times,
    method,
    url: `${url.startsWith("/") ? (text("host") ?? "") : ""}${url.replace(/#.*$/, "")}`,
    ...readCredentials(header("authorization", "authorization"), text("bearer"), key),
    body: requestBody(read, format, method, headers ?? new Map(), response.status),
    ...response,
  };
}

function absent([path]: readonly string[] = []): string {
  return `has no "${path}"; add it, or name the member with --map`;
}

const NOTHING = {
  ...{ method: undefined, url: "", bearer: undefined, key: undefined, authorization: undefined },
  ...{ body: undefined, status: undefined, responseBody: undefined },
};

type ReadSlot = (name: Slot) => unknown;

/** Returns the first value that a part of an exchange has, or undefined. Some tools join names with dots. */
export function readSlot(value: JsonObject, format: Format, name: Slot): unknown {
  for (const path of format[name] ?? []) {
    const found = valueAt(value, [path]) ?? valueAt(value, path.split("."));
    if (found !== undefined) return found;
  }
  return undefined;
}

function timesOf(read: ReadSlot, format: Format): Pick<RawExchange, "at" | "durationMs"> {
  const [start, end] = [read("at"), read("end")];
  const given =
    readDuration(read("durationMs"), 1) ??
    readDuration(read("durationSeconds"), 1000) ??
    readDuration(read("durationNs"), 1e-6) ??
    sumOf(read("timings"));
  if (start !== undefined) {
    const at = readTime(start);
    return { at, durationMs: end === undefined ? given : Math.max(0, readTime(end).ms - at.ms) };
  }
  if (end === undefined) throw absent(format.at ?? format.end);
  const [last, durationMs] = [readTime(end), given ?? MAX_DURATION_MS];
  return { at: { ...last, ms: last.ms - durationMs }, durationMs };
}

/** Returns the sum of the known times of the phases of an exchange (HAR 1.2, section "timings"). */
function sumOf(timings: unknown): number | undefined {
  if (!isObject(timings) || typeof timings["wait"] !== "number") return undefined;
  const phases = ["blocked", "dns", "connect", "send", "wait", "receive"];
  return phases.reduce((sum, name) => sum + Math.max(0, Number(timings[name]) || 0), 0);
}

/** Reads headers: a map of values or lists, a list of pairs or of names and values, or lines of text. */
function headersOf(value: unknown): ReadonlyMap<string, string> | undefined {
  if (typeof value !== "object" || value === null) {
    if (typeof value !== "string") return undefined;
    return headersOf(value.split(/\r?\n/).map((line) => line.split(/:\s*(.*)/s)));
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.entries(value);
  const isFlat = items.length > 1 && items.every((item) => typeof item === "string");
  const pairs = isFlat
    ? items.flatMap((name, index) => (index % 2 === 0 ? [[name, items[index + 1]]] : []))
    : items.map((item) => (isObject(item) ? [item["name"] ?? item["key"], item["value"]] : item));
  const headers = new Map<string, string>();
  for (const pair of pairs) {
    const [name, content] = Array.isArray(pair) ? pair : [];
    const last = Array.isArray(content) ? content.at(-1) : content;
    if (typeof name === "string") headers.set(name.toLowerCase(), last === null ? "" : String(last ?? ""));
  }
  // HTTP/2 has the host under another name (RFC 9113, section 8.3.1).
  const authority = headers.get(":authority");
  if (authority !== undefined) headers.set("host", authority);
  return headers;
}

/** Reads the bearer and the key. An empty value, and a value that a tool has replaced, are unknown. */
function readCredentials(
  authorization: Known<string>,
  stated: Known<string>,
  key: Known<string>,
): Pick<RawExchange, "bearer" | "key" | "authorization"> {
  const known = (text: Known<string>) =>
    typeof text === "string" && isRedacted(text, "secret") ? null : text;
  const other = known(authorization) === null ? null : undefined;
  const inHeader = /^Bearer +(.*)$/i.exec(authorization ?? "")?.[1] ?? other;
  const bearer = known(stated === undefined ? inHeader : stated);
  const isOther = bearer === undefined && typeof authorization === "string";
  return { bearer, key: known(key), authorization: isOther ? authorization : undefined };
}

function requestBody(
  read: ReadSlot,
  format: Format,
  method: string,
  headers: ReadonlyMap<string, string>,
  status: number | undefined,
): RawExchange["body"] {
  const size = Number(read("bodySize") ?? Number.NaN);
  const length = Number(headers.get("content-length") ?? Number.NaN);
  const content = read("body");
  const body = decode(content, read("bodyBase64"), read("bodyEncoding"));
  if (body !== undefined && body.length > 0) {
    const isCoded = !/^(identity)?$/i.test(headers.get("content-encoding") ?? "");
    const bytes = Buffer.byteLength(body);
    const isWhole = !(Math.max(size || 0, isCoded ? 0 : length || 0) > bytes);
    // Some servers log an empty object for a body that they have not read. A parsed body lacks repeated members
    // and members that the server does not know, for which the service may have refused it.
    const isParsed =
      isObject(content) && (body === "{}" || (length !== bytes && (status === 400 || status === 413)));
    return isWhole && !isCoded && !isParsed && !isAltered(body) ? body : null;
  }
  if (method === "GET" || method === "HEAD") return undefined;
  const isNone = size === 0 || length === 0 || (format.missing === "none" && Number.isNaN(size));
  const isStated = Math.abs(size) > 0 || length > 0 || headers.has("content-type");
  return isNone && !isStated && content !== null ? body : null;
}

/** Returns whether a tool has replaced a part of a request body, or could not decode it. */
function isAltered(body: string | Uint8Array): boolean {
  if (typeof body !== "string") return false;
  const json = parseJson(body);
  if (json === undefined || typeof json === "string")
    return body.includes("\uFFFD") || isRedacted(body, "secret");
  return Object.entries(isObject(json) ? json : {}).some(
    ([name, member]) => typeof member === "string" && isRedacted(member, kindOf(name)),
  );
}

/** Returns a body, given as a text, in base64, or as a JSON value. */
function decode(content: unknown, base64: unknown, encoding: unknown): string | Uint8Array | undefined {
  if (typeof base64 === "string") return fromBase64(base64);
  if (content === undefined || content === null) return undefined;
  if (typeof content !== "string") return JSON.stringify(content);
  return /^base64$/i.test(String(encoding)) && BASE64.test(content) ? fromBase64(content) : content;
}

/** Base64, standard or for URLs. Some tools mark a text as base64 that is not. */
const BASE64 = /^[\w+/\s-]*={0,2}\s*$/;

function fromBase64(text: string): string | Uint8Array {
  const bytes = Buffer.from(text, "base64");
  return isUtf8(bytes) ? bytes.toString() : new Uint8Array(bytes);
}

function responseOf(read: ReadSlot, format: Format): Pick<RawExchange, "status" | "responseBody"> {
  const status = read("status");
  const [code, digits] = /^(?:(\d+)(?: .*)?|-1?|)$/.exec(String(status ?? "")) ?? [];
  if (code === undefined) throw `${format.status?.[0]} must be an integer, got ${show(status)}`;
  if (digits === undefined) return { status: undefined, responseBody: undefined };
  const content = read("responseBody");
  const body = decode(content, read("responseBase64"), read("responseEncoding"));
  const isWhole =
    body !== undefined && body.length > 0 && !(Number(read("responseSize")) > Buffer.byteLength(body));
  return {
    status: Number(digits),
    // A body that is not a text is still compressed.
    responseBody: isWhole && typeof body === "string" ? body : undefined,
  };
}
