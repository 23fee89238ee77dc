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
import { callerIn, type Fields } from "./http-fields.ts";
import { bytesOf, momentOf } from "./json-lines.ts";
import { pathIn } from "./path-in.ts";
import { type AddressedItem, type ServiceAddress, ServiceEntries } from "./service-entries.ts";

/** Where `log.entries` and `log._launchDraft` stand: the depth of their names, and of a log's name. */
const LOG_DEPTH = 1;
const MEMBER_DEPTH = 2;

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
    for (const item of itemsOf(value, { file, line: number })) yield* entries.take(item);
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
function* itemsOf(value: unknown, source: SourcePlace): Generator<AddressedItem, void, undefined> {
  const { startedDateTime, request, _launchDraft } = members(value);
  const startedMs = momentOf(typeof startedDateTime === "string" ? startedDateTime : Number.NaN, source);
  const { clockMs, restart } = members(_launchDraft);
  if (restart === true) yield restartOf({ source, startedMs, clockMs });
  if (isObject(restart)) {
    const { at } = restart;
    const atMs = momentOf(typeof at === "string" || typeof at === "number" ? at : Number.NaN, source);
    yield restartOf({ source, startedMs: atMs, clockMs: restart["clockMs"] });
  }
  if (request !== undefined || restart === undefined) yield exchangeOf(members(value), source, startedMs);
}

function restartOf({
  source,
  startedMs,
  clockMs,
}: {
  readonly source: SourcePlace;
  readonly startedMs: number;
  readonly clockMs: unknown;
}): AddressedItem {
  const clock = typeof clockMs === "number" ? { clockMs } : {};
  return { url: undefined, item: { kind: "restart", source, startedMs, ...clock } };
}

function exchangeOf(
  { time, request, response, _launchDraft }: Members,
  source: SourcePlace,
  startedMs: number,
): AddressedItem {
  const where = `${source.file}: entry ${source.line}`;
  const { clockMs, proof, request: handed } = members(_launchDraft);
  const clock = typeof clockMs === "number" ? { clockMs } : {};
  const { method, url, headers, postData, bodySize } = members(request);
  if (typeof method !== "string" || typeof url !== "string" || !URL.canParse(url))
    throw new DataError(where, "request has no method, or no whole URL");
  const whole = new URL(url);
  const { bearer, idempotencyKey, path } = members(handed);
  const { credentials, authorization, ...told } = callerIn(fieldsOf(headers));
  const odd = authorization === undefined || typeof bearer === "string" ? {} : { authorization };
  const body = contentOf(postData);
  const lost = body === undefined && typeof bodySize === "number" && bodySize > 0;
  const answer = responseOf(response);
  const item: RecordedExchange = {
    kind: "exchange",
    source,
    startedMs,
    endedMs: startedMs + (typeof time === "number" && time > 0 ? time : 0),
    ...clock,
    request: {
      method,
      path: pathIn(url),
      ...told,
      ...odd,
      ...(typeof bearer === "string" ? { bearer } : {}),
      ...(typeof idempotencyKey === "string" ? { idempotencyKey } : {}),
      ...(body === undefined ? {} : { body }),
    },
    ...(lost ? { requestLost: true } : {}),
    credentials: typeof bearer === "string" ? "bearer" : credentials,
    ...(answer === undefined ? {} : { response: answer }),
    ...(proof === "holds" || proof === "fails" || proof === "unread" ? { proof } : {}),
  };
  return { url: whole, item, ...(typeof path === "string" ? { path } : {}) };
}

function responseOf(value: unknown): RecordedResponse | undefined {
  const { status, content } = members(value);
  if (typeof status !== "number" || status <= 0) return undefined;
  const body = contentOf(content);
  if (body !== undefined) return { status, body };
  return members(content)["size"] === 0 ? { status, body: "" } : { status };
}

function contentOf(value: unknown): string | Uint8Array | undefined {
  const { text, encoding, _encoding } = members(value);
  if (typeof text !== "string") return undefined;
  return encoding === "base64" || _encoding === "base64" ? bytesOf(text) : text;
}

function fieldsOf(headers: unknown): Fields {
  if (!Array.isArray(headers)) return [];
  return headers.map((header): readonly [string, string] => {
    const { name, value } = members(header);
    return [String(name), String(value)];
  });
}

function members(value: unknown): Members {
  return isObject(value) ? value : {};
}
