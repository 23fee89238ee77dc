import assert from "node:assert/strict";
import { test } from "node:test";
import type { Report, Result } from "../../conformance/index.ts";
import { type Column, compareTransports } from "./comparison.ts";

const RESULT: Result = {
  id: "suite/vector",
  kind: "vector",
  title: "the service does as it must",
  rules: ["RULE-1"],
  outcome: "passed",
  failures: [],
  incidental: [],
  observations: [],
  advice: [],
  trace: [],
};

/** A report of one required rule and some results, all well but for what is given. */
function reportOf(results: readonly Result[], more: Partial<Report> = {}): Report {
  const count = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length;
  return {
    kit: { name: "kit", version: "1" },
    contract: "partner-preview-1",
    implementation: { name: "service", version: "1" },
    adapter: "stdio",
    seed: 1,
    runs: 0,
    allowedUntried: [],
    verdict: "conforms",
    exitStatus: 0,
    totals: {
      passed: count("passed"),
      failed: count("failed"),
      skipped: count("skipped"),
      error: count("error"),
    },
    durationMs: 1_250,
    results,
    rules: [{ id: "RULE-1", level: "required", outcome: "passed", results: [] }],
    suite: { version: "1", digest: "", expected: results.length, executed: results.length },
    choices: [],
    advice: [],
    ...more,
  };
}

function column(transport: string, report: Report, implementation = "reference"): Column {
  return { implementation, transport, report };
}

function rule(outcome: Report["rules"][number]["outcome"]): Report["rules"] {
  return [{ id: "RULE-1", level: "required", outcome, results: [] }];
}

const WHOLE = reportOf([RESULT]);

test("reports stand side by side, with what was skipped by its reason", () => {
  const skipped = (reason: string): Result => ({ ...RESULT, outcome: "skipped", reason });
  const http = reportOf(
    [RESULT, skipped("waits 60 s, longer than 3s"), skipped("waits 90.5 s, longer than 3s")],
    { choices: [{ point: "POINT", observed: "a", reference: "b" }] },
  );
  const { head, rows, problems } = compareTransports([
    column("in process", WHOLE),
    column("HTTP", http, "Python"),
  ]);
  assert.deepEqual(problems, []);
  assert.deepEqual(head, ["", "reference\nin process", "Python\nHTTP"]);
  assert.deepEqual(rows, [
    ["verdict", "conforms", "conforms"],
    ["required rules passed", "1", "1"],
    ["required rules failed", "0", "0"],
    ["required rules untried", "0", "0"],
    ["vectors passed", "1", "1"],
    ["vectors failed", "0", "0"],
    ["vectors in error", "0", "0"],
    ["vectors skipped", "0", "2"],
    ["- waits N s, longer than Ns", "", "2"],
    ["open points seen", "0", "1"],
    ["- unlike the reference's", "0", "1"],
    ["seconds", "1.3", "1.3"],
  ]);
});

test("a reason names no implementation, so that it is one row", () => {
  const sender = (name: string) =>
    reportOf([{ ...RESULT, outcome: "skipped", reason: `${name} cannot send it: the path is odd` }]);
  const { rows } = compareTransports([column("HTTP", sender("one")), column("other HTTP", sender("two"))]);
  assert.deepEqual(
    rows.filter(([name]) => name?.startsWith("- cannot")),
    [["- cannot be sent: the path is odd", "1", "1"]],
  );
});

test("a required rule that fails anywhere is a problem", () => {
  const failing = reportOf([{ ...RESULT, outcome: "failed" }], {
    rules: rule("failed"),
    verdict: "does-not-conform",
  });
  assert.deepEqual(compareTransports([column("in process", WHOLE), column("stdio", failing)]).problems, [
    "reference, stdio: required rule RULE-1 failed",
    "reference, stdio: does-not-conform, but conforms over in process",
  ]);
});

test("a rule that was not tried is a problem unless something about it was skipped", () => {
  const untried = (results: readonly Result[]) =>
    compareTransports([column("HTTP", reportOf(results, { rules: rule("untried"), verdict: "undecided" }))])
      .problems;
  assert.deepEqual(untried([{ ...RESULT, outcome: "skipped", reason: "lacks it" }]), []);
  assert.deepEqual(untried([]), [
    "reference, HTTP: required rule RULE-1 was not tried, and nothing about it was skipped",
  ]);
});

test("a rule that the selection leaves out is no problem, and one that fails in it is", () => {
  const selected = (outcome: "untried" | "failed") =>
    reportOf([RESULT], {
      rules: rule(outcome),
      selection: { only: ["suite/*"], chosen: 1, of: 2, outcome: "passed" },
    });
  const problems = (report: Report) => compareTransports([column("HTTP", report)]).problems;
  assert.deepEqual(problems(selected("untried")), []);
  assert.deepEqual(problems(selected("failed")), ["reference, HTTP: required rule RULE-1 failed"]);
});

test("an error is a problem, and the first is named", () => {
  const broken = reportOf([RESULT, { ...RESULT, outcome: "error", reason: "no answer" }]);
  assert.deepEqual(compareTransports([column("stdio", broken)]).problems, [
    "reference, stdio: 1 in error, first suite/vector: no answer",
  ]);
});

test("an implementation shows no other reading than over its first transport", () => {
  const choosing = (observed: string) =>
    reportOf([RESULT], { choices: [{ point: "POINT", observed, reference: "a" }] });
  const problems = (...seen: readonly string[]) =>
    compareTransports(seen.map((observed, index) => column(`transport ${index}`, choosing(observed))))
      .problems;
  assert.deepEqual(problems("a | b", "a", "b", "not seen"), []);
  assert.deepEqual(problems("a", "b"), ["reference, transport 1: POINT is b, but a over transport 0"]);
  const two = [column("stdio", choosing("a")), column("stdio", choosing("b"), "Python")];
  assert.deepEqual(compareTransports(two).problems, []);
});
