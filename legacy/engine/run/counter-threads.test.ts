import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { COUNTER } from "../../testing/counter/counter-contract.ts";
import { COUNTER_LIMIT } from "../../testing/counter/counter-operations.ts";
import { counter } from "../../testing/counter/counter-service.ts";
import type { CounterReach } from "../../testing/counter/counter-thread.ts";
import { counterOptions } from "../../testing/counter/run-counter.ts";
import { makeReport, type Report } from "./report.ts";
import { run } from "./run.ts";
import { RunThreads } from "./run-threads.ts";

const ENTRY = new URL("../../testing/counter/counter-thread-entry.mjs", import.meta.url);

test("threads judge a counter as one run does, by a contract that the threads bring along", async () => {
  for (const limit of [COUNTER_LIMIT, COUNTER_LIMIT + 2]) {
    const options = counterOptions(counter({ fits: (value) => value <= limit }), {
      runs: 20,
      exhaustive: 3,
      time: { now: () => 0, sleep: (ms) => sleep(ms) },
    });
    const { seed, runs, maxWaitMs } = options;
    const data = { reach: { limit }, seed, runs, maxWaitMs, exhaustive: 3, stopReason: "interrupted" };
    const threads = new RunThreads<CounterReach>(ENTRY, data, 2);
    try {
      const shared = makeReport(COUNTER, await threads.run(options));
      const whole = await run(options);
      assert.deepEqual({ ...shared, time: whole.time }, whole);
      const operations = (report: Report) => report.time?.operations.map(({ operation }) => operation).sort();
      assert.deepEqual(operations(shared), operations(whole));
      const failed = whole.results.flatMap(({ id, outcome }) => (outcome === "failed" ? [id] : []));
      assert.deepEqual(
        failed,
        limit === COUNTER_LIMIT ? [] : ["counter/beyond-the-limit", "property/counting"],
      );
    } finally {
      await threads.close();
    }
  }
});
