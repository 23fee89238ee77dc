import assert from "node:assert/strict";
import { test } from "node:test";
import type { Result } from "../engine/play/result.ts";
import { jsonReport } from "../reports/json.ts";
import { reference, spoiled } from "../testing/reference.ts";
import { runCli } from "../testing/run-cli.ts";
import { temporaryFile } from "../testing/temporary-file.ts";
import { judge } from "./judge.ts";

const only = ["platform"];

/** A profile that claims a public server. */
const broken = spoiled(({ body }) => {
  if (body.publicServer !== undefined) body.publicServer = true;
});

const outcomes = (results: Iterable<Result>) => Array.from(results, ({ id, outcome }) => `${id} ${outcome}`);

async function all(results: AsyncIterable<Result>): Promise<readonly Result[]> {
  const seen: Result[] = [];
  for await (const result of results) seen.push(result);
  return seen;
}

test("a call judges as the command line does, and gives each result and the report", async () => {
  const exitCode = process.exitCode;
  const judging = judge({
    target: { service: reference },
    only: ["platform", "property/uris"],
    runs: 3,
    exhaustive: 0,
  });
  const [seen, report, again] = await Promise.all([all(judging), judging.report, all(judging)]);
  assert.ok(seen.length > 5);
  assert.deepEqual(outcomes(seen).sort(), outcomes(report.results).sort());
  assert.deepEqual(again, seen);
  const words = ["--only", "platform", "property/uris", "--runs", "3", "--exhaustive", "0"];
  const { stdout } = await runCli(["run", ...words, "--jobs", "1", "--reporter", "json"]);
  const { results, verdict, selection, totals, exitStatus } = JSON.parse(stdout);
  assert.deepEqual(outcomes(results), outcomes(report.results));
  assert.deepEqual(
    [report.verdict, report.selection, report.totals, report.exitStatus],
    [verdict, selection, totals, exitStatus],
  );
  assert.deepEqual(report.asked, { options: [], inCode: true });
  assert.equal(process.exitCode, exitCode);
});

test("a failure is of the report, with the call that shows it again", async () => {
  const { report } = judge({ target: { service: broken }, only: ["platform/constants"], seed: 7 });
  assert.equal((await report).selection?.outcome, "failed");
  const { reportText } = await import("./report-text.ts");
  assert.match(
    (await reportText(await report, "console")) ?? "",
    /^ +again +judge\(\{ …, only: \["platform\/constants[^"]*"\], seed: 7 \}\)$/m,
  );
});

test("a file's baseline, and what is accepted as untried, count as on the command line", async (context) => {
  const file = temporaryFile(
    context,
    "known.yaml",
    "known:\n  - { id: platform/constants/whole-second, reason: not yet }\n",
  );
  const target = { service: broken };
  const { results, exitStatus, baseline } = await judge({
    target,
    only: ["platform/constants/whole-second", "platform/same-twice"],
    baseline: file,
  }).report;
  const failed = results.filter(({ outcome }) => outcome === "failed");
  assert.deepEqual(
    failed.map(({ id, known }) => [id, known?.reason]),
    [["platform/constants/whole-second", "not yet"]],
  );
  assert.equal(baseline?.known.length, 1);
  assert.notEqual(exitStatus, 1);
  const { accepted } = await judge({ target, only, allowUntried: ["SESSION-1?"] }).report;
  assert.ok((accepted?.length ?? 0) > 3);
});

test("to leave the loop stops the run, whose report says so", async () => {
  let calls = 0;
  const counted = spoiled(() => {
    calls += 1;
  });
  const judging = judge({ target: { service: counted } });
  for await (const { outcome } of judging) if (outcome === "passed") break;
  const soFar = calls;
  const { stopped, verdict, results, totals } = await judging.report;
  assert.equal(calls, soFar, "the loop is left when the run has ended");
  assert.deepEqual([stopped, verdict], [true, "undecided"]);
  assert.ok(totals.passed >= 1 && totals.skipped > totals.passed);
  assert.equal(results.at(-1)?.reason, "not run: the run was stopped");
});

test("a signal stops the run, and what had been found is reported", async () => {
  const stopping = new AbortController();
  let calls = 0;
  const judging = judge({
    target: {
      service: spoiled(() => {
        if (++calls === 300) stopping.abort();
      }),
    },
    signal: stopping.signal,
  });
  const { stopped, totals, exitStatus } = await judging.report;
  assert.deepEqual([stopped, exitStatus], [true, 4]);
  assert.ok(totals.passed + totals.skipped > 100);
  assert.equal((await all(judging)).length, (await judging.report).results.length);
});

test("a run that was stopped before it began has no report but the reason", async () => {
  const reason = new Error("enough");
  const judging = judge({ target: { service: reference }, signal: AbortSignal.abort(reason) });
  await assert.rejects(judging.report, reason);
  await assert.rejects(all(judging), reason);
});

test("what cannot be run rejects the report and the loop, and nobody need look at both", async () => {
  const judging = judge({ target: { command: "exit 3" }, only });
  await assert.rejects(all(judging), { name: "AdapterFault", message: "the adapter exited with status 3" });
  await assert.rejects(judge({ target: { service: reference }, only: ["nothing/*"] }).report, {
    name: "DataError",
    message: /^--only: nothing\/\* matches no vector/,
  });
  await assert.rejects(judge({ target: { service: reference }, allowUntried: ["SESSION"] }).report, {
    name: "UsageError",
  });
  const wrongHosts = { url: "http://127.0.0.1:1", facts: { metadataHosts: ["a"] } };
  await assert.rejects(judge({ target: wrongHosts as never }).report, {
    name: "UsageError",
    message: 'facts: metadataHosts must be two strings, not ["a"]',
  });
});

test("a report is data: as JSON it is what it was", async () => {
  const report = await judge({ target: { service: reference }, only: ["platform/constants"] }).report;
  assert.deepEqual(JSON.parse(jsonReport(report)), JSON.parse(JSON.stringify(report)));
});
