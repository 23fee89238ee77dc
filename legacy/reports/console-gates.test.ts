import assert from "node:assert/strict";
import { test } from "node:test";
import type { GatedReport } from "../policies/gated-report.ts";
import { REPORT_CONTEXT } from "../testing/reporting.ts";
import { failedResult, resultOf } from "../testing/results.ts";
import { smallReport } from "../testing/small-report.ts";
import { consoleReport } from "./console.ts";
import { viewOf } from "./view.ts";

const KEPT = [resultOf("limits/one", ["LIMIT-1", "LIMIT-2"]), resultOf("errors/one", ["ERROR-1"])];

/** The lines from the verdict on, of a report with more to it. */
function verdictOf(results: Parameters<typeof smallReport>[0], more: Partial<GatedReport>): string {
  const text = consoleReport(viewOf({ ...smallReport(results), ...more }, REPORT_CONTEXT));
  return text.slice(text.lastIndexOf("\n\n") + 2);
}

test("a verdict says why the exit status is another", () => {
  const known = { ...failedResult("limits/two", ["LIMIT-2"]), known: { reason: "seen to" } };
  assert.match(
    verdictOf([...KEPT, known], { exitStatus: 0 }),
    /^does not conform: 2 of 3 required rules kept; all failures are in the baseline\n/,
  );
  assert.match(
    verdictOf(KEPT, { exitStatus: 1 }),
    /^conforms: 3 of 3 required rules kept; the run failed for the reasons above\n/,
  );
  assert.match(verdictOf(KEPT, {}), /^conforms: 3 of 3 required rules kept\n/);
});

test("a selection is told as one, and speaks of no rule that it is not about", () => {
  const selection = { only: ["limits", "x/*"], chosen: 1, of: 40, outcome: "passed" } as const;
  const report = {
    ...smallReport(KEPT.slice(0, 1)),
    verdict: "undecided" as const,
    exitStatus: 0,
    selection,
  };
  const text = consoleReport(viewOf(report, REPORT_CONTEXT));
  assert.doesNotMatch(text, /Errors|untried|ERROR-1/);
  assert.match(
    text,
    /\n\nselection: 1 of 40 vectors and properties, no verdict on the whole \(--only limits --only x\/\*\)\n\nselection passed: 2 of 2 required rules of the selection kept\n1 passed.*\n$/,
  );
});

test("a selection tells what it could not try", () => {
  const skipped = resultOf("errors/one", ["ERROR-1"], { outcome: "skipped", reason: "needs a restart" });
  const text = verdictOf([skipped], {
    selection: { only: ["errors"], chosen: 1, of: 40, outcome: "undecided" },
  });
  assert.match(
    text,
    /^selection undecided: 0 of 1 required rules of the selection kept\n.*\n {2}untried: ERROR-1\n {11}needs a restart\n/,
  );
});

test("a part of a run is not blamed for what other parts try", () => {
  const shard = { index: 1, of: 2, expected: 3, options: [] };
  const text = verdictOf(KEPT.slice(0, 1), { shard, exitStatus: 0 });
  assert.match(text, /^undecided: 2 of 3 required rules kept\n1 passed.*\n$/);
});
