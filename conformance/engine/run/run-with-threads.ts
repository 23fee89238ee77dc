import type { Contract } from "../contract.ts";
import { searchIds } from "../search/search-ids.ts";
import type { Suites } from "../vectors/load.ts";
import { mergeReports } from "./merge-reports.ts";
import type { RunOutcome } from "./report.ts";
import { type RunOptions, run } from "./run.ts";
import type { RunThreads } from "./run-threads.ts";

/** How often it is looked whether the user wants the threads to stop, in ms. */
const LOOK_EVERY_MS = 50;

/** Does the first part of a run while threads do the others, and gives what one run would have come to. */
export async function runWithThreads(options: RunOptions, threads: RunThreads<unknown>): Promise<RunOutcome> {
  const { contract, suites, kitVersion, runs, exhaustive, time } = options;
  const startedAt = time.now();
  const stopped = () => {
    const reason = options.stopped?.();
    if (reason !== undefined) threads.stop();
    return reason;
  };
  options.interrupt?.addEventListener("abort", () => threads.stop(), { once: true });
  const own = await run({
    ...options,
    shard: { index: 1, of: threads.of, options: [] },
    nextPlace: () => threads.nextPlace(),
    stopped,
    onResult: (result, done, total) => options.onResult?.(result, done + threads.done, total * threads.of),
  });
  const others = threads.reports();
  let waiting = true;
  const end = () => {
    waiting = false;
  };
  others.then(end, end);
  while (waiting) {
    stopped();
    await Promise.race([others, time.sleep(LOOK_EVERY_MS)]);
  }
  const parts = [own, ...(await others)].map((report, place) => ({ file: `part ${place + 1}`, report }));
  const searched = runs > 0 || exhaustive !== undefined;
  const order = searched ? await everyId(contract, suites) : suites.vectors.map(({ id }) => id);
  const { results, facts } = mergeReports(parts, { version: kitVersion, digest: suites.digest, order });
  return {
    results,
    facts: { ...facts, accepted: options.accepted, durationMs: Math.round(time.now() - startedAt) },
  };
}

/** Every id that there is, in the order of one run. */
export async function everyId(contract: Contract, suites: Suites): Promise<readonly string[]> {
  const { properties, exhaustive } = await searchIds(contract);
  return [...suites.vectors.map(({ id }) => id), ...properties, exhaustive];
}
