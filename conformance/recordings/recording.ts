/** Reads recordings of the traffic of one service: HAR, JSON lines of this kit, and JSON logs of servers. */
import type { Request } from "../adapters/adapter.ts";
import { type Operation, operationOf, ROUTES } from "../contract/constants.ts";
import type { RequestPart } from "../contract/exchange.ts";
import { isExecutionRequest } from "../contract/refusals.ts";
import { memberNamesOf } from "../contract/response-schemas.ts";
import { DataError } from "../data/data-file.ts";
import { isObject, type JsonObject, parseJson, show } from "../data/json.ts";
import { JsonFile, type ValuePlace } from "../data/json-file.ts";
import type { SourcePlace } from "../suite/vector.ts";
import { Evidence } from "./evidence.ts";
import { MAX_DURATION_MS, type RawExchange, readExchange, readSlot } from "./forms.ts";
import { type Format, isRedacted, kindOf, TABLES } from "./tables.ts";

/** Place of an exchange: a line, and the number of the entry in a HAR file or list. */
interface RecordedPlace extends SourcePlace {
  readonly entry?: number;
}

export function placeText({ file, line, entry }: RecordedPlace): string {
  return `${file}:${line}${entry === undefined ? "" : `, entry ${entry}`}`;
}

/** An exchange, or a restart. Times are in ms since the Unix epoch. */
export interface RecordedItem {
  readonly place: RecordedPlace;
  /** When the client sent the request, on the recorder's clock. */
  readonly sentAt: number;
  /** Latest time at which the client can have received the response. */
  readonly receivedAt: number;
  /** Time of the request on the service's clock, if it is known. */
  readonly clockMs?: number | undefined;
  /** Reads the exchange. Missing for a restart. */
  readonly read?: () => RecordedExchange;
}

export interface RecordedExchange {
  /** The request, without the parts that are not known. */
  readonly request: Request;
  readonly unknown: ReadonlySet<RequestPart>;
  /** Missing if the service sent no response, or a part of it was not recorded. */
  readonly response?: { readonly status: number; readonly body: string } | undefined;
  /** Why the exchange says nothing about the service, or its response was not judged. */
  readonly kind?: Kind;
}

/** Kinds of exchanges that are not judged, in singular and plural. */
export const KINDS = {
  preflight: ["preflight", "preflights"],
  head: ["HEAD request", "HEAD requests"],
  elsewhere: ["request to another address", "requests to other addresses"],
  outside: ["request outside the contract", "requests outside the contract"],
  repeated: ["exchange listed twice", "exchanges listed twice"],
  gateway: ["response of a gateway", "responses of a gateway"],
  lost: ["exchange without a recorded response", "exchanges without a recorded response"],
} as const;
export type Kind = keyof typeof KINDS;
/** Kinds of exchanges that the service may have handled. */
export const LOST: ReadonlySet<Kind | undefined> = new Set(["gateway", "lost"]);

export interface Recording {
  /** Items in the order of their requests. Several histories if the clocks do not show how their items are ordered. */
  readonly histories: readonly (readonly RecordedItem[])[];
  /** Whether the recording has all exchanges since the start of the service, and all restarts. */
  readonly isComplete: boolean;
  /** Facts that the recording states, unchecked. */
  readonly facts: object;
  /** Number of requests to other addresses. */
  readonly elsewhere: number;
  /** Sentences about the files. */
  readonly notes: readonly string[];
}

interface ReadOptions {
  /** Base URL of the service (default: the one that serves the contract's routes). */
  readonly baseUrl?: string | undefined;
  /** Format of the lines (default: found by the members of a line). */
  readonly format?: Format | undefined;
}

/**
 * Reads files that together record one service.
 * @throws {DataError} if a file cannot be read, or has an exchange of the service that cannot be read
 */
