import assert from "node:assert/strict";
import { test } from "node:test";
import type { TimeFacts } from "../engine/run/activity.ts";
import { reportText } from "../testing/reporting.ts";
import { resultOf } from "../testing/results.ts";
import { smallReport } from "../testing/small-report.ts";
import { timeLines } from "./words.ts";

const operation = (name: string, worstMs: number) => ({
  operation: name,
  requests: 12,
  totalMs: 4_000,
  medianMs: 0.31,
  worstMs,
  worstId: "limits/a",
  worstStep: "3",
  spread: [[0.4, 12]] as const,
});
const TIME: TimeFacts = {
  serviceMs: 4_100,
  clockMs: 41_000,
  kitMs: 320,
  playedAgain: 2,
  requests: { asked: 20, preparing: 15, floods: 8, searches: 4, measuring: 1 },
  operations: [operation("build", 6_100), operation("verify", 12.3), operation("a", 1), operation("b", 1)],
};

test("the time is told by what it went on, and the operations that took most of it with their slowest request", () => {
  assert.deepEqual(timeLines({ time: TIME, durationMs: 46_000 }), [
    "time: 4.1 s waiting for the service, 41 s waiting for the clock, 0.3 s the kit's own work",
    "  48 requests: 20 asked, 15 to prepare, 8 to fill stores, 4 of searches, 1 to measure",
    "  build     12 requests, median 0.31 ms, worst 6.1 s (limits/a, step 3)",
    "  verify    12 requests, median 0.31 ms, worst 12 ms (limits/a, step 3)",
    "  a         12 requests, median 0.31 ms, worst 1 ms (limits/a, step 3)",
    "  2 vectors were repeated: the service was too slow or did not respond the first time",
  ]);
  const several = [
    { ...operation("build", 61), amongOthers: 9 },
    { ...operation("verify", 0), amongOthers: 12 },
  ];
  assert.deepEqual(timeLines({ time: { ...TIME, operations: several }, durationMs: 46_000 }).slice(2, 4), [
    "  build     12 requests, of 3 sent alone: median 0.31 ms, worst 61 ms (limits/a, step 3)",
    "  verify    12 requests, all concurrent",
  ]);
  const [line] = timeLines({ time: TIME, durationMs: 23_000 });
  assert.match(line ?? "", /own work, all threads and parts together$/);
  assert.deepEqual(timeLines({ durationMs: 1 }), []);
});

test("every report tells it", async () => {
  const report = { ...smallReport([resultOf("limits/a", ["LIMIT-1"])]), time: TIME };
  for (const name of ["console", "json", "html", "junit", "tap", "spec"]) {
    assert.match(await reportText(name, report), /limits\/a/, name);
    assert.match(await reportText(name, report), /6\.1 s|6100/, name);
  }
});
