import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Recorded, RecordedExchange } from "../engine/audit/recorded.ts";
import { recordedLines } from "../testing/recordings/lines.ts";
import { temporaryFile } from "../testing/temporary-file.ts";
import { endOfRecording, RunRecording } from "./recording-file.ts";
import { Doubles, inOrder, openRecording } from "./recordings.ts";
import type { ServiceAddress } from "./service-entries.ts";

const ADDRESS: ServiceAddress = {
  operationIn: (_method, path) => path.indexOf("/v1/thing"),
  prefix: "/v1/",
};
const AT = Date.parse("2026-10-10T12:00:00.123Z");
const EXCHANGE: RecordedExchange = {
  kind: "exchange",
  source: { file: "", line: 2 },
  startedMs: AT,
  endedMs: AT + 12.5,
  clockMs: AT + 3,
  request: { method: "POST", path: "/v1/thing?x=1", bearer: "b", idempotencyKey: "k", body: '{"é":1}' },
  credentials: "bearer",
  response: { status: 200, body: "{}" },
  proof: "holds",
};

type Context = Parameters<typeof temporaryFile>[0];

function read(context: Context, name: string, text: string, address = ADDRESS) {
  const file = temporaryFile(context, name, text);
  const { header, items } = openRecording(file, address);
  return { header, items: [...items].map((item) => ({ ...item, source: { ...item.source, file: "" } })) };
}

function refused(context: Context, name: string, text: string, address = ADDRESS): string {
  const file = temporaryFile(context, name, text);
  let said = "";
  assert.throws(
    () => [...openRecording(file, address).items],
    (error: Error) => {
      said = error.message.replace(file, name);
      return error.name === "DataError";
    },
  );
  return said;
}

function harEntry(url: string, more: object = {}, request: object = {}): object {
  return {
    startedDateTime: "2026-10-10T12:00:00.123Z",
    time: 5,
    request: { method: "GET", url, headers: [], bodySize: 0, ...request },
    response: { status: 200, content: { size: 2, text: "{}" } },
    ...more,
  };
}

function har(entries: readonly object[], more: object = {}): string {
  return JSON.stringify({ log: { version: "1.2", ...more, entries } }, null, 1);
}

