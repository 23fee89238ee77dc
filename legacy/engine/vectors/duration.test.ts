import assert from "node:assert/strict";
import { test } from "node:test";
import { formatClock, parseDuration } from "./duration.ts";

for (const [text, ms] of [
  ["59.999s", 59_999],
  ["60.001s", 60_001],
  ["30s", 30_000],
  ["1h", 3_600_000],
  ["90m", 5_400_000],
  ["1ms", 1],
  ["0.5m", 30_000],
  ["0s", 0],
  ["3599.999s", 3_599_999],
  ["0.0001s", undefined],
  ["1.5ms", undefined],
  ["60", undefined],
  ["60 s", undefined],
  ["-1s", undefined],
  ["1d", undefined],
  ["1h30m", undefined],
  ["", undefined],
] as const) {
  test(`"${text}" is ${ms === undefined ? "no duration" : `${ms} ms`}`, () => {
    assert.equal(parseDuration(text), ms);
  });
}

test("a clock is shown in seconds, to the millisecond", () => {
  assert.equal(formatClock(60_001), "+60.001 s");
  assert.equal(formatClock(0), "+0.000 s");
});