export function readRecording(files: readonly string[], options: ReadOptions = {}): Recording {
  const parts = files.map((file) => readFile(file, options));
  const inOrder = (items: readonly RecordedItem[]) =>
    items.toSorted((one, other) => one.sentAt - other.sentAt);
  const separate = parts.flatMap((part) => part.histories);
  const histories = separate.length === parts.length ? [separate.flat()] : separate;
  const hasClock = separate.flat().every(({ clockMs }) => clockMs !== undefined);
  return {
    histories: histories.map((items) =>
      inOrder(hasClock ? items : items.map((item) => ({ ...item, clockMs: undefined }))),
    ),
    isComplete: histories.length === 1 && parts.every((part) => part.isComplete),
    facts: Object.assign({}, ...parts.map((part) => part.facts)),
    elsewhere: parts.reduce((sum, part) => sum + part.elsewhere, 0),
    notes: parts.flatMap((part) => part.notes),
  };
}

/** @throws {DataError} */
function readFile(path: string, { baseUrl, format }: ReadOptions): Recording {
  const first = survey(new JsonFile(path), format);
  // Some tools write the exchanges as a list in a member of an object.
  const isEmpty = first.listed.length + first.faults.length === 0;
  const found = isEmpty ? survey(new JsonFile(path, "member"), format) : first;
  const { file, listed, headers, faults, bases, evidence, isCut, others } = found;
  const { name } = file;
  const base = baseUrl === undefined ? onlyBase(name, bases) : normalUrl(baseUrl.replace(/\/+$/, ""));
  const isHere = ({ url }: { readonly url: string | undefined }) =>
    url === undefined || pathBelow(base, normalUrl(url)) !== undefined;
  const fault = base === undefined ? faults[0] : faults.find(isHere);
  if (fault !== undefined) throw new DataError(fault.message);
  if (listed.length === 0) throw new DataError(`${name}: has no exchanges`);
  const here = listed.filter(isHere);
  const unzoned = here.find(({ at }) => !at.hasZone);
  if (unzoned !== undefined && here.some(({ at }) => at.hasZone))
    throw new DataError(
      `${placeText(unzoned.place)}: the time has no zone, but other times of the file have one; add it`,
    );
  const precisionMs = here.reduce((least, { at }) => Math.min(least, at.precisionMs), 1000);
  const items = here.map(({ at, durationMs, clockMs, bytes, place, url }) => {
    const lasted = durationMs ?? (url === undefined ? 0 : MAX_DURATION_MS);
    const receivedAt = at.ms + lasted + Math.max(1, precisionMs);
    const read = () => {
      const value = parseJson(file.read(bytes)) as JsonObject;
      return toExchange(readExchange(value, formatOf(value, file, format)), base, evidence);
    };
    return { place, sentAt: at.ms, receivedAt, clockMs, ...(url !== undefined && { read }) };
  });
  const isAtOnce = items.length >= MIN_AT_ONCE && new Set(items.map(({ sentAt }) => sentAt)).size === 1;
  const histories = isAtOnce ? items.map((item) => [item]) : splitAtJumps(items);
  const reason = isAtOnce
    ? "all exchanges have the same time, so each is"
    : "the clock jumps, so the parts between the jumps are";
  const notes = [
    ...(unzoned === undefined ? [] : [`${name}: the times have no zone, and are read as UTC.`]),
    ...(isCut ? [`${name}: the file ends in the middle of an exchange, which is not read.`] : []),
    ...(others > 0 ? [`${name}: ${others} lines are not exchanges.`] : []),
    ...(histories.length > 1 ? [`${name}: ${reason} judged alone.`] : []),
  ];
  return {
    histories,
    isComplete: headers.length > 0 && headers.every(({ complete }) => complete === true) && !isCut,
    facts: Object.assign({}, ...headers.map(({ facts }) => facts)),
    elsewhere: listed.length - here.length + faults.length,
    notes,
  };
}

/** An exchange or restart of a file, before the whole file is known. */
interface Listed extends Pick<RawExchange, "at" | "durationMs" | "clockMs"> {
  readonly bytes: ValuePlace;
  readonly place: RecordedPlace;
  /** Undefined for a restart. */
  readonly url: string | undefined;
}

/** Base URLs below which requests of the contract succeeded, and those of other requests. */
type Bases = Readonly<Record<"served" | "requested", Set<string>>>;

