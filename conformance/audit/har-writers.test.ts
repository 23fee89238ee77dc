import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { brotliCompressSync, deflateRawSync, gzipSync } from "node:zlib";
import type { RecordedExchange } from "../engine/audit/recorded.ts";
import { temporaryFile } from "../testing/temporary-file.ts";
import { openRecording } from "./recordings.ts";

type Context = Parameters<typeof temporaryFile>[0];
type Headers = Readonly<Record<string, string>>;

/** An entry as some program writes it; the rest is a POST of `{"a":"é"}` that is answered `{}`. */
interface Written {
  readonly entry?: object;
  readonly headers?: Headers;
  readonly request?: object;
  readonly answerHeaders?: Headers;
  readonly response?: object;
  readonly content?: object;
}

const BODY = '{"a":"é"}';
const SENT: Headers = { "Content-Type": "application/json", "Content-Length": "10" };
const listed = (headers: Headers) => Object.entries(headers).map(([name, value]) => ({ name, value }));
const base64 = (bytes: Uint8Array) => ({ text: Buffer.from(bytes).toString("base64"), encoding: "base64" });

function entryOf({ entry, headers = SENT, request, answerHeaders = {}, response, content }: Written): object {
  return {
    startedDateTime: "2026-10-10T12:00:00.123Z",
    time: 5,
    timings: { send: 0, wait: 5, receive: 0 },
    request: {
      method: "POST",
      url: "https://api.example/v1/thing",
      headers: listed(headers),
      postData: { mimeType: "application/json", text: BODY },
      bodySize: 10,
      ...request,
    },
    response: {
      status: 200,
      headers: listed(answerHeaders),
      content: { size: 2, text: "{}", ...content },
      ...response,
    },
    ...entry,
  };
}

function read(context: Context, written: Written, beside: Readonly<Record<string, string>> = {}) {
  const log = { version: "1.2", creator: { name: "some program" }, entries: [entryOf(written)] };
  const file = temporaryFile(context, "a.har", `\uFEFF${JSON.stringify({ log }, null, 2)}`);
  for (const [name, text] of Object.entries(beside)) writeFileSync(join(dirname(file), name), text);
  const operationIn = (_method: string, path: string) => path.indexOf("/v1/thing");
  const [item] = openRecording(file, { operationIn, prefix: "/v1/" }).items;
  return item as RecordedExchange;
}

describe("the body of a request is", () => {
  const body = (context: Context, written: Written, beside = {}) => {
    const { request, requestLost } = read(context, written, beside);
    return requestLost ? "lost" : request.body;
  };

  test("what was sent, where the lengths agree", (context) => {
    assert.equal(body(context, {}), BODY);
    assert.equal(body(context, { headers: { "content-length": "10", ":method": "POST" } }), BODY);
    // Browsers count characters.
    assert.equal(body(context, { headers: { "x-a": "1" }, request: { bodySize: 9 } }), BODY);
    assert.equal(body(context, { request: { bodySize: -1 } }), BODY);
    assert.equal(
      body(context, { request: { postData: { ...base64(Buffer.from(BODY)), encoding: "Base64" } } }),
      BODY,
    );
  });

  test("put together again where it was taken for a form (chrome-har), if nothing of it was lost", (context) => {
    const params = [{ name: "a", value: "é" }];
    const written = { request: { postData: { mimeType: "application/json", params } } };
    assert.equal(body(context, written), BODY);
    assert.equal(body(context, { ...written, headers: { "content-length": "11" } }), "lost");
  });

  test("in a file beside the HAR (Playwright), and in no other folder", (context) => {
    const request = { postData: { mimeType: "application/json", text: "", _file: "../x/b1.json" } };
    assert.equal(body(context, { request }, { "b1.json": BODY }), BODY);
    assert.equal(body(context, { request: { postData: { _file: "/etc/hostname" } } }), "lost");
  });

  test("lost where it was left out, cut, coded, or decoded as something else", (context) => {
    for (const postData of [undefined, { text: "" }, { text: '{"a":"' }, { text: '{"a":"Ã©"}' }])
      assert.equal(body(context, { request: { postData, bodySize: 0 } }), "lost", JSON.stringify(postData));
    assert.equal(body(context, { headers: {}, request: { postData: undefined, bodySize: 0 } }), "lost");
    assert.equal(body(context, { headers: {}, request: { bodySize: 11 } }), "lost");
    assert.equal(body(context, { headers: { "content-encoding": "gzip" } }), "lost");
    assert.equal(
      body(context, { headers: {}, request: { postData: { text: '{"a":"\uFFFD"}' }, bodySize: 10 } }),
      "lost",
    );
  });

  test("none where headers say so", (context) => {
    const none = { postData: { mimeType: "", text: "" }, bodySize: 0 };
    assert.equal(body(context, { headers: { "content-length": "0" }, request: none }), undefined);
    assert.equal(body(context, { headers: { accept: "*/*" }, request: none }), undefined);
  });
});