describe("JSON lines", () => {
  test("are read as they were written, the header first", (context) => {
    const header = { complete: true, facts: { signedBytes: "utf8" } };
    const bytes = new Uint8Array([0xff, 0x00]);
    const items: Recorded[] = [
      EXCHANGE,
      { kind: "restart", source: { file: "", line: 3 }, startedMs: AT + 20, clockMs: 5 },
      {
        ...EXCHANGE,
        source: { file: "", line: 4 },
        request: { method: "POST", path: "/x", authorization: "Basic abc", body: bytes },
        credentials: "odd",
      },
    ];
    assert.deepEqual(read(context, "a.jsonl", recordedLines(header, items)), { header, items });
  });

  test("tell of a restart by when it was", (context) => {
    const line = (at: unknown) => JSON.stringify({ restart: true, at });
    const given = [AT, "2026-10-10T12:00:00.000Z", "2026-10-10T12:00:00Z"].map(line);
    const { items } = read(context, "a.jsonl", given.join("\n"));
    const spans = items.map(
      (item) => item.kind === "restart" && (item.endedMs ?? item.startedMs) - item.startedMs,
    );
    assert.deepEqual(spans, [0, 0, 999]);
  });

  test("say of an Authorization header who asks", (context) => {
    const line = (headers: object) =>
      JSON.stringify({ at: AT, request: { method: "GET", path: "/", headers }, response: null });
    const given = [{ Authorization: "Bearer abc" }, { authorization: "bearer abc" }, {}].map(line);
    const { items } = read(context, "a.jsonl", given.join("\n"));
    const said = items.map((item) => item.kind === "exchange" && [item.credentials, item.request.bearer]);
    assert.deepEqual(said, [
      ["bearer", "abc"],
      ["odd", undefined],
      ["none", undefined],
    ]);
  });

  test("of a log may lack bodies, which are unknown then, as are times", (context) => {
    const line = (request: object, more: object = {}) =>
      JSON.stringify({
        at: AT,
        durationMs: 5,
        request: { method: "POST", path: "/", ...request },
        response: null,
        ...more,
      });
    const log = [
      line({}),
      line({ headers: { "content-length": "0" } }),
      line({ body: '{"a":"\uFFFD"}' }),
      line({ body: "{}", headers: { "content-encoding": "gzip" } }),
      line({ method: "GET" }, { durationMs: undefined }),
      line({ body: "{}" }, { at: "2026-10-10T12:00:00Z" }),
    ];
    const told = (text: string) =>
      read(context, "a.jsonl", text).items.map(
        (item) => item.kind === "exchange" && [item.requestLost === true, item.endedMs - item.startedMs],
      );
    const lost = [true, false, true, true, false, false];
    const spans = [5, 5, 5, 5, 30_000, 1_004];
    assert.deepEqual(
      told(log.join("\n")),
      lost.map((is, index) => [is, spans[index]]),
    );
    const whole = recordedLines({ complete: false, facts: {} }, []) + log.join("\n");
    assert.deepEqual(
      told(whole).map((one) => one === false || one[0]),
      [false, false, false, true, false, false],
    );
  });

  test("of a log whose times are not in milliseconds are refused", (context) => {
    const line = (at: number) =>
      JSON.stringify({ at, request: { method: "GET", path: "/" }, response: null });
    for (const [at, year] of [
      [AT / 1000, "in the year 1970"],
      [AT * 1000, "in the year 58744"],
      [AT * 1e6, "beyond all calendars"],
    ] as const)
      assert.equal(
        refused(context, "a.jsonl", line(at)),
        `a.jsonl:1: "at" is ${at}, which in milliseconds since the Unix epoch is ${year}`,
      );
  });

  test("that are broken are told with file and line", (context) => {
    const good = recordedLines({ complete: false, facts: {} }, [EXCHANGE]).split("\n")[1] ?? "";
    assert.equal(
      refused(context, "a.jsonl", `${good}\n{"at": 1,`),
      "a.jsonl:2: is no JSON; a recording has one exchange in each line",
    );
    assert.match(refused(context, "b.jsonl", `${good}\n{"at":1}\n`), /^b\.jsonl:2: the line lacks "re/);
    const odd = good.replace('"path"', '"paht"');
    assert.match(
      refused(context, "c.jsonl", odd),
      /^c\.jsonl:1: unknown key "paht" \(did you mean "path"\?\)/,
    );
  });
});

describe("HAR", () => {
  test("is read entry by entry, and only what went to the service", (context) => {
    const text = har([
      harEntry("https://cdn.example/logo.png"),
      harEntry("https://app.example/api/v1/other?q"),
      harEntry("https://app.example/page.html"),
      harEntry(
        "https://app.example/api/v1/thing",
        {},
        { headers: [{ name: "AUTHORIZATION", value: "Bearer x" }] },
      ),
    ]);
    const { header, items } = read(context, "a.har", text);
    const asked = items.map((item) => item.kind === "exchange" && [item.request.path, item.credentials]);
    assert.deepEqual(asked, [
      ["/v1/other?q", "none"],
      ["/v1/thing", "bearer"],
    ]);
    assert.deepEqual(header, { complete: false, facts: {} });
  });

  test("has the kit's own fields", (context) => {
    const entries = [
      { startedDateTime: "2026-10-10T12:00:00Z", time: 0, _launchDraft: { restart: true, clockMs: 7 } },
      harEntry("http://a/v1/thing", { _launchDraft: { clockMs: 8, proof: "fails" } }),
      harEntry("http://a/elsewhere", { response: { status: 0 } }),
    ];
    const { header, items } = read(context, "a.har", har(entries, { _launchDraft: { complete: true } }));
    assert.deepEqual(header, { complete: true, facts: {} });
    const told = items.map(({ kind, clockMs }) => [kind, clockMs]);
    assert.deepEqual(told, [
      ["restart", 7],
      ["exchange", 8],
      ["exchange", undefined],
    ]);
    assert.equal(items[2]?.kind === "exchange" && items[2].response, undefined);
  });

  test("may lack bodies, which are unknown then", (context) => {
    const entry = harEntry(
      "http://a/v1/thing",
      { response: { status: 200, content: { size: 9 } } },
      { method: "POST", bodySize: 4 },
    );
    const [item] = read(context, "a.har", har([entry])).items;
    assert.ok(item?.kind === "exchange");
    assert.deepEqual([item.requestLost, item.response], [true, { status: 200 }]);
  });

  test("that is broken, or of two services, is told with its place", (context) => {
    const one = har([harEntry("http://a/v1/thing"), harEntry("http://a/v1/thing")]);
    assert.equal(
      refused(context, "a.har", one.slice(0, -4)),
      "a.har: is no JSON, or ends too soon, after entry 2",
    );
    assert.match(
      refused(context, "b.har", one.replace("[]", "[}")),
      /^b\.har: is no JSON, or ends too soon, at its beginning/,
    );
    assert.equal(refused(context, "c.har", '{"log": {}}'), "c.har: has no log.entries: it is no HAR");
    assert.match(refused(context, "d.har", har([harEntry("http://a/x")])), /no request of this contract/);
    const two = har([harEntry("http://a/v1/thing"), harEntry("http://b/v1/thing")]);
    assert.match(refused(context, "e.har", two), /two services, http:\/\/a and http:\/\/b; --base-url/);
    const { items } = read(context, "f.har", two, { ...ADDRESS, baseUrl: "http://b" });
    assert.equal(items.length, 1);
    assert.equal(
      refused(context, "h.har", two, { ...ADDRESS, baseUrl: "http://a/api" }),
      "h.har: has no request to http://a/api; those of this contract went to http://a",
    );
    const socket = har([harEntry("ws://a/v1/thing"), harEntry("http://a/v1/thing")]);
    assert.equal(read(context, "i.har", socket).items.length, 1);
    assert.equal(refused(context, "g.har", har([{ time: 1 }])), "g.har:1: null is no moment");
  });
});

test("files are put together in the order of time, and what a file has in another order is brought into it", () => {
  const recording = (file: string, times: readonly number[]) => ({
    file,
    header: { complete: false, facts: {} },
    items: times.map((startedMs): Recorded => ({ kind: "restart", source: { file, line: 1 }, startedMs })),
  });
  const merged = inOrder([recording("late", [5, 9, 7]), recording("early", [1, 6, 2])]);
  assert.deepEqual(
    [...merged].map(({ startedMs }) => startedMs),
    [1, 2, 5, 6, 7, 9],
  );
});

describe("what the kit writes as HAR is read as it was", () => {
  const RESTART: Recorded = {
    kind: "restart",
    source: { file: "", line: 1 },
    startedMs: AT - 0.25,
    clockMs: 5,
  };
  const NO_BODY: RecordedExchange = {
    ...EXCHANGE,
    source: { file: "", line: 1 },
    startedMs: AT + 0.004,
    endedMs: AT + 0.011,
  };

  function throughHar(context: Context, items: readonly Recorded[]): readonly Recorded[] {
    const pieces: string[] = [];
    const sink = { canGoOn: true, add: (text: string) => pieces.push(text), close: () => {} };
    const creator = { name: "kit", version: "1" };
    const facts = { contract: "c", creator, baseUrl: "http://a.example/base" };
    const text = new RunRecording("own.har", facts, sink);
    text.connected({
      implementation: { name: "", version: "" },
      capabilities: { clock: "virtual", restart: true, rawBody: true, concurrency: true },
      facts: { metadataHosts: ["a.example", "b.example"], signedBytes: "utf8", capacity: {} },
    });
    for (const item of items) text.passed(item);
    const { header, items: told } = read(context, "own.har", pieces.join("") + endOfRecording("own.har"));
    assert.equal(header.complete, true);
    return told;
  }

  const request = (more: Partial<RecordedExchange["request"]>) => ({ ...NO_BODY.request, ...more });

  for (const [what, asked] of [
    ["a path with dots", request({ path: "/v1/./thing/%2e%2e" })],
    ["a path without a slash", request({ path: "v1/thing" })],
    ["a path with a fragment", request({ path: "/v1/thing#x" })],
    ["a bearer that no header carries", request({ bearer: " two words " })],
    ["a key with white space around it", request({ idempotencyKey: " key " })],
    ["bytes", request({ body: new Uint8Array([0xff, 0x00]) })],
  ] as const)
    test(what, (context) => {
      const item = { ...NO_BODY, request: asked };
      assert.deepEqual(
        throughHar(context, [RESTART, item]).map(withoutRounding),
        [RESTART, item].map(withoutRounding),
      );
    });

  test("a restart stands with what came after it, not with what ended after it", (context) => {
    const late = { ...NO_BODY, startedMs: AT - 9, endedMs: AT + 2 };
    const after = { ...NO_BODY, source: { file: "", line: 2 } };
    const restart = { ...RESTART, source: { file: "", line: 2 } };
    const told = throughHar(context, [RESTART, late, after]);
    assert.deepEqual(told.map(withoutRounding), [late, restart, after].map(withoutRounding));
  });

  /** Moments are told in microseconds. */
  function withoutRounding(item: Recorded): Recorded {
    const micros = (ms: number) => Math.round(ms * 1000);
    const startedMs = micros(item.startedMs);
    return item.kind === "restart"
      ? { ...item, startedMs }
      : { ...item, startedMs, endedMs: micros(item.endedMs) };
  }
});

test("the path of a HAR is read letter for letter: what a service was not asked is not held against it", (context) => {
  const { items } = read(
    context,
    "dots.har",
    har([harEntry("http://a/v1/thing"), harEntry("http://a/v1/x/%2e%2e/thing")]),
  );
  assert.deepEqual(
    items.map((item) => item.kind === "exchange" && item.request.path),
    ["/v1/thing", "/v1/x/%2e%2e/thing"],
  );
});

test("a restart stays where it stands where its clock has not come as far: another service's times may be earlier", () => {
  const items: readonly Recorded[] = [
    { kind: "restart", source: { file: "", line: 1 }, startedMs: AT, clockMs: 100 },
    { ...EXCHANGE, startedMs: AT + 50, clockMs: 150 },
    { kind: "restart", source: { file: "", line: 3 }, startedMs: AT, clockMs: 100 },
    { ...EXCHANGE, startedMs: AT + 20, clockMs: 120 },
  ];
  const header = { complete: true, facts: {} };
  assert.deepEqual([...inOrder([{ file: "", header, items }])], items);
});

test("what two recordings have alike at the same time is taken once, and what one of them has twice is not", () => {
  const at = (file: string, startedMs: number, more: Partial<RecordedExchange> = {}): RecordedExchange => ({
    ...EXCHANGE,
    source: { file, line: 1 },
    startedMs,
    endedMs: startedMs + 10,
    ...more,
  });
  const left = (items: readonly Recorded[], doubtMs = 0) => {
    const doubles = new Doubles(doubtMs);
    return [[...doubles.without(items)].length, doubles.leftOut];
  };
  assert.deepEqual(left([at("a", 1), at("b", 1), at("a", 30), at("b", 31)]), [2, 2]);
  assert.deepEqual(left([at("a", 1), at("a", 1), at("b", 12)]), [3, 0]);
  assert.deepEqual(left([at("a", 1), at("b", 12)], 5), [1, 1]);
  const read = { request: { method: "GET", path: "/v1/thing" } };
  assert.deepEqual(left([at("a", 1, read), at("b", 1, read)]), [2, 0]);
  const answers = ["{}", new Uint8Array([0xff])].map((body) => ({ response: { status: 200, body } }));
  assert.deepEqual(left([at("a", 1, answers[0]), at("b", 1, answers[1]), at("c", 1, answers[1])]), [2, 1]);
});

test("a file that is no text yet is told as what it is", (context) => {
  const text = har([harEntry("http://a/v1/thing")]);
  for (const [bytes, fault] of [
    [gzipSync(text), "is compressed by gzip; unpack it first"],
    [Buffer.from("PK\u0003\u0004..."), "is a zip archive; unpack it, and give the .har that is in it"],
    [Buffer.from(`\uFEFF${text}`, "utf16le"), "is UTF-16; write it as UTF-8"],
    [Buffer.from(text, "utf16le"), "is UTF-16; write it as UTF-8"],
  ] as const) {
    const file = temporaryFile(context, "a.har", "");
    writeFileSync(file, bytes);
    assert.throws(() => openRecording(file, ADDRESS), { message: `${file}: ${fault}` });
  }
});
