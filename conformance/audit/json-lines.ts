import {
  type Fields,
  type Recorded,
  type RecordedResponse,
  type RecordingHeader,
  recordedExchange,
} from "../engine/audit/recorded.ts";
import { DataError } from "../engine/data/data-error.ts";
import { schemaFault } from "../engine/data/schema.ts";
import type { SourcePlace } from "../engine/vectors/vector.ts";
import { PATHS } from "../paths.ts";
import {
  BODILESS,
  codingsIn,
  contentOf,
  isBrokenOff,
  lengthIn,
  textWherePossible,
  UNREAD_BYTES,
} from "./http-message.ts";
import { endOf, LONGEST_MS, momentOf } from "./moments.ts";

/** Longer than the longest answer that the kit takes, and short enough to be held. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** What a log has in seconds or in microseconds would be before, or after, in milliseconds. */
const EARLIEST_MS = Date.UTC(2000, 0);
const LATEST_MS = Date.UTC(3000, 0);

/** A line as recording.schema.json has it. */
interface Line {
  readonly recording?: 1;
  readonly complete?: boolean;
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly restart?: true;
  readonly at: string | number;
  readonly durationMs?: number;
  readonly clockMs?: number;
  readonly proof?: "holds" | "fails" | "unread";
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Headers;
    readonly bearer?: string;
    readonly idempotencyKey?: string;
    readonly body?: string;
    readonly bodyBase64?: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers?: Headers;
    readonly body?: string;
    readonly bodyBase64?: string;
  } | null;
}

type Headers = Readonly<Record<string, string | readonly string[]>>;

/**
 * Reads a recording in JSON lines: its header, if it has one, comes first.
 * @throws {DataError} with file and line, where a line is not what it must be
 */
export function* readJsonLines(
  file: string,
  pieces: Iterable<string>,
): Generator<RecordingHeader | Recorded, void, undefined> {
  let number = 0;
  let headed = false;
  for (const text of linesOf(file, pieces)) {
    number += 1;
    if (text.trim() === "") continue;
    const value = parsed(text, `${file}:${number}`);
    if (value.recording !== undefined) {
      if (number > 1) throw new DataError(`${file}:${number}`, "a header stands in the first line alone");
      headed = true;
      yield { complete: value.complete ?? false, facts: value.facts ?? {} };
    } else yield itemOf(value, { file, line: number }, headed);
  }
}

function* linesOf(file: string, pieces: Iterable<string>): Generator<string, void, undefined> {
  let rest = "";
  for (const piece of pieces) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MOST_CHARACTERS) throw new DataError(file, "has a line of more than 64 MiB");
    yield* lines;
  }
  yield rest;
}

function parsed(text: string, where: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DataError(where, "is no JSON; a recording has one exchange in each line");
  }
  const fault = schemaFault(value, PATHS.recordingSchema);
  if (fault === undefined) return value as Line;
  throw new DataError(where, fault.message.replace(/^the file\b/, "the line"));
}

/** @param headed whether it is of a recording that says what it is: others are made of logs, which may lack bodies */
function itemOf(line: Line, source: SourcePlace, headed: boolean): Recorded {
  const { restart, at, clockMs, proof, request, response } = line;
  const { ms: startedMs, blurMs } = momentOf(at, source);
  if (!headed && (startedMs < EARLIEST_MS || startedMs > LATEST_MS))
    throw new DataError(
      `${source.file}:${source.line}`,
      `"at" is ${at}, which in milliseconds since the Unix epoch is ${yearOf(startedMs)}`,
    );
  const clock = clockMs === undefined ? {} : { clockMs };
  if (restart) return { kind: "restart", source, startedMs, ...endOf(startedMs, blurMs), ...clock };
  const { headers = {}, body: text, bodyBase64, ...asked } = request;
  // Where the service's own clock is known it does not matter when the answer came.
  const { durationMs = clockMs === undefined ? LONGEST_MS : 0 } = line;
  const fields = fieldsOf(headers);
  const body = bodyBase64 === undefined ? text : textWherePossible(Buffer.from(bodyBase64, "base64"));
  const isLost = headed ? isBrokenOff(fields, body) : mayLackBody(asked.method, body, fields);
  return recordedExchange({
    source,
    startedMs,
    endedMs: startedMs + blurMs + durationMs,
    ...clock,
    ...asked,
    fields,
    ...(body === undefined ? {} : { body }),
    // What a service makes of a coding is not in the contract.
    isBodyLost: isLost || codingsIn(fields).length > 0,
    ...(response === null ? {} : { response: responseOf(response) }),
    ...(proof === undefined ? {} : { proof }),
  });
}

function yearOf(ms: number): string {
  const year = new Date(ms).getUTCFullYear();
  return Number.isNaN(year) ? "beyond all calendars" : `in the year ${year}`;
}

/** Whether a log may have left out the body of a request, or written it otherwise than it was. */
function mayLackBody(method: string, content: string | Uint8Array | undefined, fields: Fields): boolean {
  if (BODILESS.has(method)) return false;
  if (content !== undefined) return typeof content === "string" && UNREAD_BYTES.test(content);
  return lengthIn(fields) !== 0;
}

function responseOf({
  status,
  headers = {},
  body,
  bodyBase64,
}: NonNullable<Line["response"]>): RecordedResponse {
  const content =
    bodyBase64 === undefined
      ? body
      : contentOf(Buffer.from(bodyBase64, "base64"), codingsIn(fieldsOf(headers)));
  return { status, ...(content === undefined ? {} : { body: content }) };
}

function fieldsOf(headers: Headers): Fields {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): readonly [string, string] => [name, one]),
  );
}
