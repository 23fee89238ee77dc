import { isExpected } from "../../engine/run/report.ts";
import { BAILED } from "../../engine/run/stop.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { counts } from "../../reports/waiver.ts";

/** What is remembered of the last run of an implementation: as much as it takes to do again what failed. */
export interface LastRun {
  readonly seed: number;
  /** Random cases that each property tried. */
  readonly runs: number;
  /** Ids of what failed or was an error, in the order of the run. */
  readonly failed: readonly string[];
}

/**
 * What a report tells of its run. What the user knows that it fails does not count, nor do probes, which run where something
 * depends on them.
 */
export function lastRunIn({ seed, runs, results }: GatedReport): LastRun {
  return {
    seed,
    runs,
    failed: results.filter((result) => counts(result) && isExpected(result)).map(({ id }) => id),
  };
}

/**
 * What is to be remembered after a run: all that failed, and of what failed before whatever a run of a part, or one that
 * ended early, did not try again.
 */
export function afterRun(before: LastRun | undefined, report: GatedReport): LastRun {
  const { seed, runs, failed } = lastRunIn(report);
  const tried = new Set(report.results.filter(({ outcome }) => outcome !== "skipped").map(({ id }) => id));
  const left = isWhole(report) ? [] : (before?.failed ?? []).filter((id) => !tried.has(id));
  return { seed, runs, failed: [...failed, ...left] };
}

function isWhole({ selection, shard, stopped, results }: GatedReport): boolean {
  const cut = stopped || results.some(({ reason }) => reason === BAILED.reason);
  return selection === undefined && shard === undefined && !cut;
}
