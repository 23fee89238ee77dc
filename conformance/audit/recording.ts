/**
 * Reads recordings of the traffic of one service: JSON lines, or HAR 1.2. Both formats are described by
 * `vectors/contract/recording.schema.json`.
 */
import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import type { Request } from "../adapters/adapter.ts";
import { isObject, parseJson } from "../adapters/json.ts";
import { ROUTES } from "../contract/constants.ts";
import { DataError, readRegularFile } from "../contract/data-file.ts";
import { DATA_FOLDER } from "../contract/kit-files.ts";
import { findSchemaFaults } from "../contract/schema-check.ts";

/** An exchange, or a restart if it has no request. Times are in ms since the Unix epoch. */
export interface RecordedItem {
  /** `file:line`, or the file and the number of the HAR entry. */
  readonly place: string;
  /** When the client sent the request, on the recorder's clock. */
  readonly sentAt: number;
  /** Latest time at which the client can have received the response. */
  readonly receivedAt: number;
  /** Time of the request on the service's clock, if it is known. */
  readonly clockMs?: number | undefined;
  readonly request?: Request;
  /** Missing if the response, or its body, was not recorded. */
  readonly response?: { readonly status: number; readonly body: string } | undefined;
}

export interface Recording {
  /** Items in the order of their requests. */
  readonly items: readonly RecordedItem[];
  /** Whether the recording has all exchanges since the start of the service, and all restarts. */
  readonly isComplete: boolean;
  /** Facts that the recording states, unchecked. */
  readonly facts: object;
  /** Number of exchanges that were not read, by reason. */
  readonly notRead: ReadonlyMap<string, number>;
}

const SCHEMA = join(DATA_FOLDER, "contract", "recording.schema.json");
const MAX_BYTES = 256 * 1024 * 1024;
/** Number of faults after which a file is not checked any further. */
const MAX_FAULTS = 20;
/** Assumed maximum duration of an exchange whose duration is not recorded. */
const MAX_DURATION_MS = 30_000;
/** Statuses that a proxy can send. Without an error code, they say nothing about the service. */
const STATUSES_BETWEEN: ReadonlySet<number> = new Set([0, 304, 408, 431, 499, 502, 503, 504, 520]);

/**
 * Reads files that together record one service.
 * @param baseUrl base URL of the service in HAR files (default: the one that serves the contract's routes)
 * @throws {DataError} if a file cannot be read, or has neither format
 */
export function readRecording(files: readonly string[], baseUrl?: string): Recording {
  const parts = files.map((file) => {
    const text = readText(file);
    const value = parseJson(text);
    return isObject(value) && "log" in value ? readHar(file, value, baseUrl) : readLines(file, text);
  });
  const items = parts.flatMap((part) => part.items).sort((one, other) => one.sentAt - other.sentAt);
  const hasClock = items.every(({ clockMs }) => clockMs !== undefined);
  const read = items.map((item) => withoutForeignResponse(hasClock ? item : { ...item, clockMs: undefined }));
  const reasons = parts.flatMap((part) => part.reasons);
  for (const { request, response } of read)
    if (request && !response) reasons.push("the body of the response was not recorded");
  const notRead = new Map<string, number>();
  for (const reason of reasons) notRead.set(reason, (notRead.get(reason) ?? 0) + 1);
  return {
    items: read,
    isComplete: notRead.size === 0 && parts.every((part) => part.isComplete),
    facts: Object.assign({}, ...parts.map((part) => part.facts)),
    notRead,
  };
}

/** Contents of one file, with the reason for each exchange that was not read. */
type Part = Omit<Recording, "notRead"> & { readonly reasons: readonly string[] };

/** @throws {DataError} */
function readText(file: string): string {
  const bytes = readRegularFile(file, MAX_BYTES);
  if (!isUtf8(bytes)) throw new DataError(`${file}: is not UTF-8; save it in UTF-8`);
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
}

