import { mergeReports } from "../engine/run/merge-reports.ts";
import type { Report } from "../engine/run/report.ts";
import { type RunOptions, run } from "../engine/run/run.ts";
import { everyId } from "./gates.ts";
import type { RunThreads } from "./run-threads.ts";

/** How often it is looked whether the user wants the threads to stop, in ms. */
const LOOK_EVERY_MS = 50;

/** Does the first part of a run while threads do the others, and gives the report that one run would have given. */
export async function runWithThreads(options: RunOptions, threads: RunThreads): Promise<Report> {
  const { contract, suites, kitVersion, runs, gates = {}, time } = options;
  const startedAt = time.now();
  const stopped = () => {
    const reason = options.stopped?.();
    if (reason !== undefined) threads.stop();
    return reason;
  };
  const own = await run({
    ...options,
    gates: {},
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
  const order =
    runs === 0 && options.exhaustive === undefined
      ? suites.vectors.map(({ id }) => id)
      : await everyId(suites);
  const kit = { contract, version: kitVersion, digest: suites.digest, order };
  return { ...mergeReports(parts, kit, gates), durationMs: Math.round(time.now() - startedAt) };
}
