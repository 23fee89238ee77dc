/** Writes recorded exchanges as tools do: some parts are missing or replaced, and others are added. */
import type { Request } from "../conformance/adapters/adapter.ts";

/** An exchange with a service. Times are in ms since the Unix epoch. */
export interface RecordedLine {
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly request: Request;
  readonly response: { readonly status: number; readonly body: string };
}

/** Parts of a line as tools write it. */
interface Written {
  readonly at: number;
  readonly durationMs: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if it was not recorded. */
  readonly body: string | null | undefined;
  readonly size: number;
  readonly status: number;
  readonly answer: string | null;
}

/** Returns a random integer from 0 to `count - 1`. */
export type Random = (count: number) => number;

const MARKS = ["***", "[REDACTED]", "<redacted>", "[Filtered]", "xxxxxxxx", "abc…", "eyJhbGci..."];
const PAGES: readonly (readonly [number, string])[] = [
  [502, "<html>"],
  [413, "<html>"],
  [429, "Too many requests"],
  [429, '{"message":"Limit Exceeded"}'],
  [503, ""],
  [302, ""],
  [0, ""],
];

/** A change of one line, or of the lines that replace it. */
type Change = (line: Written, random: Random) => Written | readonly Written[];

const redact = (line: Written, name: string, value: string): Written => ({
  ...line,
  headers: { ...line.headers, ...(line.headers[name] !== undefined && { [name]: value }) },
});
const redactMember = (text: string | null | undefined, random: Random) =>
  text?.replace(/"(creator|mint|signatureBase64|id|bearer|message|termsHash)":"[^"]+"/g, (whole, name) =>
    random(2) === 0 ? `"${name}":"${MARKS[random(5)]}"` : whole,
  );

const CHANGES: Readonly<Record<string, Change>> = {
  "no body": (line) => ({ ...line, body: line.body === undefined ? undefined : null }),
  "cut body": (line) => ({ ...line, body: line.body?.slice(0, 40) }),
  "redacted bearer": (line, random) =>
    redact(line, "Authorization", ["Bearer ", ""][random(2)] + (MARKS[random(MARKS.length)] ?? "")),
  "redacted key": (line, random) => redact(line, "Idempotency-Key", MARKS[random(MARKS.length)] ?? ""),
  "no headers": (line) => ({ ...line, headers: {} }),
  "redacted body": (line, random) => ({ ...line, body: redactMember(line.body, random) }),
  "redacted answer": (line, random) => ({ ...line, answer: redactMember(line.answer, random) ?? null }),
  "no answer": (line) => ({ ...line, answer: null }),
  "cut answer": (line) => ({ ...line, answer: line.answer?.slice(0, 30) ?? null }),
  page: (line, random) => {
    const [status, answer] = PAGES[random(PAGES.length)] ?? [502, ""];
    return { ...line, status, answer };
  },
  preflight: (line) => [
    { ...line, method: "OPTIONS", body: undefined, size: 0, status: 204, answer: "" },
    line,
  ],
  "health check": (line) => [
    line,
    {
      ...line,
      method: "GET",
      url: `${line.url.replace(/\/v1\/.*/, "")}/health`,
      body: undefined,
      size: 0,
      status: 200,
      answer: "ok",
    },
  ],
  twice: (line) => [line, { ...line, at: line.at + 1 }],
};

/** Changes of all lines. */
const ORDERS: Readonly<Record<string, (lines: readonly Written[], random: Random) => readonly Written[]>> = {
  shuffled: (lines, random) =>
    lines
      .map((line) => ({ line, key: random(1000) }))
      .sort((one, other) => one.key - other.key)
      .map(({ line }) => line),
  reversed: (lines) => lines.toReversed(),
  "clock jumps": (lines, random) => {
    const start = random(lines.length);
    return lines.map((line, index) => (index < start ? line : { ...line, at: line.at - 20 * 3_600_000 }));
  },
};

