import { existsSync } from "node:fs";
import { DEFAULT_RUNS } from "../../engine/search/default-runs.ts";
import { readReport } from "../../reports/read-report.ts";
import type { JudgeRunOptions } from "../judge-run.ts";
import type { JudgedData } from "../judged-data.ts";
import type { Output } from "../output.ts";
import { adapterWords } from "../select-adapter.ts";
import { UsageError } from "../usage-error.ts";
import { type LastRun, lastRunIn } from "./last-run.ts";
import type { LastRuns } from "./last-runs.ts";

/** Options of a run that may be one of what failed before. */
export interface FailedOptions extends JudgeRunOptions {
  /** Do only what failed last time: in the run that is remembered, or in a json report. */
  readonly failed?: string | true;
  /** Whether the user has named the seed. */
  readonly seedGiven?: boolean;
}

/** How the last run of an implementation is found, and what of it can be run again. */
export interface Remembered extends Pick<JudgedData, "ids"> {
  readonly words: readonly string[];
}

/** The words by which the last run of an implementation is known. */
export function wordsOf(options: JudgeRunOptions): readonly string[] {
  return options.askedAs ?? adapterWords(options);
}

/**
 * The options of a run of what failed last time, with its seed and its random cases unless the user names others.
 * @param remembered by which words the last run is known, and what there is to run
 * @param lastRuns what is remembered, where `--failed` names no report
 * @returns undefined where nothing failed
 * @throws {UsageError} where no run is remembered, or the options choose otherwise
 * @throws {DataError} for a report with a fault
 */
export async function onlyFailed<Options extends FailedOptions>(
  options: Options,
  { words, ids: known }: Remembered,
  lastRuns: Pick<LastRuns, "read"> | undefined,
  output: Output,
): Promise<Options | undefined> {
  const { failed, only, shard, seedGiven, runsGiven } = options;
  if (only.length > 0 || shard !== undefined)
    throw new UsageError(`--failed chooses by itself: it goes with no ${shard ? "--shard" : "--only"}`);
  const last = typeof failed === "string" ? reported(failed) : lastRuns?.read(words);
  if (last === undefined)
    throw new UsageError(
      "--failed: no run of this implementation is remembered; run it once without --failed, or name a json report",
    );
  const ids = await stillThere(last, known, output);
  if (ids.length === 0) return undefined;
  return {
    ...options,
    only: ids,
    ...(seedGiven ? {} : { seed: last.seed }),
    ...(runsGiven ? {} : { runs: last.runs, runsGiven: last.runs !== DEFAULT_RUNS }),
  };
}

function reported(file: string): LastRun {
  if (!existsSync(file))
    throw new UsageError(`--failed ${file}: no such file (a target goes first: run ${file} --failed)`);
  return lastRunIn(readReport(file));
}

/** What failed, but for what this version of the kit does not have. */
async function stillThere(
  { failed }: LastRun,
  known: JudgedData["ids"],
  output: Output,
): Promise<readonly string[]> {
  const there = failed.length === 0 ? [] : await idsThere(failed, { ids: known });
  const gone = failed.length - there.length;
  if (gone > 0) output.err(`${gone} of ${failed.length} that failed are not in this version of the kit\n`);
  return there;
}

/** Those of some ids that this version of the kit has. */
export async function idsThere(
  ids: readonly string[],
  data: Pick<JudgedData, "ids">,
): Promise<readonly string[]> {
  const known = new Set(await data.ids());
  return ids.filter((id) => known.has(id));
}
