import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { getManyValues, isMany, none } from "stream-chain/core";
import Assembler from "stream-json/core/assembler.js";
import { jsonParser, type Token } from "stream-json/core/parser.js";
import {
  type Fields,
  type Recorded,
  type RecordedResponse,
  type RecordingHeader,
  recordedExchange,
} from "../engine/audit/recorded.ts";
import { DataError } from "../engine/data/data-error.ts";
import { isObject } from "../engine/play/exchange.ts";
import type { SourcePlace } from "../engine/vectors/vector.ts";
import {
  BODILESS,
  codingsIn,
  contentOf,
  isBrokenOff,
  isJson,
  lengthIn,
  pathIn,
  textWherePossible,
  UNREAD_BYTES,
} from "./http-message.ts";
import { endOf, LONGEST_MS, momentOf, type WrittenMoment } from "./moments.ts";
import { type AddressedItem, type ServiceAddress, ServiceEntries } from "./service-entries.ts";

/** Where `log.entries` and `log._launchDraft` stand: the depth of their names, and of a log's name. */
const LOG_DEPTH = 1;
const MEMBER_DEPTH = 2;

/** Members of an entry by which browsers say that no server was asked, or that a script asked it in an entry of its own. */
const FROM_ELSEWHERE = [
  "_fromCache",
  "_fromDiskCache",
  "_fromPrefetchCache",
  "_fetchedViaServiceWorker",
  "fromCache",
];

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a recording in HAR 1.2, entry by entry: of one service, whose address is given or seen from what it is asked.
 * @throws {DataError} with the file and the number of the entry, where it is not what it must be
 */
export function* readHar(
  file: string,
  pieces: Iterable<string>,
  address: ServiceAddress,
): Generator<RecordingHeader | Recorded, void, undefined> {
  const entries = new ServiceEntries(file, address);
  let headed = false;
  let number = 0;
  for (const { name, value } of partsOf(file, pieces)) {
    if (name === "_launchDraft") {
      if (headed) throw new DataError(file, "log._launchDraft must stand before log.entries");
      headed = true;
      const { baseUrl, ...header } = headerOf(file, value);
      entries.own(baseUrl);
      yield header;
      continue;
    }
    if (!headed) yield { complete: false, facts: {} };
    headed = true;
    number += 1;
    const origin = { file, isOwn: entries.isOwn };
    for (const item of itemsOf(value, number, origin)) yield* entries.take(item);
  }
  if (!headed) throw new DataError(file, "has no log.entries: it is no HAR");
  entries.end();
}

function headerOf(file: string, value: unknown): RecordingHeader & { readonly baseUrl: string | undefined } {
  const { complete = false, facts = {}, baseUrl } = isObject(value) ? value : {};
  const isAddress = baseUrl === undefined || typeof baseUrl === "string";
  if (typeof complete === "boolean" && isObject(facts) && isAddress) return { complete, facts, baseUrl };
  throw new DataError(file, "log._launchDraft is not {complete: true or false, facts: {…}, baseUrl: URL}");
}

/** The entries of a HAR and what the kit writes beside them, each whole, in the order of the file. */
function* partsOf(
  file: string,
  pieces: Iterable<string>,
): Generator<{ readonly name: string; readonly value: unknown }, void, undefined> {
  let reading = "at its beginning";
  let entries = 0;
  const found: { name: string; value: unknown }[] = [];
  const parts = new Parts((name, value) => {
    found.push({ name, value });
    if (name === "entries") entries += 1;
    reading = `after entry ${entries}`;
  });
  const parse = jsonParser({ packValues: true, streamValues: false }) as (
    text: string | typeof none,
  ) => unknown;
  const take = (text: string | typeof none) => {
    try {
      const tokens = parse(text);
      if (isMany(tokens)) for (const token of getManyValues(tokens)) parts.take(token as Token);
    } catch {
      throw new DataError(file, `is no JSON, or ends too soon, ${reading}`);
    }
  };
  let first = true;
  for (const piece of pieces) {
    take(first ? piece.replace(/^\uFEFF/, "") : piece);
    first = false;
    yield* found.splice(0);
  }
  take(none);
  yield* found.splice(0);
}