/** Reads a file once, and lists its exchanges. Exchanges that cannot be read are faults. @throws {DataError} */
function survey(file: JsonFile, format: Format | undefined) {
  const listed: Listed[] = [];
  const headers: { readonly complete?: boolean; readonly facts?: object }[] = [];
  const faults: { readonly url: string | undefined; readonly message: string; readonly isText: boolean }[] =
    [];
  const bases: Bases = { served: new Set(), requested: new Set() };
  const evidence = new Evidence();
  let others = 0;
  const isOpen = file.scan((text, bytes) => {
    if (text.trim() === "") return;
    const value = parseJson(text);
    const isHeader = isObject(value) && "recording" in value;
    if (isHeader) headers.push(value);
    const number = listed.length + faults.length + 1;
    const isNumbered = file.form !== "lines" && file.form !== "objects";
    const place = { file: file.name, line: bytes.line, ...(isNumbered && { entry: number }) };
    const used = formatOf(value, file, format);
    try {
      const raw = isHeader ? undefined : readValue(value, used);
      if (raw === undefined) others += isHeader || isNumbered ? 0 : 1;
      if (raw === undefined) return;
      const { at, durationMs, clockMs, method } = raw;
      const url = method === undefined ? undefined : raw.url;
      listed.push({ bytes, place, at, durationMs, clockMs, url });
      const route = routeIn(raw);
      if (route !== undefined) bases[raw.status === 200 ? "served" : "requested"].add(route.base);
      evidence.add(raw, route?.operation ?? "other");
    } catch (fault) {
      if (typeof fault !== "string") throw fault;
      const url = isObject(value) ? readSlot(value, used, "url") : undefined;
      const message = `${placeText(place)}: ${fault}`;
      faults.push({ url: typeof url === "string" ? url : undefined, message, isText: value === undefined });
    }
  });
  // The writer of the last line was stopped.
  const isCut = isOpen && (file.form !== "lines" || faults.at(-1)?.isText === true);
  if (isCut && file.form === "lines") faults.pop();
  return { file, listed, headers, faults, bases, evidence, isCut, others };
}

function formatOf(value: unknown, { form }: JsonFile, given: Format | undefined): Format {
  if (form !== "har" && given !== undefined) return given;
  const isEntry = form === "har" || (isObject(value) && "startedDateTime" in value);
  return isEntry ? TABLES.formats.har : TABLES.formats.recording;
}

/** Reads a value of a file. Returns undefined for another line of a log, or another list of a HAR file. */
function readValue(value: unknown, format: Format): RawExchange | undefined {
  const hasRequest = (["method", "requestLine"] as const).some(
    (slot) => isObject(value) && readSlot(value, format, slot) !== undefined,
  );
  if (format !== TABLES.formats.recording && !hasRequest) return undefined;
  if (value === undefined) throw "the line is not JSON";
  if (!isObject(value)) throw `must be an object, got ${show(value)}`;
  return readExchange(value, format);
}

/** Returns a URL with its origin in lower case, without the default port of its scheme (RFC 3986, section 6.2). */
function normalUrl(url: string): string {
  return url.replace(/^https?:\/\/[^/]+/i, (origin) =>
    origin.toLowerCase().replace(/(?<=^http:.*):80$|(?<=^https:.*):443$/, ""),
  );
}

/** Returns the route of the contract that a URL ends with, and the base URL before it. */
function routeIn({ method = "", url }: RawExchange) {
  const [address = ""] = normalUrl(url).split("?", 1);
  const path = Object.values(ROUTES).find((route) => address.endsWith(route.path))?.path;
  if (path === undefined) return undefined;
  return { base: address.slice(0, -path.length), operation: operationOf({ method, path }) };
}

/** Returns the base URL of the service, if there is one. @throws {DataError} if there are several */
function onlyBase(file: string, { served, requested }: Bases): string | undefined {
  const bases = [...(served.size > 0 ? served : requested)];
  const start = bases.find((base) => bases.every((other) => other.startsWith(base)));
  if (bases.length < 2 || (served.size === 0 && start !== undefined)) return start;
  const names = bases.map((one) => one || "no base URL").join(" and ");
  throw new DataError(`${file}: has requests to ${names}; choose one with --base-url`);
}

