import assert from "node:assert/strict";
import { test } from "node:test";
import { counter } from "../../testing/counter/counter-service.ts";
import { runCounter } from "../../testing/counter/run-counter.ts";
import { Latencies } from "./latencies.ts";
import { searchShare } from "./searching.ts";

/** What requests of so many ms come to, after a first one that took five seconds. */
function times(ms: number) {
  const latencies = new Latencies();
  for (const took of [5_000, ...Array(40).fill(ms)]) latencies.add("build", took, "v", "1");
  return latencies.times();
}

for (const [ms, share] of [
  [0.02, undefined],
  [5, undefined],
  [20, 1 / 2],
  [50, 1 / 8],
  [2_000, 1 / 16],
] as const) {
  test(`of 10,000 requests of ${ms} ms ${share ?? "all"} are tried`, () => {
    const found = searchShare(times(ms), 10_000);
    assert.equal(found?.share, share);
    if (found !== undefined) assert.ok(Math.abs(found.requestMs / ms - 1) < 0.15, `${found.requestMs}`);
  });
}

test("what takes long by itself and little side by side is searched in full", () => {
  assert.equal(searchShare(times(50), 10_000, 5), undefined);
  assert.equal(searchShare(times(50), 10_000, 20)?.share, 1 / 2);
  // Where each waits for the others, one at a time is no slower.
  assert.equal(searchShare(times(50), 10_000, 60)?.share, 1 / 8);
});

test("where nothing was measured, all are", () => {
  assert.equal(searchShare([], 10_000), undefined);
});

test("a slow service is searched less, the report says so, and a part of a run is as any other", async () => {
  const slowTime = () => {
    let ms = 0;
    return { now: () => 0, sleep: async () => {}, precise: () => (ms += 40) };
  };
  const usual = { runs: 60, exhaustive: 3, searchRequests: 10_000 };
  const report = await runCounter(counter(), { ...usual, time: slowTime() });
  assert.deepEqual([report.runs, report.slow?.share, report.slow?.usualRuns], [15, 1 / 4, 60]);
  const shard = { index: 1, of: 2, options: [] };
  for (const whole of [{ time: slowTime(), shard }, {}]) {
    const { runs, slow } = await runCounter(counter(), { ...usual, ...whole });
    assert.deepEqual([runs, slow], [60, undefined]);
  }
});
