import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as reference from "../../reference/service.ts";
import { readServiceContract } from "../contract/contract.ts";
import { readRecording } from "../recordings/recording.ts";
import { type Audit, audit } from "./audit.ts";
import { formatAudit } from "./format.ts";
import { Recorder } from "./testing/recorder.ts";

const contract = readServiceContract();
const folder = mkdtempSync(join(tmpdir(), "audit-"));
after(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const HEADER = { recording: 1, facts: reference.facts };

/** Audits lines of the recording format. */
function auditLines(lines: readonly object[], header: object = HEADER): Audit {
  return audit(
    readRecording([
      write("recording.jsonl", [header, ...lines].map((line) => JSON.stringify(line)).join("\n")),
    ]),
  );
}

test("a recording of the reference has no findings, even without its first exchanges", async () => {
  const recorder = new Recorder(reference);
  const verify = recorder.challenge();
  const { bearer } = recorder.send(verify);
  recorder.send(verify);
  for (const key of ["key-0001", "key-0001", "key-0002"]) recorder.send(recorder.build(String(bearer), key));
  recorder.nowMs += 3_600_000;
  recorder.send(recorder.build(String(bearer), "key-0003"));
  assert.deepEqual(auditLines(recorder.lines).findings, []);
  const { findings, exchanges, whole } = auditLines(recorder.lines.slice(4));
  assert.deepEqual({ findings, exchanges, whole }, { findings: [], exchanges: 4, whole: 4 });
});

test("two successes among eight concurrent proofs of one challenge are a finding with evidence", async () => {
  const recorder = new Recorder(reference);
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
  const { findings } = auditLines(recorder.lines);
  assert.deepEqual(
    findings.map(({ rules }) => rules),
    [["CHALLENGE-22"]],
  );
  assert.equal(
    findings[0]?.because.some(
      ({ event }) => "exchange" in event && event.exchange.request.path === verify.path,
    ),
    true,
  );
});

test("an unrecorded restart can explain INVALID_PROOF for a valid proof", async () => {
  const recorder = new Recorder(reference);
  recorder.record(recorder.challenge(), 401, { code: "INVALID_PROOF", productionApproved: false });
  assert.deepEqual(auditLines(recorder.lines).findings, []);
  assert.equal(auditLines(recorder.lines, { ...HEADER, complete: true }).findings.length, 1);
});

test("fifteen builds within twenty seconds are a finding", async () => {
  const recorder = new Recorder(reference);
  const { bearer } = recorder.send(recorder.challenge());
  const draft = recorder.send(recorder.build(String(bearer), "key-0000"));
  for (let index = 1; index < 15; index++) {
    recorder.nowMs += 1_300;
    const expiresAt = recorder.nowMs + 30_000;
    recorder.record(recorder.build(String(bearer), `key-00${10 + index}`), 200, { ...draft, expiresAt });
  }
  const { findings } = auditLines(recorder.lines);
  assert.equal(findings[0]?.rules[0], "LIMIT-6");
});

test("a finding shows its place, and the last line is the conclusion", async () => {
  const recorder = new Recorder(reference);
  const verify = recorder.challenge();
  const session = recorder.send(verify);
  recorder.record(verify, 200, { ...session, bearer: "another" });
  const file = write(
    "twice.jsonl",
    [HEADER, ...recorder.lines].map((line) => JSON.stringify(line)).join("\n"),
  );
  const recording = readRecording([file]);
  const lines = formatAudit(audit(recording), recording, contract);
  assert.match(lines[0] ?? "", /^FOUND {2}CHALLENGE-22: .* \(contract, .*\)$/);
  assert.equal(lines[1], `  place     ${file}:5: POST /v1/auth/verify: 200`);
  assert.equal(lines[4], `  because   ${file}:4: POST /v1/auth/verify: 200`);
  assert.equal(lines.at(-1), "1 finding about 1 rule (4 exchanges: 4 judged).");
});