/** Returns the path of a URL below a base URL, or undefined if the URL is not below it. */
function pathBelow(base: string | undefined, url: string): string | undefined {
  if (base === undefined) return undefined;
  if (url.startsWith(`${base}/`)) return url.slice(base.length);
  const folder = /^https?:\/\/[^/]*(.*)$/i.exec(base)?.[1];
  return folder !== undefined && url.startsWith(`${folder}/`) ? url.slice(folder.length) : undefined;
}

/** Reads an exchange as one with the service, or finds why it is not. */
function toExchange(raw: RawExchange, base: string | undefined, evidence: Evidence): RecordedExchange {
  const { method = "", bearer, key, authorization, body, status, responseBody } = raw;
  const path = pathBelow(base, normalUrl(raw.url)) ?? raw.url;
  const operation = operationOf({ method, path });
  const unknown = evidence.unknownParts(raw, operation);
  const known = <Value>(part: RequestPart, name: string, value: Value | undefined | null) =>
    value === undefined || value === null || unknown.has(part) ? {} : { [name]: value };
  const request: Request = {
    method,
    path,
    ...known("body", "body", body),
    ...known("bearer", "bearer", bearer),
    ...known("key", "idempotencyKey", key),
    ...known("bearer", "authorization", authorization),
  };
  const whole = { request, unknown };
  if (method === "OPTIONS") return { ...whole, kind: "preflight" };
  if (method === "HEAD") return { ...whole, kind: "head" };
  const isOfContract = operation !== "other" || (path.startsWith(PREFIX) && isExecutionRequest(request));
  const answer = parseJson(responseBody ?? "");
  const isError = isObject(answer) && ("code" in answer || "productionApproved" in answer);
  if (!isOfContract && (status === 200 || !isError)) return { ...whole, kind: "outside" };
  if (status === undefined) return { ...whole, kind: "lost" };
  const isBetween = status < 200 || (status >= 300 && status < 400) || TABLES.between.includes(status);
  if (isBetween && !(isObject(answer) && "code" in answer)) return { ...whole, kind: "gateway" };
  // A text that starts like JSON is cut.
  if (responseBody === undefined || (answer === undefined && /^\s*[{[]/.test(responseBody)))
    return { ...whole, kind: "lost" };
  if (answer === undefined || (status !== 200 && !isError)) return { ...whole, kind: "gateway" };
  if (isObject(answer) && isAnswerRedacted(answer, operation)) return { ...whole, kind: "lost" };
  return { ...whole, response: { status, body: responseBody } };
}

/** First part of the paths of the contract, such as `/v1/`. */
const PREFIX = /^\/[^/]+\//.exec(ROUTES.platform.path)?.[0] ?? "/";

/** Returns whether a tool has replaced a member of a response that the contract names. */
function isAnswerRedacted(answer: JsonObject, operation: Operation): boolean {
  return [...memberNamesOf(operation)].some((name) =>
    [answer[name]].flat().some((text) => typeof text === "string" && isRedacted(text, kindOf(name))),
  );
}

/** If more exchanges than this have one time, it is not their own time, but for example that of the export. */
const MIN_AT_ONCE = 3;
/** Smallest step back of a clock that cannot come from the order in which exchanges end, in ms. */
const JUMP_MS = MAX_DURATION_MS;
/** Number of steps back above which the lines of a file have no order. */
const MAX_JUMPS = 3;

/** Splits the items of a file where its clock jumps back. Sorts them if the file has another order. */
function splitAtJumps(items: readonly RecordedItem[]): readonly (readonly RecordedItem[])[] {
  const steps = items.slice(1).map(({ sentAt }, index) => sentAt - (items[index]?.sentAt ?? sentAt));
  const isReversed = steps.filter((ms) => ms < 0).length > steps.length / 2;
  const jumps = steps.flatMap((ms, index) => ((isReversed ? -ms : ms) < -JUMP_MS ? [index + 1] : []));
  if (jumps.length > MAX_JUMPS) return [items];
  return [0, ...jumps].map((start, index) => items.slice(start, jumps[index]));
}
