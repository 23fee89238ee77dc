import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { passed } from "../testing/proxy/passed.ts";
import { temporaryFile } from "../testing/temporary-file.ts";
import { LiveJudge } from "./live-judge.ts";
import { recordedOf } from "./passed-exchange.ts";
import { Recorder } from "./recorder.ts";

const NOTHING_OPEN = Number.POSITIVE_INFINITY;
const REFUSED = JSON.stringify({ code: "UNAUTHORIZED", productionApproved: false });
const BEARER = "a-bearer-that-nobody-may-read-0123456789";
const coded = (coding: string) =>
  [
    ["content-type", "application/json"],
    ["Content-Encoding", coding],
  ] as const;
const build = {
  method: "POST",
  target: "/v1/launch/build",
  headers: [["idempotency-key", "key-00001"]],
} as const;

test("an answer in a coding is judged by what it says, and one in an unknown coding is not", () => {
  const judge = new LiveJudge({ facts: {}, name: "traffic", clients: true });
  const answers = [
    passed({ ...build, status: 401, answer: gzipSync(REFUSED), answerHeaders: coded("gzip") }),
    passed({ ...build, status: 401, answer: Buffer.from([1, 2, 3]), answerHeaders: coded("zstd") }),
    passed({
      ...build,
      headers: [...build.headers, ["content-encoding", "gzip"]],
      body: gzipSync("{}"),
      status: 400,
      answer: REFUSED,
    }),
  ];
  for (const answer of answers) judge.take(answer, NOTHING_OPEN);
  const { audited, clients } = judge.end();
  assert.deepEqual([audited.exchanges, audited.judged, audited.findings], [3, 1, []]);
  assert.equal(clients?.exchanges, 2);
});

test("a request that was answered before it was whole is judged of neither side", () => {
  const judge = new LiveJudge({ facts: {}, name: "traffic", clients: true });
  const headers = [
    ...build.headers,
    ["authorization", "Bearer of-alice"],
    ["Content-Length", "300"],
  ] as const;
  const sketch = { ...build, headers, body: '{"creator":"9', answer: REFUSED };
  judge.take(passed({ ...sketch, status: 429 }), NOTHING_OPEN);
  const { audited, clients } = judge.end();
  assert.deepEqual([audited.judged, audited.findings, clients?.found, clients?.unread], [0, [], 0, 1]);
});

test("what is kept of an exchange in a coding can be read, and its secrets are masked", (context) => {
  const file = temporaryFile(context, "a.har", "");
  const recorder = new Recorder({
    file,
    contract: "partner-preview-1",
    baseUrl: "http://service.example",
    creator: { name: "kit", version: "1" },
    facts: {},
    maskKey: new Uint8Array(32),
  });
  const answer = JSON.stringify({ bearer: BEARER });
  recorder.take(passed({ answer: gzipSync(answer), answerHeaders: coded("gzip") }));
  recorder.take(passed({ answer, answerHeaders: coded("zstd, secret") }));
  recorder.take(passed({ answer }));
  recorder.end();
  const text = readFileSync(file, "utf8");
  const { log } = JSON.parse(text) as { log: { entries: { response: { content: { text?: string } } }[] } };
  const [first, second, third] = log.entries.map(({ response }) => response.content.text);
  assert.match(String(first), /^\{"bearer":"masked:/);
  assert.deepEqual([second, third], [undefined, first]);
  assert.doesNotMatch(text, new RegExp(`${BEARER}|${Buffer.from(answer).toString("base64").slice(0, 20)}`));
});

test("an exchange that came without a coding stays as it is", () => {
  const exchange = passed({ answer: "{}", answerHeaders: [["content-encoding", "identity"]] });
  assert.equal(recordedOf(exchange, "a").response?.body, "{}");
});
