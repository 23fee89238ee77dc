import assert from "node:assert/strict";
import { test } from "node:test";
import { BAILED } from "../engine/run/stop.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { failedResult, resultOf } from "../testing/results.ts";
import { smallReport } from "../testing/small-report.ts";
import { afterRun, lastRunIn } from "./last-run.ts";

const LEFT_OUT = { outcome: "skipped", reason: "needs restart" } as const;

test("what failed or was an error is remembered, but for what the user knows of", () => {
  const report = smallReport([
    failedResult("a/1", ["LIMIT-1"]),
    resultOf("a/2", ["LIMIT-1"]),
    resultOf("a/3", ["LIMIT-1"], { outcome: "error" }),
    resultOf("a/4", ["LIMIT-1"], LEFT_OUT),
    { ...failedResult("a/5", ["LIMIT-1"]), known: { reason: "next week" } },
  ]);
  assert.deepEqual(lastRunIn(report), { seed: 7, runs: 20, failed: ["a/1", "a/3"] });
});

test("a whole run takes the place of the last, a part of one keeps what it did not try", () => {
  const before = { seed: 1, runs: 60, failed: ["a/1", "a/2", "a/4"] };
  const results = [
    resultOf("a/1", ["LIMIT-1"]),
    failedResult("a/3", ["LIMIT-1"]),
    resultOf("a/4", ["LIMIT-1"], LEFT_OUT),
  ];
  const whole = smallReport(results);
  assert.deepEqual(afterRun(before, whole).failed, ["a/3"]);
  assert.deepEqual(afterRun(undefined, whole).failed, ["a/3"]);
  const selection = { only: ["a"], chosen: 3, of: 4, outcome: "failed" } as const;
  const shard = { index: 1, of: 2, expected: 3, options: [] };
  const bailed = smallReport([...results, resultOf("a/2", ["LIMIT-1"], BAILED)]);
  const parts: readonly GatedReport[] = [
    { ...whole, selection },
    { ...whole, stopped: true },
    { ...whole, shard },
    bailed,
  ];
  for (const part of parts) assert.deepEqual(afterRun(before, part).failed, ["a/3", "a/2", "a/4"]);
});
