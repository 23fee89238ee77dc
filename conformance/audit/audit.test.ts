import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createService, facts } from "../../reference/service.ts";
import type { Request } from "../adapters/adapter.ts";
import { readContract } from "../contract/contract.ts";
import { keyPairOf } from "../contract/key-pair.ts";
import { DATA_FOLDER } from "../contract/kit-files.ts";
import { createRequest, launchMembers } from "../contract/requests.ts";
import { type Audit, audit, formatAudit } from "./audit.ts";
import { readRecording } from "./recording.ts";

const contract = readContract(join(DATA_FOLDER, "contract"));
const folder = mkdtempSync(join(tmpdir(), "audit-"));
after(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Records requests to the reference as JSON lines. */
class Recorder {
  readonly lines: object[] = [{ recording: 1, facts }];
  nowMs = Date.UTC(2026, 9, 10, 12);
  readonly #service = createService({ now: () => this.nowMs });
  readonly alice = keyPairOf("alice");

  send(request: Request): Record<string, unknown> {
    const { status, body } = this.#service.handle({ ...request });
    this.record(request, status, body);
    return body as Record<string, unknown>;
  }

  record(request: Request, status: number, body: object, durationMs = 5): void {
    const at = new Date(this.nowMs).toISOString();
    this.nowMs += 10;
    this.lines.push({ at, durationMs, request, response: { status, body: JSON.stringify(body) } });
  }

  /** Returns an unused challenge and the request that verifies it. */
  challenge() {
    const { termsHash } = this.send(createRequest("platform", undefined, {}));
    const issued = this.send(
      createRequest("challenge", { creator: this.alice.address, termsHash: String(termsHash) }, {}),
    );
    const signatureBase64 = Buffer.from(this.alice.sign(Buffer.from(String(issued["message"])))).toString(
      "base64",
    );
    return createRequest("verify", { id: String(issued["id"]), signatureBase64 }, {});
  }

  build(bearer: string, key: string) {
    const { address: mint } = keyPairOf("mint");
    const members = launchMembers(this.alice.address, mint, facts.metadataHosts[0]);
    return createRequest("build", members, {}, { key, bearer });
  }

  audit(): Audit {
    const file = write("recording.jsonl", this.lines.map((line) => JSON.stringify(line)).join("\n"));
    return audit(readRecording([file]));
  }
}

test("a recording of the reference has no findings, even without its first exchanges", async () => {
  const recorder = new Recorder();
  const verify = recorder.challenge();
  const { bearer } = recorder.send(verify);
  recorder.send(verify);
  for (const key of ["key-0001", "key-0001", "key-0002"]) recorder.send(recorder.build(String(bearer), key));
  recorder.nowMs += 3_600_000;
  recorder.send(recorder.build(String(bearer), "key-0003"));
  assert.deepEqual(recorder.audit().findings, []);
  recorder.lines.splice(1, 4);
  assert.deepEqual(recorder.audit(), { findings: [], exchanges: 4, judged: 4, notDecided: 0 });
});

test("two successes among eight concurrent proofs of one challenge are a finding with evidence", async () => {
  const recorder = new Recorder();
  const verify = recorder.challenge();
  const session = recorder.send(verify);
  recorder.lines.pop();
  const refusal = { code: "EXPIRED_OR_USED_CHALLENGE", productionApproved: false };
  for (let index = 0; index < 8; index++) {
    recorder.record(
      verify,
      index < 2 ? 200 : 401,
      index < 2 ? { ...session, bearer: `b${index}` } : refusal,
      500,
    );
    recorder.nowMs -= 10;
  }
  const { findings } = recorder.audit();
  assert.deepEqual(
    findings.map(({ rules }) => rules),
    [["CHALLENGE-22"]],
  );
  assert.equal(
    findings[0]?.because.some(({ request }) => request?.path === verify.path),
    true,
  );
});

test("an unrecorded restart can explain INVALID_PROOF for a valid proof", async () => {
  const recorder = new Recorder();
  recorder.record(recorder.challenge(), 401, { code: "INVALID_PROOF", productionApproved: false });
  assert.deepEqual(recorder.audit().findings, []);
  recorder.lines[0] = { recording: 1, facts, complete: true };
  assert.equal(recorder.audit().findings.length, 1);
});

test("fifteen builds within twenty seconds are a finding", async () => {
  const recorder = new Recorder();
  const { bearer } = recorder.send(recorder.challenge());
  const draft = recorder.send(recorder.build(String(bearer), "key-0000"));
  for (let index = 1; index < 15; index++) {
    recorder.nowMs += 1_300;
    const expiresAt = recorder.nowMs + 30_000;
    recorder.record(recorder.build(String(bearer), `key-00${10 + index}`), 200, { ...draft, expiresAt });
  }
  const { findings } = recorder.audit();
  assert.equal(findings[0]?.rules[0], "LIMIT-6");
});

test("a finding shows its place, and the last line is the conclusion", async () => {
  const recorder = new Recorder();
  const verify = recorder.challenge();
  const session = recorder.send(verify);
  recorder.record(verify, 200, { ...session, bearer: "another" });
  const file = write("twice.jsonl", recorder.lines.map((line) => JSON.stringify(line)).join("\n"));
  const recording = readRecording([file]);
  const lines = formatAudit(audit(recording), recording, contract);
  assert.match(lines[0] ?? "", /^FOUND {2}CHALLENGE-22: .* \(contract, .*\)$/);
  assert.equal(lines[1], `  place     ${file}:5: POST /v1/auth/verify: 200`);
  assert.equal(lines[4], `  because   ${file}:4: POST /v1/auth/verify: 200`);
  assert.equal(lines.at(-1), "1 finding about 1 rule in 4 exchanges.");
});

const ENTRY = {
  startedDateTime: "2026-10-10T12:00:00.000Z",
  time: 5,
  request: { method: "GET", url: "https://api.example/base/v1/platform?", headers: [] },
  response: { status: 200, content: { text: "{}", size: 2 } },
};

function har(...entries: readonly object[]): string {
  return write("traffic.har", JSON.stringify({ log: { entries } }));
}

test("reads only HAR entries below the base URL of the contract's routes, and counts those that it cannot read", () => {
  const other = { ...ENTRY, request: { ...ENTRY.request, url: "https://cdn.example/logo.png" } };
  const url = "https://api.example/base/v1/launch/build";
  const build = {
    ...ENTRY,
    request: { ...ENTRY.request, method: "POST", url, bodySize: 9, postData: { text: "{}" } },
  };
  const cut = { ...ENTRY, response: { status: 200, content: { text: "{", size: 2 } } };
  const gateway = { ...ENTRY, response: { status: 502, content: { text: "<html>" } } };
  const { items, notRead } = readRecording([har(other, ENTRY, build, cut, gateway)]);
  assert.deepEqual(
    items.map(({ place }) => place.replace(/^.*, /, "")),
    ["entry 2", "entry 4", "entry 5"],
  );
  assert.equal(items[0]?.request?.path, "/v1/platform?");
  assert.deepEqual(items[0]?.response, { status: 200, body: "{}" });
  assert.deepEqual(
    [...notRead],
    [
      ["no Authorization headers were recorded", 1],
      ["the body of the response was not recorded", 2],
    ],
  );
});

test("a fact that is not valid is an error in the data", () => {
  const recording = readRecording([har(ENTRY)]);
  const wrong = { ...recording, facts: { metadataHost: "a.example" } };
  assert.throws(() => audit(wrong), { name: "DataError", message: /^facts: .* unknown name "metadataHost"/ });
});

/** Each row: the text of a file, and the error about it. */
const FAULTY: readonly (readonly [string, RegExp])[] = [
  ["", /: has no exchanges$/],
  ["{", /:1: the line is not JSON$/],
  ['\n{"at":"yesterday","request":{"method":"GET","path":"/"},"response":null}', /:2: at must match pattern/],
  ['{"at":1,"request":{"path":"/"},"response":null}', /:1: request has no "method"; add it$/],
  ['{"at":1,"restart":true}\n{"recording":1}', /:2: the header must be the first line$/],
  ...["2026-02-30T12:00:00Z", "2026-13-01T12:00:00Z", 1e308].map((at): readonly [string, RegExp] => [
    JSON.stringify({ at, request: { method: "GET", path: "/" }, response: null }),
    /:1: there is no such time; give a date and a time that exist$/,
  ]),
  [
    `{${Array.from({ length: 150_000 }, (_, index) => `"k${index}":1`)}}`,
    /^[^\n]*:1: the line has no "at"; add it$/,
  ],
  ['{"log":{"entries":[]}}', /: has no request to a route of the contract; add --base-url$/],
  ['{"log":{}}', /: log has no "entries"; add it$/],
];

for (const [text, message] of FAULTY)
  test(`a faulty recording: ${message.source}`, () => {
    assert.throws(() => readRecording([write("faulty", text)]), { name: "DataError", message });
  });