interface Line {
  readonly at: string | number;
  readonly durationMs?: number;
  readonly clockMs?: number;
  readonly restart?: true;
  readonly request: Omit<Request, "body"> & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly bodyBase64?: string;
  };
  readonly response: { readonly status: number; readonly body?: string } | null;
}

/** @throws {DataError} with all faults of the file */
function readLines(file: string, text: string): Part {
  const faults: string[] = [];
  const items: RecordedItem[] = [];
  let header: { readonly complete?: boolean; readonly facts?: object } = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || faults.length >= MAX_FAULTS) continue;
    const place = `${file}:${index + 1}`;
    const value = parseJson(line);
    const found =
      value === undefined ? [{ message: "the line is not JSON" }] : findSchemaFaults(value, SCHEMA);
    faults.push(...found.map(({ message }) => `${place}: ${message.replace(/^the file /, "the line ")}`));
    if (found.length > 0) continue;
    if (isObject(value) && "recording" in value) {
      if (items.length > 0) faults.push(`${place}: the header must be the first line`);
      header = value;
    } else if (hasPossibleTimes(value as Line)) items.push(itemOf(place, value as Line));
    else faults.push(`${place}: ${IMPOSSIBLE_TIME}`);
  }
  if (items.length === 0 && faults.length === 0) faults.push(`${file}: has no exchanges`);
  if (faults.length > 0) throw new DataError(faults.join("\n"));
  return { items, isComplete: header.complete ?? false, facts: header.facts ?? {}, reasons: [] };
}

function itemOf(place: string, { at, durationMs, clockMs, restart, request, response }: Line): RecordedItem {
  const times = timesOf(at, durationMs ?? (restart ? 0 : MAX_DURATION_MS));
  if (restart) return { place, ...times, clockMs };
  const { headers = {}, body, bodyBase64, ...rest } = request;
  const exactBody = bodyBase64 === undefined ? body : new Uint8Array(Buffer.from(bodyBase64, "base64"));
  const { status, body: text } = response ?? {};
  const parts = { ...credentialsIn(headers), ...rest, ...(exactBody !== undefined && { body: exactBody }) };
  const isWhole = status !== undefined && text !== undefined;
  return { place, ...times, clockMs, request: parts, ...(isWhole && { response: { status, body: text } }) };
}

const IMPOSSIBLE_TIME = "there is no such time; give a date and a time that exist";
/** Largest time of a Date, in ms (ECMAScript, "Time Values and Time Range"). */
const MAX_TIME_MS = 8.64e15;

function hasPossibleTimes({ at, durationMs = 0, clockMs = 0 }: Pick<Line, "at" | "durationMs" | "clockMs">) {
  const sentAt = typeof at === "number" ? at : Date.parse(at);
  const isInRange = [sentAt, sentAt + durationMs, clockMs].every((ms) => Math.abs(ms) < MAX_TIME_MS);
  return isInRange && (typeof at === "number" || isDate(at.slice(0, 10)));
}

/** Returns whether a day exists. `Date.parse` takes February 30 for March 2. */
function isDate(day: string): boolean {
  return new Date(Date.parse(day)).toISOString().startsWith(day);
}

/** Returns the time span of an exchange. The recorded start may be rounded down. */
function timesOf(at: string | number, durationMs: number) {
  const sentAt = typeof at === "number" ? at : Date.parse(at);
  const digits = typeof at === "number" ? 3 : (/\.(\d+)/.exec(at)?.[1]?.length ?? 0);
  const precisionMs = Math.max(1, 1000 / 10 ** digits);
  return { sentAt, receivedAt: sentAt + Math.max(0, durationMs) + precisionMs };
}

/** Reads the credentials in headers. Keeps an Authorization header without a bearer unchanged. */
function credentialsIn(headers: Readonly<Record<string, string>>) {
  const headerOf = (name: string) =>
    Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
  const [authorization, idempotencyKey] = [headerOf("authorization"), headerOf("idempotency-key")];
  const bearer = /^Bearer +(.*)$/i.exec(authorization ?? "")?.[1];
  return {
    ...(bearer !== undefined ? { bearer } : authorization !== undefined && { authorization }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
}

interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly bodySize?: number;
    readonly postData?: { readonly text?: string };
  };
  readonly response: {
    readonly status: number;
    readonly content: { readonly size?: number; readonly text?: string; readonly encoding?: string };
  };
}

