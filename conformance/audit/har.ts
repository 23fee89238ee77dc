import { getManyValues, isMany, none } from "stream-chain/core";
import Assembler from "stream-json/core/assembler.js";
import { jsonParser, type Token } from "stream-json/core/parser.js";
import type {
  Recorded,
  RecordedExchange,
  RecordedResponse,
  RecordingHeader,
} from "../engine/audit/recorded.ts";
import { DataError } from "../engine/data/data-error.ts";
import { isObject } from "../engine/play/exchange.ts";
import type { SourcePlace } from "../engine/vectors/vector.ts";
import { answerBody, type HarOrigin, requestBody } from "./har-bodies.ts";
import { type HarTimes, timesOf } from "./har-times.ts";
import { callerIn, type Fields } from "./http-fields.ts";
import { endOf, momentOf, type WrittenMoment } from "./moments.ts";
import { pathIn } from "./path-in.ts";
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
  if (restart === true) yield restartOf({ source, at: momentOf(entry["startedDateTime"], source), clockMs });
  if (isObject(restart))
    yield restartOf({ source, at: momentOf(restart["at"], source), clockMs: restart["clockMs"] });
  if (entry["request"] !== undefined || restart === undefined)
    yield exchangeOf(entry, source, { times, origin });
}

function restartOf({
  source,
  at: { ms: startedMs, blurMs },
  clockMs,
}: {
  readonly source: SourcePlace;
  readonly at: WrittenMoment;
  readonly clockMs: unknown;
}): AddressedItem {
  const clock = typeof clockMs === "number" ? { clockMs } : {};
  const item = { kind: "restart" as const, source, startedMs, ...endOf(startedMs, blurMs), ...clock };
  return { url: undefined, item };
}

function exchangeOf(
  entry: Members,
  source: SourcePlace,
  { times, origin }: { readonly times: HarTimes; readonly origin: HarOrigin },
): AddressedItem {
  const { clockMs, proof, request: handed } = members(entry["_launchDraft"]);
  const clock = typeof clockMs === "number" ? { clockMs } : {};
  const request = members(entry["request"]);
  const { method, url } = request;
  if (typeof method !== "string" || typeof url !== "string" || !URL.canParse(url))
    throw new DataError(`${source.file}: entry ${source.line}`, "request has no method, or no whole URL");
  const whole = new URL(url);
  const { bearer, idempotencyKey, path } = members(handed);
  const fields = fieldsOf(request["headers"]);
  const { credentials, authorization, ...told } = callerIn(fields);
  const odd = authorization === undefined || typeof bearer === "string" ? {} : { authorization };
  const asked = requestBody(request, fields, origin);
  const response = responseOf(entry, whole, origin);
  const item: RecordedExchange = {
    kind: "exchange",
    source,
    ...times,
    ...clock,
    request: {
      method,
      path: pathIn(url),
      ...told,
      ...odd,
      ...(typeof bearer === "string" ? { bearer } : {}),
      ...(typeof idempotencyKey === "string" ? { idempotencyKey } : {}),
      ...(asked === "lost" || asked.body === undefined ? {} : { body: asked.body }),
    },
    ...(asked === "lost" ? { requestLost: true } : {}),
    credentials: typeof bearer === "string" ? "bearer" : credentials,
    ...(response === undefined ? {} : { response }),
    ...(proof === "holds" || proof === "fails" || proof === "unread" ? { proof } : {}),
  };
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

/** Names and values; a line that stands twice is one that the writer heard of twice. */
function fieldsOf(headers: unknown): Fields {
  if (!Array.isArray(headers)) return [];
  const lines = headers.map(members).map(({ name, value }) => [String(name), String(value)] as const);
  return lines.filter(
    ([name, value], index) =>
      lines.findIndex(([one, same]) => one.toLowerCase() === name.toLowerCase() && same === value) === index,
  );
}

function members(value: unknown): Members {
  return isObject(value) ? value : {};
}
