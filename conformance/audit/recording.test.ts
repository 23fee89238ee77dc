import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import * as reference from "../../reference/service.ts";
import { type Kind, readRecording } from "../recordings/recording.ts";
import { type Format, readFormat } from "../recordings/tables.ts";
import { audit } from "./audit.ts";
import { doubtOf } from "./format.ts";
import { conversation, type Line } from "./testing/recorder.ts";

const folder = mkdtempSync(join(tmpdir(), "recording-"));
after(() => rmSync(folder, { recursive: true }));

const LINES = conversation(reference);
const HEADER = { recording: 1, facts: reference.facts };
const BASE = "https://api.example";

function write(name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const jsonl = (lines: readonly object[]) => `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;

/** Returns a line of the recording format as an entry of a HAR log. */
function entryOf({ at, durationMs, request, response }: Line) {
  const { method, path, bearer, idempotencyKey, body } = request;
  const headers = [{ name: "Host", value: "api.example" }];
  if (bearer !== undefined) headers.push({ name: "authorization", value: `Bearer ${bearer}` });
  if (idempotencyKey !== undefined) headers.push({ name: "Idempotency-Key", value: idempotencyKey });
  if (body !== undefined) headers.push({ name: "Content-Type", value: "application/json" });
  return {
    startedDateTime: at,
    time: durationMs as unknown,
    request: {
      method,
      url: BASE + path,
      headers: headers as unknown,
      bodySize: String(body ?? "").length,
      ...(body !== undefined && { postData: { mimeType: "application/json", text: String(body) } as object }),
    },
    response: {
      status: response.status as unknown,
      content: { text: response.body, size: response.body.length } as object,
    },
  };
}
type Entry = ReturnType<typeof entryOf>;

const har = (entries: readonly object[]) =>
  JSON.stringify({ log: { version: "1.2", pages: [{ id: "page" }], entries } });
const ENTRIES = LINES.map(entryOf);
const ELSEWHERE = { request: { method: "GET", url: "https://cdn.example/x.js" }, response: null };

/** Changes the entries that have a request body. */
function withPost(
  change: (text: string) => { readonly bodySize?: number; readonly postData?: object | undefined },
): readonly object[] {
  return ENTRIES.map((entry) => {
    const text = (entry.request.postData as { text?: string } | undefined)?.text;
    return text === undefined ? entry : { ...entry, request: { ...entry.request, ...change(text) } };
  });
}

const withRequest = (change: (request: Line["request"]) => object) =>
  jsonl(LINES.map((line) => ({ ...line, request: change(line.request) })));
const withTimes = (change: (ms: number) => unknown) =>
  jsonl(LINES.map((line) => ({ ...line, at: change(Date.parse(line.at)) })));
const base64 = (text: string) => Buffer.from(text).toString("base64");
const builds = LINES.filter(({ request }) => request.path.endsWith("/build")).length;
const bearers = LINES.filter(({ request }) => request.bearer !== undefined).length;
const bodies = LINES.filter(({ request }) => request.body !== undefined).length;

type Headers = Readonly<Record<string, string>>;
const listsIn = (headers: Headers) =>
  Object.fromEntries(
    Object.entries({ Host: "api.example", ...headers }).map(([name, value]) => [name, [value]]),
  );
const lowerCase = (headers: Headers) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
const json = (text: string | undefined) => (text === undefined ? undefined : JSON.parse(text));

interface LoggedExchange {
  readonly endMs: number;
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly status: number;
  readonly answer: string;
}

/** Writes the conversation as the log of a server, after a line that is not an exchange. */
function logOf(toLine: (exchange: LoggedExchange) => object): string {
  const lines = LINES.map(({ at, durationMs, request, response }) => {
    const { method, path, bearer, idempotencyKey, body } = request;
    return toLine({
      endMs: Date.parse(at) + durationMs,
      durationMs,
      method,
      path,
      headers: {
        ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
        ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
      },
      body: body === undefined ? undefined : String(body),
      status: response.status,
      answer: response.body,
    });
  });
  return jsonl([{ level: 30, msg: "listening" }, ...lines]);
}

interface Expected {
  /** Format of the lines, or its name. */
  readonly map?: string | Format;
  /** Number of exchanges with unknown parts. */
  readonly partial?: number;
  readonly kinds?: Partial<Record<Kind, number>>;
  readonly note?: RegExp;
  /** Number of exchanges that are missing in the file. */
  readonly missing?: number;
}

/** Ways to write the same conversation, and what is different in the audit. */
const FORMS: Readonly<Record<string, readonly [string | Uint8Array, Expected?]>> = {
  lines: [jsonl(LINES)],
  "a list": [JSON.stringify(LINES)],
  "objects of several lines": [LINES.map((line) => JSON.stringify(line, null, 2)).join("\n")],
  "UTF-16": [Buffer.from(`\uFEFF${jsonl(LINES)}`, "utf16le")],
  "a byte order mark and CRLF": [`\uFEFF${jsonl(LINES).replaceAll("\n", "\r\n")}`],
  "a second header": [jsonl([...LINES.slice(0, 5), HEADER, ...LINES.slice(5)])],
  "a last line that is cut": [
    jsonl(LINES).slice(0, -20),
    { note: /ends in the middle of an exchange/, missing: 1 },
  ],
  HAR: [har(ENTRIES)],
  "HAR of several lines": [JSON.stringify(JSON.parse(har(ENTRIES)), null, 2)],
  "newest first": [har(ENTRIES.toReversed())],
  "no order": [
    jsonl(LINES.toSorted((one, other) => one.response.body.length - other.response.body.length)),
    { note: /the clock jumps/ },
  ],
  "bodies as JSON values": [
    jsonl(
      LINES.map((line) => ({
        ...line,
        response: { ...line.response, body: JSON.parse(line.response.body) },
      })),
    ),
  ],
  "additional members": [
    jsonl(LINES.map((line) => ({ ...line, traceId: "4bf92f35", request: { ...line.request, tls: {} } }))),
  ],
  "status as text": [
    har(
      ENTRIES.map((entry) => ({
        ...entry,
        response: { ...entry.response, status: `${entry.response.status} OK` },
      })),
    ),
  ],
  "duration as text": [har(ENTRIES.map((entry) => ({ ...entry, time: String(entry.time) })))],
  "durations of the phases only": [
    har(
      ENTRIES.map((entry) => ({ ...entry, time: null, timings: { send: 0, wait: 5, receive: 0, dns: -1 } })),
    ),
  ],
  "methods in lower case": [
    har(
      ENTRIES.map(({ request, ...entry }) => ({
        ...entry,
        request: { ...request, method: request.method.toLowerCase() },
      })),
    ),
  ],
  "the time of the export": [
    har(ENTRIES.map((entry) => ({ ...entry, startedDateTime: "2026-10-10T18:00:00.123Z" }))),
    { note: /all exchanges have the same time, so each is judged alone/ },
  ],
  "a list in a member, and durations in nanoseconds": [
    JSON.stringify({
      requests: LINES.map(({ durationMs, ...line }) => ({ ...line, elapsed: durationMs * 1_000_000 })),
      meta: { total: LINES.length },
    }),
    { map: { ...readFormat("recording"), title: "a journal", durationNs: ["elapsed"] } },
  ],
  "headers as a map": [har(ENTRIES.map((entry) => headersAs(entry, (pairs) => Object.fromEntries(pairs))))],
  "headers as a map of lists": [
    har(
      ENTRIES.map((entry) =>
        headersAs(entry, (pairs) => Object.fromEntries(pairs.map(([name, value]) => [name, [value]]))),
      ),
    ),
  ],
  "headers as pairs": [har(ENTRIES.map((entry) => headersAs(entry, (pairs) => pairs)))],
  "headers as lines": [
    har(
      ENTRIES.map((entry) => headersAs(entry, (pairs) => pairs.map((pair) => pair.join(": ")).join("\r\n"))),
    ),
  ],
  "responses in base64": [
    har(ENTRIES.map((entry) => contentAs(entry, (text) => ({ text: base64(text), encoding: "base64" })))),
  ],
  "compressed responses": [
    har(
      ENTRIES.map((entry) =>
        contentAs(entry, (text) => ({ text: gzipSync(text).toString("base64"), encoding: "base64" })),
      ),
    ),
    { kinds: { lost: ENTRIES.length } },
  ],
  "responses marked as base64": [
    har(ENTRIES.map((entry) => contentAs(entry, (text) => ({ text, encoding: "base64" })))),
  ],
  "requests in base64": [har(withPost((text) => ({ postData: { text: base64(text), encoding: "base64" } })))],
  "whole URLs": [withRequest((request) => ({ ...request, path: `${BASE}${request.path}` }))],
  "hosts in upper case, and a default port": [
    har(
      ENTRIES.map(({ request, ...entry }, index) => {
        const base = index % 2 === 0 ? `${BASE.toUpperCase()}:443` : BASE;
        return { ...entry, request: { ...request, url: request.url.replace(BASE, base) } };
      }),
    ),
  ],

  // Parts that were not recorded are unknown.
  "no request bodies": [har(withPost(() => ({ bodySize: -1, postData: undefined }))), { partial: bodies }],
  "empty request bodies": [har(withPost(() => ({ postData: { text: "" } }))), { partial: bodies }],
  "cut request bodies": [
    har(withPost((text) => ({ bodySize: text.length, postData: { text: text.slice(0, 50) } }))),
    { partial: bodies },
  ],
  "no request bodies in lines": [withRequest(({ body: _, ...request }) => request), { partial: bodies }],
  "request bodies as an empty object": [
    withRequest((request) => (request.body === undefined ? request : { ...request, body: {} })),
    { partial: bodies },
  ],
  "no headers": [har(ENTRIES.map((entry) => headersAs(entry, () => []))), { partial: builds + 1 }],
  "no Authorization headers": [
    har(
      ENTRIES.map((entry) => headersAs(entry, (pairs) => pairs.filter(([name]) => name !== "authorization"))),
    ),
    { partial: builds },
  ],
  "no response to one request": [
    jsonl(LINES.map((line, index) => (index === 3 ? { ...line, response: null } : line))),
    { kinds: { lost: 1 } },
  ],

  // Redacted values are unknown.
  ...Object.fromEntries(
    [
      "***",
      "[REDACTED]",
      "<redacted>",
      "[Filtered]",
      "xxxxxxxx",
      "",
      "B-tf…",
      "REDACTED (43 bytes)",
      "********OxOw",
    ].map((mark) => [
      `bearers as ${JSON.stringify(mark)}`,
      [
        withRequest((request) => (request.bearer === undefined ? request : { ...request, bearer: mark })),
        { partial: bearers },
      ],
    ]),
  ),
  "an Authorization header without a scheme": [
    har(
      ENTRIES.map((entry) =>
        headersAs(entry, (pairs) =>
          pairs.map(([name, value]) => [name, name === "authorization" ? "REDACTED" : value]),
        ),
      ),
    ),
    { partial: bearers },
  ],
  "bearers as digests": [
    withRequest((request) =>
      request.bearer === undefined
        ? request
        : { ...request, bearer: "5e884898da28047151d0e56f8dc6292773603d0d6aabbd" },
    ),
    { partial: bearers },
  ],
  "members that the tool added": [
    withRequest((request) => ({
      ...request,
      ...(request.body !== undefined && { body: { ...json(String(request.body)), action: "create" } }),
    })),
    { partial: bodies },
  ],
  "redacted keys": [
    withRequest((request) =>
      request.idempotencyKey === undefined ? request : { ...request, idempotencyKey: "[redacted]" },
    ),
    { partial: builds },
  ],
  "keys as a mark that no table lists": [
    withRequest((request) =>
      request.idempotencyKey === undefined ? request : { ...request, idempotencyKey: "(gone)" },
    ),
    { partial: builds },
  ],
  "redacted creators": [
    withRequest((request) => ({
      ...request,
      ...(request.body !== undefined && {
        body: String(request.body).replace(/"creator":"\w+"/, '"creator":"***"'),
      }),
    })),
    { partial: builds + 1 },
  ],
  "redacted proofs": [
    withRequest((request) => ({
      ...request,
      ...(request.body !== undefined && {
        body: String(request.body).replace(/("signatureBase64"):"[^"]+"/, '$1:"[Redacted]"'),
      }),
    })),
    { partial: 2 },
  ],
  "redacted bearers in responses": [
    jsonl(
      LINES.map((line) => ({
        ...line,
        response: {
          ...line.response,
          body: line.response.body.replace(/"bearer":"[^"]+"/, '"bearer":"[Redacted]"'),
        },
      })),
    ),
    { kinds: { lost: 1 } },
  ],

  // Exchanges without the service are not judged.
  preflights: [
    har(
      ENTRIES.flatMap((entry) => [
        {
          ...entry,
          request: { ...entry.request, method: "OPTIONS" },
          response: { status: 204, content: {} },
        },
        entry,
      ]),
    ),
    { kinds: { preflight: ENTRIES.length } },
  ],
  tunnels: [
    har([
      { ...(ENTRIES[0] as Entry), request: { method: "CONNECT", url: "api.example:443", headers: [] } },
      ...ENTRIES,
    ]),
    { kinds: { elsewhere: 1 } },
  ],
  "other addresses": [
    har([{ startedDateTime: "today", ...ELSEWHERE }, ...ENTRIES, { ...ENTRIES[0], ...ELSEWHERE }]),
    { kinds: { elsewhere: 2 } },
  ],
  "health checks and probes": [
    jsonl(
      LINES.flatMap((line, index) => [
        line,
        index % 2 === 0
          ? { ...line, request: { method: "GET", path: "/healthz" }, response: { status: 200, body: "ok" } }
          : {
              ...line,
              request: { method: "GET", path: "/api/v1/platform" },
              response: { status: 404, body: "{}" },
            },
      ]),
    ),
    { kinds: { outside: LINES.length } },
  ],
  "exchanges listed twice": [
    har(
      ENTRIES.flatMap((entry) => [
        entry,
        { ...entry, response: { ...entry.response, _fetchedViaServiceWorker: true } },
      ]),
    ),
    { kinds: { repeated: ENTRIES.length } },
  ],
  "exchanges listed twice, first with a redacted member of the tool or service": [
    har(
      ENTRIES.flatMap((entry) => [
        contentAs(entry, (text) => ({ text: text.replace("{", '{"user":"***",') })),
        contentAs(entry, (text) => ({ text: text.replace("{", '{"user":"alice",') })),
      ]),
    ),
    { kinds: { repeated: ENTRIES.length } },
  ],
  "exchanges listed twice, first without their responses": [
    har(ENTRIES.flatMap((entry) => [{ ...entry, response: { ...entry.response, content: {} } }, entry])),
    { kinds: { repeated: ENTRIES.length, lost: ENTRIES.length } },
  ],
  ...Object.fromEntries(
    (
      [
        [502, "<html>"],
        [413, "<html>"],
        [429, "Too many requests"],
        [429, '{"message":"Limit Exceeded"}'],
        [200, "<!doctype html>"],
        [302, ""],
        [304, ""],
      ] as const
    ).map(([status, body]) => [
      `a gateway that answers ${status} ${body}`,
      [
        jsonl(
          LINES.flatMap((line, index) =>
            index === 4 ? [{ ...line, response: { status, body } }, line] : [line],
          ),
        ),
        { kinds: { gateway: 1 } },
      ],
    ]),
  ),

  // Logs of servers, whose times are often those of the end.
  "a log of Caddy": [
    logOf(({ endMs, durationMs, method, path, headers, body, status, answer }) => ({
      level: "info",
      ts: endMs / 1000,
      logger: "http.log.access",
      msg: "handled request",
      request: { proto: "HTTP/2.0", method, host: "api.example", uri: path, headers: listsIn(headers) },
      request_body: body,
      response_body: answer,
      bytes_read: body?.length ?? 0,
      duration: durationMs / 1000,
      size: answer.length,
      status,
    })),
    { map: "caddy", note: /1 lines are not exchanges/ },
  ],
  "a log of pino": [
    logOf(({ endMs, durationMs, method, path, headers, body, status, answer }) => ({
      level: 30,
      time: endMs,
      pid: 1,
      req: {
        id: 1,
        method,
        url: path,
        headers: { host: "api.example", ...lowerCase(headers) },
        body: json(body),
      },
      res: { statusCode: status, headers: {}, body: json(answer) },
      responseTime: durationMs,
      msg: "request completed",
    })),
    // A parsed body does not show why the service refused it.
    { map: "pino", partial: 1, note: /1 lines are not exchanges/ },
  ],
  "a log of nginx": [
    logOf(({ endMs, durationMs, method, path, headers, body, status, answer }) => ({
      msec: (endMs / 1000).toFixed(3),
      request_time: (durationMs / 1000).toFixed(3),
      request: `${method} ${path} HTTP/1.1`,
      status: String(status),
      http_authorization: headers["Authorization"] ?? "",
      http_idempotency_key: headers["Idempotency-Key"] ?? "",
      request_body: body ?? "",
      content_length: String(body?.length ?? ""),
      response_body: answer,
    })),
    { map: "nginx", note: /1 lines are not exchanges/ },
  ],
  "a log of Envoy": [
    logOf(({ endMs, durationMs, method, path, headers, body, status, answer }) => ({
      start_time: new Date(endMs - durationMs).toISOString(),
      duration: durationMs,
      method,
      path,
      authority: "api.example",
      authorization: headers["Authorization"] ?? "-",
      idempotency_key: headers["Idempotency-Key"] ?? "-",
      request_body: body ?? null,
      bytes_received: body?.length ?? 0,
      response_code: status,
      response_body: answer,
    })),
    { map: "envoy", note: /1 lines are not exchanges/ },
  ],
  "a log of AWS API Gateway": [
    logOf(({ endMs, durationMs, method, path, headers, body, status, answer }) => ({
      requestId: "JKJaXmPLvHcESHA=",
      requestTime: "10/Oct/2026:12:00:00 +0000",
      requestTimeEpoch: String(endMs - durationMs),
      responseLatency: String(durationMs),
      httpMethod: method,
      path: `/prod${path}`,
      authorization: headers["Authorization"] ?? "-",
      idempotencyKey: headers["Idempotency-Key"] ?? "-",
      status: String(status),
      requestBody: body ?? "-",
      responseBody: answer,
    })),
    { map: "aws-api-gateway", note: /1 lines are not exchanges/ },
  ],
  "a log of Cloudflare": [
    logOf(({ endMs, durationMs, method, path, headers, body, status, answer }) => ({
      ClientRequestMethod: method,
      ClientRequestHost: "api.example",
      ClientRequestURI: path,
      EdgeStartTimestamp: (endMs - durationMs) * 1_000_000,
      EdgeEndTimestamp: endMs * 1_000_000,
      EdgeResponseStatus: status,
      RequestHeaders: { host: "api.example", ...lowerCase(headers) },
      RequestBody: body,
      ResponseBody: answer,
    })),
    { map: "cloudflare", note: /1 lines are not exchanges/ },
  ],

  // Times.
  ...Object.fromEntries(
    Object.entries({
      seconds: (ms: number) => ms / 1000,
      "seconds as text": (ms: number) => String(ms / 1000),
      "whole seconds": (ms: number) => Math.floor(ms / 1000),
      milliseconds: (ms: number) => ms,
      microseconds: (ms: number) => ms * 1000,
      nanoseconds: (ms: number) => ms * 1_000_000,
      "an offset without a colon": (ms: number) => new Date(ms).toISOString().replace("Z", "+0000"),
      "another zone": (ms: number) => new Date(ms - 5.5 * 3_600_000).toISOString().replace("Z", "-05:30"),
      "a space and a comma": (ms: number) => new Date(ms).toISOString().replace("T", " ").replace(".", ","),
      "Common Log Format": (ms: number) => `[10/Oct/2026:${new Date(ms).toISOString().slice(11, 19)} +0000]`,
      "a log with fractions": (ms: number) => `10/Oct/2026:${new Date(ms).toISOString().slice(11, 23)} GMT`,
      slashes: (ms: number) => new Date(ms).toISOString().replaceAll("-", "/"),
      "a named zone": (ms: number) => `${new Date(ms).toISOString()}[Etc/UTC]`,
    }).map(([name, change]) => [`times in ${name}`, [withTimes(change)]]),
  ),
  "times without a zone": [
    withTimes((ms) => new Date(ms).toISOString().slice(0, -1)),
    { note: /have no zone, and are read as UTC/ },
  ],
  "a leap second": [
    jsonl(LINES.map((line, index) => (index === 3 ? { ...line, at: "2026-10-10T12:00:60Z" } : line))),
    { note: /the clock jumps/ },
  ],
  "a clock that jumps back": [
    withTimes((ms) => (ms > Date.UTC(2026, 9, 10, 12, 1) ? ms - 7_200_000 : ms)),
    { note: /the clock jumps/ },
  ],
};

function headersAs(entry: Entry, change: (pairs: readonly (readonly [string, string])[]) => unknown): object {
  const pairs = (entry.request.headers as readonly { name: string; value: string }[]).map(
    ({ name, value }) => [name, value] as const,
  );
  return { ...entry, request: { ...entry.request, headers: change(pairs) } };
}

function contentAs(entry: Entry, change: (text: string) => object): object {
  const { text } = entry.response.content as { text: string };
  return { ...entry, response: { ...entry.response, content: change(text) } };
}

for (const [name, [content, { map, partial = 0, kinds = {}, note, missing = 0 } = {}]] of Object.entries(
  FORMS,
))
  test(`a legal conversation has no findings, written with ${name}`, () => {
    const format = typeof map === "string" ? readFormat(map) : map;
    const recording = readRecording([write("traffic", content)], { format });
    const result = audit({ ...recording, facts: HEADER.facts });
    assert.deepEqual(
      result.findings.map(({ rules, difference }) => ({ rules, difference })),
      [],
    );
    assert.deepEqual(Object.fromEntries(result.kinds), kinds);
    assert.deepEqual(
      [result.partial, result.whole + (kinds.lost ?? 0)],
      [partial, LINES.length - partial - missing],
    );
    assert.match(recording.notes.join("\n"), note ?? /^$/);
  });

/** Recordings, and why they show nothing about the service. */
const UNDECIDED: Readonly<Record<string, readonly [string, RegExp]>> = {
  "only unknown credentials": [withRequest(({ bearer: _, idempotencyKey: __, ...request }) => request), /^$/],
  "paths of another service": [
    withRequest(() => ({ method: "GET", path: "/" })),
    /^no exchange has a path of the contract/,
  ],
  "no responses": [jsonl(LINES.map((line) => ({ ...line, response: null }))), /^17 of 17 exchanges/],
  "no request bodies": [withRequest(({ body: _, ...request }) => request), /^16 of 17 exchanges/],
};

for (const [name, [content, doubt]] of Object.entries(UNDECIDED))
  test(`a recording with ${name} is ${doubt.test("") ? "decided" : "undecided"}`, () => {
    const recording = readRecording([write("traffic", content)]);
    assert.match(doubtOf(audit(recording)) ?? "", doubt);
  });

test("a violation holds, whichever parts of other requests are unknown", () => {
  const twoHours = 2 * 3_600_000;
  const late = [...LINES.slice(0, 4), ...LINES.slice(6, 8)].map((line, index) => {
    const { idempotencyKey: _, body, ...request } = line.request;
    const at = new Date(Date.parse(line.at) + (index >= 4 ? twoHours : 0)).toISOString();
    return index < 4 ? line : { ...line, at, request: { ...request, idempotencyKey: "***", body } };
  });
  const { findings } = audit(readRecording([write("late", jsonl(late))]));
  assert.deepEqual(
    findings.map(({ rules }) => rules[0]),
    ["SESSION-7", "SESSION-7"].slice(0, findings.length),
  );
  assert.ok(findings.length > 0);
});

/** Each row: the text of a file, and the error about it. */
const FAULTY: readonly (readonly [string, RegExp])[] = [
  ["", /^\S+: has no exchanges$/],
  ['{"at"\n', /^\S+:1: the line is not JSON$/],
  [
    '\n{"at":"yesterday","request":{"method":"GET","path":"/"}}',
    /^\S+:2: the time "yesterday" has an unknown form; write it like 2026-/,
  ],
  ['{"request":{"method":"GET","path":"/"}}', /^\S+:1: has no "at"; add it, or name the member with --map$/],
  [
    '{"at":1791633600,"request":{"path":"/"},"response":null}',
    /^\S+:1: has no "request.method"; add it, or name/,
  ],
  [
    '{"at":1791633600,"request":{"method":"GET","path":"/"},"response":{"status":"OK"}}',
    /^\S+:1: response.status must be an integer, got "OK"$/,
  ],
  ['{"log":{}}', /^\S+: has no exchanges$/],
  ...["2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-10-10T25:00:00Z", 1e308, 12].map(
    (at) =>
      [
        `\n${JSON.stringify({ ...LINES[0], at })}`,
        /^\S+:2: the time \S+ does not exist; give [\w ,]+$/,
      ] as const,
  ),
  [
    jsonl([LINES[0] as Line, { ...LINES[1], at: "2026-10-10T12:00:01" }]),
    /^\S+:2: the time has no zone, but other times of the file have one; add it$/,
  ],
  [
    withRequest((request) => request) +
      withRequest((request) => ({ ...request, path: `${BASE}${request.path}` })),
    /has requests to no base URL and https:\/\/api.example; choose one with --base-url$/,
  ],
];

for (const [content, message] of FAULTY)
  test(`a faulty recording: ${message.source}`, () => {
    assert.throws(() => readRecording([write("faulty", content)]), { name: "DataError", message });
  });
