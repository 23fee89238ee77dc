import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as reference from "../../reference/service.ts";
import { Recorder } from "../audit/testing/recorder.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { findSchemaFaults } from "../data/schema-check.ts";
import type { ReportData } from "../report/data.ts";
import { main } from "./main.ts";
import { fakeEdge } from "./testing/fake-edge.ts";

const folder = mkdtempSync(join(tmpdir(), "audit-command-"));
after(() => rmSync(folder, { recursive: true }));
const inFolder = (name: string) => join(folder, name);

async function audit(...args: readonly string[]) {
  const edge = fakeEdge();
  const status = await main(["audit", ...args], edge);
  return { status, text: edge.texts.join("") };
}

/** A recording in which a challenge opens two sessions. */
function violation(): string {
  const recorder = new Recorder(reference);
  const verify = recorder.challenge();
  recorder.record(verify, 200, { ...recorder.send(verify), bearer: "another" });
  const lines = [{ recording: 1, facts: reference.facts }, ...recorder.lines];
  writeFileSync(inFolder("twice.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
  return inFolder("twice.jsonl");
}

test("an audit has the reporters of a run, and shows the exchanges that make a response a violation", async () => {
  const [file, report] = [violation(), inFolder("report.json")];
  const { status, text } = await audit(
    file,
    "--reporter",
    "console",
    `json=${report}`,
    `html=${report}.html`,
  );
  assert.equal(status, 1);
  assert.match(text, /^FOUND {2}CHALLENGE-22: /);
  const data: ReportData = JSON.parse(readFileSync(report, "utf8"));
  assert.deepEqual(findSchemaFaults(data, join(DATA_FOLDER, "contract", "run-report.schema.json")), []);
  const [failed, ...others] = data.results.filter(({ outcome }) => outcome === "failed");
  assert.deepEqual([failed?.id, others], ["recording/CHALLENGE-22", []]);
  assert.deepEqual(failed?.findings?.[0]?.because, [`${file}:4: POST /v1/auth/verify: 200`]);
  assert.match(readFileSync(`${report}.html`, "utf8"), /twice\.jsonl:4: POST/);
});

test("a baseline lists known violations of a recording", async () => {
  const [file, baseline] = [violation(), inFolder("baseline.yaml")];
  assert.equal((await audit(file, "--baseline", baseline, "--update-baseline")).status, 0);
  assert.match(readFileSync(baseline, "utf8"), /id: recording\/CHALLENGE-22/);
  const { status, text } = await audit(file, "--baseline", baseline);
  assert.equal(status, 0);
  assert.match(text, /^Policy: baseline .*: 1 known failure$/m);
});

test("--verbose lists the rules with the number of exchanges that tested them", async () => {
  const { text } = await audit(violation(), "--verbose");
  assert.match(text, /^Tested by 4 exchanges: .*SERVICE-1, /m);
});

test("a file describes the format of a log", async () => {
  const recorder = new Recorder(reference);
  recorder.send(recorder.challenge());
  const lines = recorder.lines.map(({ at, request, response }) => ({
    when: at,
    call: { verb: request.method, target: request.path, content: request.body },
    answer: { code: response.status, content: response.body },
  }));
  writeFileSync(inFolder("log.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
  const map = {
    title: "our log",
    missing: "none",
    at: ["when"],
    method: ["call.verb"],
    url: ["call.target"],
  };
  const bodies = { body: ["call.content"], status: ["answer.code"], responseBody: ["answer.content"] };
  writeFileSync(inFolder("map.json"), JSON.stringify({ ...map, ...bodies }));
  const { status, text } = await audit(inFolder("log.jsonl"), "--map", inFolder("map.json"));
  assert.match(text, /No violation found \(3 exchanges: 3 judged\)\.\n$/);
  assert.equal(status, 0);
  writeFileSync(inFolder("map.json"), JSON.stringify({ ...map, ...bodies, body: "call.content" }));
  const faulty = await audit(inFolder("log.jsonl"), "--map", inFolder("map.json"));
  assert.deepEqual([faulty.status, /map\.json:1:\d+: body must be a list/.test(faulty.text)], [2, true]);
  const unknown = await audit(inFolder("log.jsonl"), "--map", "nginz");
  assert.deepEqual(unknown, { status: 2, text: '--map: unknown format "nginz"; did you mean "nginx"?\n' });
});