describe("the body of an answer is", () => {
  const body = (context: Context, written: Written, beside = {}) =>
    read(context, written, beside).response?.body;

  test("without the coding in which it came", (context) => {
    const text = '{"é":1}';
    for (const [coding, bytes] of [
      ["gzip", gzipSync(text)],
      ["deflate", deflateRawSync(text)],
      ["identity, br", brotliCompressSync(text)],
      ["gzip", Buffer.from(text)],
    ] as const)
      assert.equal(
        body(context, { answerHeaders: { "Content-Encoding": coding }, content: base64(bytes) }),
        text,
      );
    const unread = { answerHeaders: { "content-encoding": "zstd" }, content: base64(Buffer.from([40, 181])) };
    assert.equal(body(context, unread), undefined);
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    assert.equal(
      body(context, { answerHeaders: { "content-encoding": "gzip" }, content: base64(bomb) }),
      undefined,
    );
  });

  test("in a file beside the HAR", (context) => {
    const content = { text: undefined, _file: "c.json" };
    assert.equal(body(context, { content }, { "c.json": '{"x":1}' }), '{"x":1}');
  });

  test("not known where it was left out or cut", (context) => {
    assert.equal(body(context, { content: { size: 0, text: undefined } }), undefined);
    assert.equal(body(context, { content: { size: 0, text: "" } }), undefined);
    assert.equal(body(context, { content: { size: 40, text: '{"a":' } }), undefined);
    assert.equal(
      body(context, { answerHeaders: { "content-length": "40" }, content: { size: -1, text: "{" } }),
      undefined,
    );
    assert.equal(body(context, { content: { size: 1, text: "{" } }), "{");
    assert.equal(body(context, { answerHeaders: { "Content-Length": "0" }, content: { text: "" } }), "");
  });
});

test("what no service answered is no answer: a cache, a script of the page, an abort, a way to another server", (context) => {
  const answers = (written: Written) => read(context, written).response?.status;
  assert.equal(answers({ entry: { _fromCache: "disk" } }), undefined);
  assert.equal(answers({ entry: { _fetchedViaServiceWorker: true } }), undefined);
  assert.equal(answers({ entry: { _fetchType: "Memory Cache" } }), undefined);
  assert.equal(answers({ entry: { _fetchType: "Network Load" } }), 200);
  assert.equal(answers({ response: { status: 0, _error: "net::ERR_ABORTED" } }), undefined);
  const to = (location: string) =>
    answers({ response: { status: 308 }, answerHeaders: { Location: location } });
  assert.deepEqual([to("https://other.example/v1/thing"), to("/v1/thing/")], [undefined, 308]);
  assert.equal(answers({ response: { status: 301, redirectURL: "http://api.example/v1/thing" } }), undefined);
  assert.equal(answers({ entry: { _fromCache: null, _fetchedViaServiceWorker: false } }), 200);
});

test("headers are read in any letters, and two lines of one are not a plain one", (context) => {
  const keys = listed({ "IDEMPOTENCY-KEY": "some-key-1" });
  const caller = listed({ Authorization: "Bearer b" });
  const { request, credentials } = read(context, { request: { headers: [...caller, ...keys] } });
  assert.deepEqual([credentials, request.bearer, request.idempotencyKey], ["bearer", "b", "some-key-1"]);
  const two = [...keys, ...listed({ "idempotency-key": "some-key-2" })];
  assert.equal(read(context, { request: { headers: two } }).credentials, "odd");
});

describe("an entry ended", () => {
  const span = (context: Context, entry: object) => {
    const { startedMs, endedMs } = read(context, { entry });
    const toMicros = (ms: number) => Math.round(ms * 1000) / 1000;
    return [startedMs - Date.parse("2026-10-10T12:00:00.000Z"), endedMs - startedMs].map(toMicros);
  };

  test("after its time, which writers round", (context) => {
    assert.deepEqual(span(context, {}), [123, 9]);
    assert.deepEqual(span(context, { time: 5.5 }), [123, 6.5]);
    const timings = { send: 1, wait: 20, receive: 2, ssl: -1 };
    assert.deepEqual(span(context, { time: -1, timings }), [123, 26]);
    assert.deepEqual(span(context, { timings: undefined }), [123, 6]);
    assert.deepEqual(span(context, { time: 0, timings: { send: 0, wait: 0, receive: 0 } }), [123, 4]);
  });

  test("within half a minute, where that is not told", (context) => {
    for (const entry of [
      { time: -1, timings: undefined },
      { time: 1.7, timings: { send: -1, wait: -1, receive: 1.7 } },
      { time: 0, timings: {} },
    ])
      assert.deepEqual(span(context, entry), [123, 30_000]);
  });

  test("later by what its start may be later", (context) => {
    assert.deepEqual(span(context, { startedDateTime: "2026-10-10T14:00:01+02:00" }), [1000, 1008]);
    assert.deepEqual(span(context, { startedDateTime: "2026-10-10T12:00:00.5Z" }), [500, 108]);
    assert.deepEqual(span(context, { startedDateTime: "2026-10-10T12:00:00,123456+00:00" }), [123.456, 9]);
  });
});
