import assert from "node:assert/strict";
import { readFileSync, statSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { type TestContext, test } from "node:test";
import { Ajv } from "ajv";
import type { WriteBytes } from "../audit/recording-file.ts";
import { openRecording } from "../audit/recordings.ts";
import { passed } from "../testing/proxy/passed.ts";
import { temporaryFile } from "../testing/temporary-file.ts";
import type { PassedExchange } from "./passed-exchange.ts";
import { Recorder } from "./recorder.ts";

const ADDRESS = {
  operationIn: (_: string, path: string) => path.lastIndexOf("/v1/"),
  prefix: "/v1/",
};
const SIGNATURE = Buffer.alloc(64, 7).toString("base64");
const FACTS = { metadataHosts: ["a.example", "b.example"] };

const data = (file: string) => ({
  file,
  contract: "partner-preview-1",
  baseUrl: "http://service.example/base",
  creator: { name: "kit", version: "1" },
  facts: FACTS,
});

function recorder(context: TestContext, name: string, maskKey?: Uint8Array): [Recorder, string] {
  const file = temporaryFile(context, name, "");
  const made = new Recorder({
    ...data(file),
    signedBytes: "utf8",
    ...(maskKey === undefined ? {} : { maskKey }),
  });
  return [made, file];
}

const EXCHANGES: readonly PassedExchange[] = [
  passed({ number: 1, startedMs: 1_700_000_000_000 }),
  passed({
    number: 2,
    startedMs: 1_700_000_000_020,
    tookMs: 7,
    method: "POST",
    target: "/v1/launch/build?x=1",
    headers: [
      ["Authorization", "Bearer one"],
      ["Idempotency-Key", "key-00001"],
      ["X-Twice", "1"],
      ["x-twice", "2"],
    ],
    body: '{"a":"\u00fc"}',
    status: 401,
    answer: Buffer.from("\xff\xfe", "latin1"),
  }),
  passed({
    number: 3,
    startedMs: 1_700_000_000_030,
    method: "POST",
    target: "/v1/auth/verify",
    body: Buffer.from("\xff{", "latin1"),
    brokenOff: "service",
  }),
  passed({ number: 4, startedMs: 1_700_000_000_040, answer: "{", answerBytes: 9_000_000 }),
];

for (const name of ["broken-off.har", "broken-off.jsonl"])
  test(`${name} says which request was not sent whole, though masks make whole ones shorter`, (context) => {
    const [made, file] = recorder(context, name, Buffer.alloc(32, 1));
    const proof = JSON.stringify({ id: "ab".repeat(24), signatureBase64: SIGNATURE });
    for (const body of [proof, proof.slice(0, 40)]) {
      const headers = [["Content-Length", String(proof.length)]] as const;
      made.take(passed({ method: "POST", target: "/v1/auth/verify", headers, body, status: 400 }));
    }
    made.end();
    const lost = [...openRecording(file, ADDRESS).items].map(
      (item) => item.kind === "exchange" && item.requestLost === true,
    );
    assert.deepEqual(lost, [false, true]);
  });

for (const name of ["traffic.har", "traffic.jsonl"])
  test(`${name} is read back as what passed`, (context) => {
    const [made, file] = recorder(context, name);
    for (const exchange of EXCHANGES) made.take(exchange);
    assert.deepEqual(made.end(), { file, exchanges: 4 });
    const { header, items } = openRecording(file, ADDRESS);
    assert.deepEqual(header, { complete: false, facts: FACTS });
    const [first, build, broken, large] = [...items].map((item) =>
      item.kind === "exchange" ? item : assert.fail(),
    );
    assert.deepEqual([first?.startedMs, first?.endedMs], [1_700_000_000_000, 1_700_000_000_005]);
    assert.deepEqual(first?.request, { method: "GET", path: "/v1/platform" });
    assert.deepEqual(first?.response, { status: 200, body: "{}" });
    assert.deepEqual(build?.request, {
      method: "POST",
      path: "/v1/launch/build?x=1",
      bearer: "one",
      idempotencyKey: "key-00001",
      body: '{"a":"\u00fc"}',
    });
    assert.deepEqual(build?.response, { status: 401, body: new Uint8Array([0xff, 0xfe]) });
    assert.deepEqual(broken?.request.body, new Uint8Array([0xff, 0x7b]));
    assert.equal(broken?.response, undefined);
    assert.deepEqual(large?.response, { status: 200 });
  });

test("a HAR is HAR 1.2 by the published schema, and whole after each exchange", (context) => {
  const [made, file] = recorder(context, "traffic.har", new Uint8Array(32));
  const require = createRequire(import.meta.url);
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addMetaSchema(require("ajv/dist/refs/json-schema-draft-06.json"));
  ajv.addSchema(Object.values(require("har-schema") as Readonly<Record<string, object>>));
  const validate = ajv.getSchema("har.json#") ?? assert.fail();
  for (const [index, exchange] of EXCHANGES.entries()) {
    const har = JSON.parse(readFileSync(file, "utf8"));
    assert.equal(har.log.entries.length, index);
    assert.ok(validate(har), JSON.stringify(validate.errors));
    made.take(exchange);
  }
  made.end();
  assert.deepEqual(JSON.parse(readFileSync(file, "utf8")).log.entries[1].request.headers[2], {
    name: "X-Twice",
    value: "1",
  });
});

test("secrets are masked unless told, and whether a proof held is kept where it can be known", (context) => {
  const verify = passed({
    method: "POST",
    target: "/v1/auth/verify",
    body: JSON.stringify({ id: "ab".repeat(24), signatureBase64: SIGNATURE }),
    answer: JSON.stringify({ bearer: "a-bearer-that-was-given" }),
  });
  const short = passed({ ...verify.request, body: '{"signatureBase64":"short"}', answer: "{}" });
  const lines = (maskKey?: Uint8Array) => {
    const [made, file] = recorder(context, "traffic.jsonl", maskKey);
    for (const exchange of [verify, short]) made.take(exchange);
    made.end();
    return readFileSync(file, "utf8");
  };
  const masked = lines(new Uint8Array(32));
  assert.ok(!masked.includes(SIGNATURE) && !masked.includes("a-bearer"));
  assert.match(masked, /masked:[\s\S]*masked:[\s\S]*"signatureBase64\\":\\"short[\s\S]*"proof":"unread"/);
  const open = lines();
  assert.ok(open.includes(SIGNATURE) && open.includes("a-bearer-that-was-given"));
  assert.ok(!open.includes("masked:"));
});

test("what cannot be written is told at once, and nothing of it is left; what can be goes on", (context) => {
  let room = Number.POSITIVE_INFINITY;
  const writeBytes: WriteBytes = (descriptor, bytes, offset, length, position) => {
    const left = room - (position ?? 0);
    if (left <= 0) throw Object.assign(new Error("no room"), { code: "ENOSPC" });
    return writeSync(descriptor, bytes, offset, Math.min(length, left), position);
  };
  for (const name of ["traffic.har", "traffic.jsonl"]) {
    room = Number.POSITIVE_INFINITY;
    const file = temporaryFile(context, name, "");
    const made = new Recorder({ ...data(file), signedBytes: "utf8" }, writeBytes);
    const entries = () => [...openRecording(file, ADDRESS).items].length;
    const take = () => made.take(passed({ answer: "{}" }));
    assert.deepEqual(take(), []);
    room = statSync(file).size + 40;
    assert.deepEqual(take(), ["what passes cannot be recorded (ENOSPC), and will be missing"]);
    assert.deepEqual([take(), entries(), statSync(file).size < room], [[], 1, true]);
    room = Number.POSITIVE_INFINITY;
    assert.deepEqual(take(), ["the recording goes on; 2 exchanges are missing in it"]);
    assert.deepEqual([take(), entries()], [[], 3]);
    assert.deepEqual(made.end(), { file, exchanges: 3, unwritten: { exchanges: 2, fault: "ENOSPC" } });
  }
});

test("a recording that can never be written says so", () => {
  const full = new Recorder(data("/dev/full"));
  assert.equal(full.take(passed()).length, 1);
  assert.deepEqual(full.take(passed()), []);
  assert.deepEqual(full.end(), {
    file: "/dev/full",
    exchanges: 0,
    unwritten: { exchanges: 2, fault: "ENOSPC" },
  });
});
