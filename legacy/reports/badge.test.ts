import assert from "node:assert/strict";
import { test } from "node:test";
import { REPORT_CONTEXT } from "../testing/reporting.ts";
import { failedResult, resultOf } from "../testing/results.ts";
import { smallReport } from "../testing/small-report.ts";
import { badgeReport } from "./badge.ts";
import { viewOf } from "./view.ts";

const ALL = resultOf("limits/all", ["LIMIT-1", "LIMIT-2", "ERROR-1"]);

for (const [results, badge] of [
  [[ALL], { message: "conforms, 3/3 rules, suite 1.2.3", color: "brightgreen" }],
  [
    [ALL, failedResult("limits/bad", ["LIMIT-1"])],
    { message: "does not conform, 2/3 rules, suite 1.2.3", color: "red", isError: true },
  ],
  [[resultOf("limits/one", ["LIMIT-1"])], { message: "undecided, 1/3 rules, suite 1.2.3", color: "yellow" }],
] as const) {
  test(`a badge says: ${badge.message}`, () => {
    assert.deepEqual(JSON.parse(badgeReport(viewOf(smallReport(results), REPORT_CONTEXT))), {
      schemaVersion: 1,
      label: "partner-preview-1",
      ...badge,
    });
  });
}
