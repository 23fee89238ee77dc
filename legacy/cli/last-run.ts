/** What is remembered of the last run of each implementation, and a run of what failed in it. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isExpected } from "../engine/run/report.ts";
import { BAILED } from "../engine/run/stop.ts";
import { DEFAULT_RUNS } from "../engine/search/default-runs.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { readReport } from "../reports/read-report.ts";
import { counts } from "../reports/view.ts";
import type { JudgeRunOptions } from "./judge-run.ts";
import type { JudgedData } from "./judged-data.ts";
import type { Output } from "./output.ts";
import { adapterWords } from "./select-adapter.ts";
import { UsageError } from "./usage-error.ts";
import { writeWhole } from "./write-file.ts";

/** What is remembered of the last run of an implementation: as much as it takes to do again what failed. */
export interface LastRun {
  readonly seed: number;
  /** Random cases that each property tried. */
  readonly runs: number;
  /** Ids of what failed or was an error, in the order of the run. */
  readonly failed: readonly string[];
}

/** The run that a report is of. Neither known failures count nor probes, which run where something depends on them. */
export function lastRunIn({ seed, runs, results }: GatedReport): LastRun {
  const failed = results.filter((result) => counts(result) && isExpected(result)).map(({ id }) => id);
  return { seed, runs, failed };
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

const PACKAGE = "launch-draft-conformance";
/** Names the folder; where it is set, runs are remembered in CI, too. */
const OWN_FOLDER = "LAUNCH_DRAFT_CACHE";

/** More runs than this are not remembered: the oldest go. */
const MOST_RUNS = 100;

/** Environment that decides where runs are remembered. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  /** The working directory. */
  readonly cwd: string;
}

/** The last run of each implementation, in a small file each: by the folder and the words that name it on a command line. */
export class LastRuns {
  readonly #folder: string;
  readonly #writes: boolean;
  readonly #cwd: string;

  constructor({ environment, cwd }: Surroundings) {
    this.#folder = join(cacheFolder(environment, cwd), "last-run");
    this.#writes = environment[OWN_FOLDER] !== undefined || !isCi(environment);
    this.#cwd = cwd;
  }

  /** The last run of an implementation; undefined where none is remembered. */
  read(words: readonly string[]): LastRun | undefined {
    try {
      const value = JSON.parse(readFileSync(this.#file(words), "utf8")) as unknown;
      return isLastRun(value) ? value : undefined;
    } catch {
      // None was written, or not all of it.
      return undefined;
    }
  }

  /** Remembers a run; what cannot be written is not remembered. */
  write(words: readonly string[], run: LastRun): void {
    if (!this.#writes) return;
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeWhole(this.#file(words), `${JSON.stringify(run)}\n`);
      this.#forgetOldest();
    } catch {
      // A folder that takes no files is no reason for a run to fail.
    }
  }

  #forgetOldest(): void {
    const files = readdirSync(this.#folder).map((name) => join(this.#folder, name));
    if (files.length <= MOST_RUNS) return;
    const ages = files.map((file) => ({ file, ms: statSync(file).mtimeMs })).sort((a, b) => b.ms - a.ms);
    for (const { file } of ages.slice(MOST_RUNS)) rmSync(file, { force: true });
  }

  #file(words: readonly string[]): string {
    const key = createHash("sha256").update(JSON.stringify([this.#cwd, ...words]));
    return join(this.#folder, `${key.digest("hex").slice(0, 16)}.json`);
  }
}

/** Folder in which runs are remembered: next to the installed packages, as is usual, or in the user's cache. */
export function cacheFolder(environment: NodeJS.ProcessEnv, cwd: string): string {
  const own = environment[OWN_FOLDER];
  if (own) return own;
  const packages = join(cwd, "node_modules");
  if (existsSync(packages)) return join(packages, ".cache", PACKAGE);
  return join(environment["XDG_CACHE_HOME"] || join(homedir(), ".cache"), PACKAGE);
}

function isCi({ CI }: NodeJS.ProcessEnv): boolean {
  return CI !== undefined && CI !== "" && CI !== "false";
}

function isLastRun(value: unknown): value is LastRun {
  const { seed, runs, failed } = (value ?? {}) as Partial<Record<keyof LastRun, unknown>>;
  const isCount = (one: unknown) => Number.isSafeInteger(one) && (one as number) >= 0;
  return (
    isCount(seed) && isCount(runs) && Array.isArray(failed) && failed.every((id) => typeof id === "string")
  );
}

/** Options of a run that may be one of what failed before. */
export interface FailedOptions extends JudgeRunOptions {
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
  const { failed: before } = last;
  const ids = before.length === 0 ? [] : await idsThere(before, { ids: known });
  const gone = before.length - ids.length;
  if (gone > 0) output.err(`${gone} of ${before.length} that failed are not in this version of the kit\n`);
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

/** Those of some ids that this version of the kit has. */
export async function idsThere(
  ids: readonly string[],
  data: Pick<JudgedData, "ids">,
): Promise<readonly string[]> {
  const known = new Set(await data.ids());
  return ids.filter((id) => known.has(id));
}