const iso = (ms: number) => new Date(ms).toISOString();
const TIMES: Readonly<Record<string, (ms: number) => unknown>> = {
  iso,
  seconds: (ms) => ms / 1000,
  "seconds as text": (ms) => (ms / 1000).toFixed(3),
  milliseconds: (ms) => ms,
  microseconds: (ms) => ms * 1000,
  nanoseconds: (ms) => ms * 1_000_000,
  "no zone": (ms) => iso(ms).slice(0, -1),
  "short zone": (ms) => iso(ms + 3_600_000).replace("Z", "+0100"),
};

const BASE = "https://api.example";
const withHost = (headers: Written["headers"]) =>
  Object.keys(headers).length === 0 ? {} : { Host: "api.example", ...headers };
const jsonl = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join("\n");

/** Returns the text of a file, by the format: a name that `--map` accepts, or none. */
const FORMATS: Readonly<
  Record<string, (lines: readonly Written[], time: (ms: number) => unknown) => string>
> = {
  har: (lines, time) =>
    JSON.stringify({
      log: {
        entries: lines.map(({ at, durationMs, method, url, headers, body, size, status, answer }) => ({
          startedDateTime: time(at),
          time: durationMs,
          request: {
            method,
            url: BASE + url,
            headers: Object.entries({
              ...withHost(headers),
              ...(body && { "Content-Type": "application/json" }),
            }).map(([name, value]) => ({ name, value })),
            bodySize: size,
            ...(body !== undefined && body !== null && { postData: { text: body } }),
          },
          response: { status, content: answer === null ? {} : { text: answer } },
        })),
      },
    }),
  caddy: (lines, time) =>
    jsonl(
      lines.map(({ at, durationMs, method, url, headers, body, size, status, answer }) => ({
        ts: time(at + durationMs),
        duration: durationMs / 1000,
        request: { method, uri: url, headers: withHost(headers) },
        request_body: body,
        bytes_read: size,
        status,
        response_body: answer,
      })),
    ),
  nginx: (lines, time) =>
    jsonl(
      lines.map(({ at, durationMs, method, url, headers, body, size, status, answer }) => ({
        msec: time(at + durationMs),
        request_time: String(durationMs / 1000),
        request: `${method} ${url} HTTP/1.1`,
        http_authorization: headers["Authorization"],
        http_idempotency_key: headers["Idempotency-Key"],
        request_body: body ?? "-",
        content_length: String(size),
        status: String(status),
        response_body: answer ?? "",
      })),
    ),
};

/** Writes lines in a random format, with random changes. */
export function writeRecording(lines: readonly RecordedLine[], random: Random) {
  const pick = <Value>(values: Readonly<Record<string, Value>>): readonly [string, Value] =>
    Object.entries(values)[random(Object.keys(values).length)] as [string, Value];
  const [format, write] = pick(FORMATS);
  const [timeName, time] = pick(TIMES);
  const changes = [pick(CHANGES), pick(CHANGES), pick(CHANGES)].slice(random(4));
  const share = [10, 50, 100][random(3)] ?? 100;
  let written: readonly Written[] = lines.map(({ sentAt, receivedAt, request, response }) => {
    const { method, path, bearer, authorization, idempotencyKey, body } = request;
    const text = body === undefined ? undefined : Buffer.from(body).toString();
    return {
      ...{ at: sentAt, durationMs: receivedAt - sentAt, method, url: path },
      headers: {
        ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
        ...(authorization !== undefined && { Authorization: authorization }),
        ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
      },
      ...{ body: text, size: Buffer.byteLength(text ?? "") },
      ...{ status: response.status, answer: response.body },
    };
  });
  for (const [, change] of changes)
    written = written.flatMap((line) => (random(100) < share ? change(line, random) : line));
  const order = random(3) === 0 ? pick(ORDERS) : undefined;
  const text = write(order?.[1](written, random) ?? written, time);
  const name = [format, timeName, order?.[0], `${share} %`, ...changes.map(([one]) => one)]
    .filter(Boolean)
    .join(", ");
  return { name, text, format: format === "har" ? undefined : format };
}