/** Follows the tokens of a HAR, and puts together only what is wanted of it. */
class Parts {
  readonly #found: (name: string, value: unknown) => void;
  #depth = 0;
  /** The member of the outermost object, and that of the log, in which the tokens are. */
  readonly #names: [string, string] = ["", ""];
  #assembler: Assembler | undefined;

  constructor(found: (name: string, value: unknown) => void) {
    this.#found = found;
  }

  take(token: Token): void {
    const assembler = this.#assembler;
    if (assembler !== undefined) {
      assembler.consume(token);
      if (assembler.done) {
        this.#assembler = undefined;
        this.#found(this.#names[1], assembler.current);
      }
      return;
    }
    const [outer, inner] = this.#names;
    if (token.name === "keyValue" && this.#depth === LOG_DEPTH) this.#names[0] = token.value;
    else if (token.name === "keyValue" && this.#depth === MEMBER_DEPTH) this.#names[1] = token.value;
    else if (outer === "log" && this.#begins(token, inner)) {
      this.#assembler = new Assembler();
      this.#assembler.consume(token);
    } else if (token.name.startsWith("start")) this.#depth += 1;
    else if (token.name === "endObject" || token.name === "endArray") this.#depth -= 1;
  }

  #begins({ name }: Token, inner: string): boolean {
    if (name !== "startObject") return false;
    const depth = inner === "entries" ? MEMBER_DEPTH + 1 : MEMBER_DEPTH;
    return (inner === "entries" || inner === "_launchDraft") && this.#depth === depth;
  }
}

/** What an entry tells of: an exchange, a restart, or one after the other. */
function* itemsOf(
  value: unknown,
  number: number,
  origin: HarOrigin,
): Generator<AddressedItem, void, undefined> {
  const source = { file: origin.file, line: number };
  const entry = members(value);
  const times = timesOf(entry, source, origin.isOwn);
  const { clockMs, restart } = members(entry["_launchDraft"]);
  if (restart === true) yield restartOf(source, momentOf(entry["startedDateTime"], source), clockMs);
  if (isObject(restart)) yield restartOf(source, momentOf(restart["at"], source), restart["clockMs"]);
  if (entry["request"] !== undefined || restart === undefined)
    yield exchangeOf(entry, source, { times, origin });
}

function restartOf(source: SourcePlace, { ms, blurMs }: WrittenMoment, clockMs: unknown): AddressedItem {
  const clock = typeof clockMs === "number" ? { clockMs } : {};
  const item = { kind: "restart" as const, source, startedMs: ms, ...endOf(ms, blurMs), ...clock };
  return { url: undefined, item };
}

function exchangeOf(
  entry: Members,
  source: SourcePlace,
  { times, origin }: { readonly times: HarTimes; readonly origin: HarOrigin },
): AddressedItem {
  const { clockMs, proof, request: handed } = members(entry["_launchDraft"]);
  const request = members(entry["request"]);
  const { method, url } = request;
  if (typeof method !== "string" || typeof url !== "string" || !URL.canParse(url))
    throw new DataError(`${source.file}: entry ${source.line}`, "request has no method, or no whole URL");
  const whole = new URL(url);
  const { bearer, idempotencyKey, path } = members(handed);
  const fields = fieldsOf(request["headers"]);
  const asked = requestBody(request, fields, origin);
  const response = responseOf(entry, whole, origin);
  const item = recordedExchange({
    source,
    ...times,
    ...(typeof clockMs === "number" ? { clockMs } : {}),
    method,
    path: pathIn(url),
    fields,
    ...(typeof bearer === "string" ? { bearer } : {}),
    ...(typeof idempotencyKey === "string" ? { idempotencyKey } : {}),
    ...(asked === "lost" || asked.body === undefined ? {} : { body: asked.body }),
    isBodyLost: asked === "lost",
    ...(response === undefined ? {} : { response }),
    ...(proof === "holds" || proof === "fails" || proof === "unread" ? { proof } : {}),
  });
  return { url: whole, item, ...(typeof path === "string" ? { path } : {}) };
}

/** What the service answered; undefined where it did not, but a browser's memory, a script in it, or a way to elsewhere. */
function responseOf(entry: Members, asked: URL, origin: HarOrigin): RecordedResponse | undefined {
  const response = members(entry["response"]);
  const { status } = response;
  if (typeof status !== "number" || status <= 0) return undefined;
  if (FROM_ELSEWHERE.some((name) => Boolean(entry[name]))) return undefined;
  // Safari says of each where it came from.
  if (/cache|worker|override/i.test(String(entry["_fetchType"]))) return undefined;
  const headers = fieldsOf(response["headers"]);
  if (leadsElsewhere(status, response["redirectURL"], headers, asked)) return undefined;
  const answer = answerBody(response, headers, origin);
  return answer === "lost" ? { status } : { status, body: answer.body ?? "" };
}

/** Whether an answer sends on to another server, as what stands before a service does, such as from http to https. */
function leadsElsewhere(status: number, redirectUrl: unknown, headers: Fields, asked: URL): boolean {
  if (status < 300 || status > 399) return false;
  const [, location = redirectUrl] = headers.find(([name]) => name.toLowerCase() === "location") ?? [];
  const to = String(location ?? "");
  return URL.canParse(to, asked.href) && new URL(to, asked).origin !== asked.origin;
}

function fieldsOf(headers: unknown): Fields {
  if (!Array.isArray(headers)) return [];
  return headers.map(members).map(({ name, value }) => [String(name), String(value)]);
}

function members(value: unknown): Members {
  return isObject(value) ? value : {};
}

const PARTS = ["blocked", "dns", "connect", "send", "wait", "receive"] as const;

/** When an exchange began and ended, in ms since the Unix epoch. */
interface HarTimes {
  readonly startedMs: number;
  readonly endedMs: number;
}

/**
 * When an entry of a HAR began, and when its answer had ended at the latest.
 * @param isOwn whether the kit wrote it, whose times are exact
 * @throws {DataError} where `startedDateTime` is no moment
 */
function timesOf(entry: Readonly<Record<string, unknown>>, source: SourcePlace, isOwn: boolean): HarTimes {
  const { startedDateTime, time, timings } = entry;
  const { ms: startedMs, blurMs } = momentOf(startedDateTime, source);
  if (isOwn) return { startedMs, endedMs: startedMs + Math.max(0, Number(time) || 0) };
  return { startedMs, endedMs: startedMs + blurMs + durationOf(time, isObject(timings) ? timings : {}) };
}

/** How long an entry took at most; half a minute where it is not told, or the wait for the answer is not in it. */
function durationOf(time: unknown, timings: Readonly<Record<string, unknown>>): number {
  const { wait } = timings;
  if (wait !== undefined && !isDuration(wait)) return LONGEST_MS;
  const told = [time, ...PARTS.map((part) => timings[part])].filter(isDuration);
  const [whole = 0] = isDuration(time) ? [time] : [];
  const sum = PARTS.map((part) => timings[part])
    .filter(isDuration)
    .reduce((all, part) => all + part, 0);
  const longest = Math.max(whole, sum);
  if (longest === 0 && wait === undefined) return LONGEST_MS;
  // Some writers cut each part to whole milliseconds before they add them up; and the start is cut, too.
  const isCut = told.every(Number.isInteger);
  return longest + (isCut ? told.length : 1);
}

function isDuration(value: unknown): value is number {
  return typeof value === "number" && value >= 0;
}

/** A body as a HAR has it: what there was, where it is sure that this is all of it. */
type HarBody = { readonly body: string | Uint8Array | undefined } | "lost";

/** What must be known of a HAR to tell what its bodies were. */
interface HarOrigin {
  readonly file: string;
  /** Whether the kit wrote it: then what is not there was not. */
  readonly isOwn: boolean;
}

const NOTHING: HarBody = { body: undefined };

/**
 * The body of a request. Writers leave bodies out, cut them, spell them as parameters or decode them wrongly, and seldom say
 * so; what was sent is known where the lengths agree.
 */
function requestBody(request: Members, headers: Fields, origin: HarOrigin): HarBody {
  const { method, bodySize } = request;
  const content = heldIn(request["postData"], origin);
  if (origin.isOwn)
    return codingsIn(headers).length > 0 || isBrokenOff(headers, content) ? "lost" : { body: content };
  if (BODILESS.has(method)) return NOTHING;
  // What a service makes of a coding is not in the contract.
  if (codingsIn(headers).length > 0) return "lost";
  const length = lengthIn(headers);
  const held = content === undefined || content.length === 0 ? fromParameters(request["postData"]) : content;
  if (held === undefined) {
    const saysNone = length === 0 || (length === undefined && bodySize === 0 && saysNoBody(headers));
    return saysNone ? NOTHING : "lost";
  }
  if (typeof held === "string" && UNREAD_BYTES.test(held)) return "lost";
  const bytes = Buffer.byteLength(held);
  if (length !== undefined) return bytes === length ? { body: held } : "lost";
  const isCut = typeof bodySize === "number" && bytes < bodySize;
  return isCut || held !== content ? "lost" : { body: held };
}

/** The body of an answer, without the coding in which it came. */
function answerBody(response: Members, headers: Fields, origin: HarOrigin): HarBody {
  const { content } = response;
  const held = heldIn(content, origin);
  const { size } = members(content);
  if (held === undefined || held.length === 0) {
    const isKnown = origin.isOwn ? held !== undefined || size === 0 : lengthIn(headers) === 0;
    return isKnown ? { body: "" } : "lost";
  }
  const codings = codingsIn(headers);
  const body = typeof held === "string" ? held : contentOf(held, codings);
  if (body === undefined) return "lost";
  const length = Math.max(
    typeof size === "number" ? size : 0,
    codings.length === 0 ? (lengthIn(headers) ?? 0) : 0,
  );
  const isCut = !origin.isOwn && Buffer.byteLength(body) < length && !isJson(body);
  return isCut ? "lost" : { body };
}

/** What `postData` or `content` holds, in whichever of the ways that are in use. */
function heldIn(holder: unknown, { file }: HarOrigin): string | Uint8Array | undefined {
  const { text, encoding, _encoding, _file } = members(holder);
  if (typeof _file === "string") return attached(file, _file);
  if (typeof text !== "string") return undefined;
  const isBase64 = [encoding, _encoding].some((one) => /^base64$/i.test(String(one)));
  return isBase64 ? textWherePossible(Buffer.from(text, "base64")) : text;
}

/** A body in a file beside the HAR (Playwright's `attach`). */
function attached(file: string, name: string): string | Uint8Array | undefined {
  try {
    return textWherePossible(readFileSync(join(dirname(file), basename(name))));
  } catch {
    return undefined;
  }
}

/** A JSON object that was taken for a form: its members, put together again as programs write them. */
function fromParameters(postData: unknown): string | undefined {
  const { params, mimeType } = members(postData);
  if (!Array.isArray(params) || params.length === 0 || !/json/i.test(String(mimeType))) return undefined;
  return JSON.stringify(Object.fromEntries(params.map(members).map(({ name, value }) => [name, value])));
}

/** Whether headers are there, and none of them speaks of a body. */
function saysNoBody(headers: Fields): boolean {
  const ofBodies = new Set(["content-type", "transfer-encoding"]);
  return headers.length > 0 && !headers.some(([name]) => ofBodies.has(name.toLowerCase()));
}
