import assert from "node:assert/strict";
import { test } from "node:test";
import { failedResult, failureOf, resultOf } from "../../testing/results.ts";
import { SMALL_CONTRACT, smallReport } from "../../testing/small-report.ts";
import type { Result } from "../play/result.ts";
import { mergeReports, type ReportFile } from "./merge-reports.ts";
import { makeReport, type Report } from "./report.ts";

const whole = smallReport([resultOf("limits/one", ["LIMIT-1"])]);
const KIT = {
  version: whole.kit.version,
  digest: whole.suite.digest,
  order: ["limits/one", "limits/two", "limits/three", "property/x"],
};

/** The report of one shard, as its file has it. */
function part(index: number, of: number, results: readonly Result[], more: Partial<Report> = {}): ReportFile {
  const expected = 2;
  const report = { ...smallReport(results), shard: { index, of, expected, options: [] }, ...more };
  return { file: `${index}.json`, report: JSON.parse(JSON.stringify(report)) as Report };
}

const one = part(1, 2, [resultOf("limits/one", ["LIMIT-1"])]);
const two = part(2, 2, [failedResult("limits/two", ["LIMIT-2"])]);
const merge = (...files: ReportFile[]) => makeReport(SMALL_CONTRACT, mergeReports(files, KIT));
const changed = ({ file, report }: ReportFile, more: Partial<Report>) => ({
  file,
  report: { ...report, ...more },
});

test("the parts are merged in the order of one run, whatever the order of the files", () => {
  const merged = merge(two, one);
  assert.deepEqual(
    merged.results.map(({ id }) => id),
    ["limits/one", "limits/two"],
  );
  assert.deepEqual([merged.verdict, merged.exitStatus, merged.shard], ["does-not-conform", 1, undefined]);
  assert.deepEqual(merged.suite, { ...whole.suite, expected: 2, executed: 2 });
});

for (const [what, files, line] of [
  ["nothing", [], "merge: there is nothing to merge"],
  ["a whole run", [one, { file: "w.json", report: whole }], "w.json: is a whole run, made without --shard"],
  ["a shard too few", [two], "merge: shard 1/2 is missing"],
  ["a shard twice", [one, two, one], "1.json: is shard 1/2, as 1.json is"],
  ["shards of other splits", [one, part(2, 3, [])], "2.json: the number of shards is 3, and 2 in 1.json"],
  ["other seeds", [one, changed(two, { seed: 8 })], "2.json: --seed is 8, and 7 in 1.json"],
  ["other salts", [one, changed(two, { salt: "b" })], "2.json: --salt is b, and none in 1.json"],
  ["other numbers of cases", [one, changed(two, { runs: 1 })], "2.json: --runs is 1, and 20 in 1.json"],
  [
    "other suites",
    [one, changed(two, { suite: { ...whole.suite, digest: "f".repeat(64) } })],
    `2.json: the suite's digest is ${"f".repeat(64)}, and ${whole.suite.digest} in 1.json`,
  ],
  [
    "other implementations",
    [one, changed(two, { implementation: { name: "my-service", version: "0.10" } })],
    "2.json: the implementation is my-service 0.10, and my-service 0.9 Go in 1.json",
  ],
  [
    "other adapters",
    [one, changed(two, { adapter: "http" })],
    "2.json: the adapter is http, and stdio in 1.json",
  ],
  [
    "what another kit ran",
    [one, two].map((file) => changed(file, { kit: { ...whole.kit, version: "0.0.9" } })),
    "1.json: was made by another kit (version 0.0.9, suite 0123456789ab) than this (version 1.2.3, suite 0123456789ab): merge with that one",
  ],
  [
    "a report that was cut",
    [one, changed(two, { results: [] })],
    "merge: the parts have 1 results of 2: one was cut",
  ],
] as const) {
  test(`${what} is not merged`, () => {
    assert.throws(() => merge(...files), { name: "DataError", message: line });
  });
}

test("what one part saw on the way, another speaks for", () => {
  const seen = part(1, 2, [resultOf("limits/one", ["LIMIT-1"], { incidental: [failureOf(["LIMIT-2"])] })]);
  assert.equal(seen.report.results[0]?.outcome, "passed");
  assert.deepEqual(
    merge(seen, two).results.map(({ outcome }) => outcome),
    ["passed", "failed"],
  );
  const passed = part(2, 2, [resultOf("limits/two", ["LIMIT-2"])]);
  assert.deepEqual(
    merge(seen, passed).results.map(({ outcome }) => outcome),
    ["failed", "passed"],
  );
});

const share = (more: Partial<Result>) => resultOf("property/x", ["LIMIT-1"], { kind: "property", ...more });
const reading = (name: string) => ({ observations: [{ point: "SHAPE", reading: name }] });

test("a property fails where its first stretch that fails does, and showed what was shown until then", () => {
  const merged = merge(
    part(1, 3, [resultOf("limits/one", ["LIMIT-1"]), share(reading("a"))]),
    part(2, 3, [share({ ...reading("b"), outcome: "failed", failures: [failureOf(["LIMIT-1"])] })]),
    part(3, 3, [share({ ...reading("c"), outcome: "failed", failures: [failureOf(["LIMIT-2"])] })]),
  );
  const [, property] = merged.results;
  assert.deepEqual(
    property?.failures.map(({ rule }) => rule),
    ["LIMIT-1"],
  );
  assert.deepEqual(property?.observations, [...reading("a").observations, ...reading("b").observations]);
});

test("a property that a part could not try has not passed", () => {
  const merged = merge(
    part(1, 2, [resultOf("limits/one", ["LIMIT-1"]), share(reading("a"))]),
    part(2, 2, [share({ outcome: "error", reason: "no answer" })]),
  );
  assert.deepEqual(
    merged.results.map(({ outcome }) => outcome),
    ["passed", "error"],
  );
  assert.equal(merged.exitStatus, 3);
});

test("what every part allows to be untried stays allowed", () => {
  const allowed = (file: ReportFile) => changed(file, { accepted: ["ERROR-1"] });
  const passed = part(2, 2, [resultOf("limits/two", ["LIMIT-2"])]);
  assert.equal(merge(one, passed).exitStatus, 4);
  const merged = merge(allowed(one), allowed(passed));
  assert.deepEqual([merged.verdict, merged.allowedUntried], ["conforms", ["ERROR-1"]]);
});
