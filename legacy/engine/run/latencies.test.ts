import assert from "node:assert/strict";
import { test } from "node:test";
import { Latencies, mergeTimes, usualRequestMs } from "./latencies.ts";

/** What so many requests of one operation took. */
function measured(operation: string, times: readonly number[], id = "v"): Latencies {
  const latencies = new Latencies();
  times.forEach((ms, index) => {
    latencies.add(operation, ms, `${id}/${index + 1}`, "1");
  });
  return latencies;
}

test("an operation has a number of requests, their median and the slowest with its vector and step", () => {
  const [time] = measured("build", [...Array(60).fill(2), ...Array(39).fill(3), 6_100]).times();
  assert.ok(time !== undefined && Math.abs(time.medianMs - 2) < 0.2, `${time?.medianMs}`);
  const { operation, requests, totalMs, worstMs, worstId, worstStep } = time;
  assert.deepEqual(
    [operation, requests, totalMs, worstMs, worstId, worstStep],
    ["build", 100, 6_337, 6_100, "v/100", "1"],
  );
});

test("a median is never above the slowest, and what takes no time is counted", () => {
  for (const times of [[0], [15_003, 15_004], [0.02]]) {
    const [time] = measured("build", times).times();
    assert.ok((time?.medianMs ?? 1) <= (time?.worstMs ?? 0), JSON.stringify(time));
  }
});

test("times of several runs together are those of one run", () => {
  const [first, second] = [measured("build", [1, 2, 40]), measured("build", [3, 4, 400, 5], "w")];
  const whole = new Latencies();
  for (const ms of [1, 2, 40]) whole.add("build", ms, "v/3", "1");
  for (const ms of [3, 4, 400, 5]) whole.add("build", ms, "w/3", "1");
  const verify = measured("verify", [1_000]).times();
  assert.deepEqual(mergeTimes([...first.times(), ...second.times(), ...verify]), [
    ...verify,
    ...whole.times(),
  ]);
});

test("a request among others is counted, and nothing is said of its time", () => {
  const latencies = new Latencies();
  for (const ms of [2, undefined, 2, undefined, undefined]) latencies.add("build", ms, "v", "1");
  latencies.add("verify", undefined, "v", "2");
  const times = [...latencies.times(), ...measured("verify", [3]).times()];
  assert.deepEqual(
    mergeTimes(times).map(({ operation, requests, amongOthers, totalMs, worstMs }) => [
      operation,
      ...[requests, amongOthers, totalMs, worstMs],
    ]),
    [
      ["build", 5, 3, 4, 2],
      ["verify", 2, 1, 3, 3],
    ],
  );
  assert.equal(usualRequestMs(latencies.times()), latencies.times()[0]?.medianMs);
});