/** @throws {DataError} */
function readHar(file: string, har: unknown, baseUrl: string | undefined): Part {
  const faults = findSchemaFaults(har, SCHEMA, "har").slice(0, MAX_FAULTS);
  if (faults.length > 0) throw new DataError(faults.map(({ message }) => `${file}: ${message}`).join("\n"));
  const { entries } = (har as { log: { entries: readonly HarEntry[] } }).log;
  const base = baseUrl?.replace(/\/$/, "") ?? baseUrlIn(file, entries);
  const hasBearers = entries.some((entry) => "bearer" in credentialsIn(headersOf(entry)));
  const reasons: string[] = [];
  const items = entries.flatMap((entry, index) => {
    const { startedDateTime, time, request, response } = entry;
    if (!request.url.startsWith(`${base}/`)) return [];
    const path = request.url.slice(base.length).replace(/#.*$/, "");
    const reason = reasonNotToRead(entry, path, hasBearers);
    if (reason !== undefined) {
      reasons.push(reason);
      return [];
    }
    const body = request.postData?.text;
    const text = responseText(response.content);
    const line = {
      at: startedDateTime,
      durationMs: time,
      request: { method: request.method, path, headers: headersOf(entry), ...(body && { body }) },
      response: text === undefined ? null : { status: response.status, body: text },
    };
    if (!hasPossibleTimes(line)) throw new DataError(`${file}, entry ${index + 1}: ${IMPOSSIBLE_TIME}`);
    return [itemOf(`${file}, entry ${index + 1}`, line)];
  });
  return { items, isComplete: false, facts: {}, reasons };
}

/** Returns the base URL below which the entries have the contract's routes. @throws {DataError} */
function baseUrlIn(file: string, entries: readonly HarEntry[]): string {
  const routes = Object.values(ROUTES).map(({ path }) => path);
  const found = entries.flatMap(({ request: { url } }) => {
    const [address = ""] = url.split(/[?#]/, 1);
    return routes.filter((path) => address.endsWith(path)).map((path) => address.slice(0, -path.length));
  });
  const [base, ...others] = new Set(found);
  if (base === undefined)
    throw new DataError(`${file}: has no request to a route of the contract; add --base-url`);
  if (others.length === 0) return base;
  const bases = [base, ...others].join(" and ");
  throw new DataError(`${file}: has requests to ${bases}; choose one with --base-url`);
}

/** Returns the headers of a request. If several have the same name, the last one counts. */
function headersOf({ request }: HarEntry): Readonly<Record<string, string>> {
  return Object.fromEntries(request.headers.map(({ name, value }) => [name, value]));
}

/** Returns why the request of an entry is incomplete, or undefined if it is complete. */
function reasonNotToRead({ request }: HarEntry, path: string, hasBearers: boolean): string | undefined {
  const { bodySize = 0, postData, headers } = request;
  if (bodySize > 0 && postData?.text === undefined) return "the body of the request was not recorded";
  if (headers.some(({ name }) => name.toLowerCase() === "content-encoding"))
    return "the request is compressed";
  return path === ROUTES.build.path && !hasBearers ? "no Authorization headers were recorded" : undefined;
}

/** Returns the body of a response, or undefined if it was not recorded as a whole. */
function responseText({ size, text, encoding }: HarEntry["response"]["content"]): string | undefined {
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text, encoding === "base64" ? "base64" : "utf8");
  return size !== undefined && size > bytes.length ? undefined : bytes.toString("utf8");
}

/** Removes the response of an item if a proxy may have sent it. */
function withoutForeignResponse(item: RecordedItem): RecordedItem {
  const { response, ...rest } = item;
  if (response === undefined || !STATUSES_BETWEEN.has(response.status)) return item;
  const body = parseJson(response.body);
  return isObject(body) && "code" in body ? item : rest;
}
