import { setMaxListeners } from "node:events";
import { inProcessAdapter } from "../adapters/in-process.ts";
import { CHANCE } from "../cli/chance.ts";
import { drawn, judgeRun } from "../cli/judge-run.ts";
import { Activity } from "../engine/run/activity.ts";
import { MACHINE_TIME } from "../machine-time.ts";
import { type GatedReport, gatedReport } from "../policies/gated-report.ts";
import type { JudgeAsked } from "./judge-asked.ts";
import type { Judging } from "./judging.ts";
import { ResultsAsTheyCome } from "./results-as-they-come.ts";

/** Why what is left is not run. */
const STOPPED = "not run: the run was stopped";

/** Judges an implementation by options that were read. */
export function beginJudging(asked: JudgeAsked): Judging {
  const stop = new AbortController();
  // Each wait and each search may listen.
  setMaxListeners(0, stop.signal);
  const results = new ResultsAsTheyCome(() => {
    stop.abort(STOPPED);
    return report.catch(() => undefined);
  });
  const report = reportOf(asked, stop, results);
  report.then(({ results: all }) => results.end(all), results.fail);
  return { report, [Symbol.asyncIterator]: () => results[Symbol.asyncIterator]() };
}

async function reportOf(
  { options, service, signal }: JudgeAsked,
  stop: AbortController,
  results: ResultsAsTheyCome,
): Promise<GatedReport> {
  signal?.throwIfAborted();
  const onAbort = () => stop.abort(STOPPED);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const { contract, outcome, gates, asked } = await judgeRun(drawn(options, CHANCE), {
      time: MACHINE_TIME,
      stopped: () => (stop.signal.aborted ? STOPPED : undefined),
      stopReason: STOPPED,
      onSpawn: () => undefined,
      ...(service === undefined ? {} : { reach: () => inProcessAdapter(service, { name: "service" }) }),
      look: (run) =>
        run({
          activity: new Activity(MACHINE_TIME, stop.signal),
          interrupt: stop.signal,
          onResult: results.add,
        }),
    });
    return { ...gatedReport(contract, outcome, gates), asked };
  } catch (error) {
    // Of a run that was stopped before anything came of it, the fault says nothing.
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}
