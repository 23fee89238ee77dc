import { setMaxListeners } from "node:events";
import { inProcessAdapter } from "../adapters/in-process.ts";
import { CHANCE } from "../cli/chance.ts";
import { drawn, judgeRun } from "../cli/judge-run.ts";
import type { Result } from "../engine/play/result.ts";
import { Activity } from "../engine/run/activity.ts";
import { MACHINE_TIME } from "../machine-time.ts";
import { type GatedReport, gatedReport } from "../policies/gated-report.ts";
import { type JudgeAsked, type JudgeOptions, judgeAsked } from "./judge-options.ts";

/** A run that goes on. */
export interface Judging extends AsyncIterable<Result> {
  /**
   * The finished report, of a run that was stopped as well. Rejects with an `AdapterFault` where the implementation could
   * not be reached at all, with a `DataError` or `UsageError` where a file or a name is wrong, and with the signal's
   * reason where it stopped the run before there was anything to report.
   */
  readonly report: Promise<GatedReport>;
  /**
   * The results, each as soon as it is there. To leave the loop stops the run. What a result was seen to break on the
   * way to something else, and what a baseline knows of it, is settled in the report.
   */
  [Symbol.asyncIterator](): AsyncGenerator<Result, void, undefined>;
}

/**
 * Judges an implementation, as the command `run` does. Writes nothing, and leaves the process and its exit status alone.
 *
 * @example
 * const judging = judge({ target: { module: "./service.ts" } });
 * for await (const { id, outcome } of judging) console.log(id, outcome);
 * const { verdict } = await judging.report;
 *
 * @throws {UsageError} one line, for an option that is none or has a wrong value
 */
export function judge(options: JudgeOptions): Judging {
  return beginJudging(judgeAsked(options));
}

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
    // The fault of a run that was stopped before its first result says nothing.
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

/**
 * The results of a run while it goes on. A late reader sees all from the first; one that leaves early stops the run, and
 * continues when it has ended.
 */
class ResultsAsTheyCome implements AsyncIterable<Result> {
  readonly #seen = new Set<string>();
  readonly #results: Result[] = [];
  readonly #leave: () => Promise<unknown>;
  #end: { readonly fault?: unknown } | undefined;
  /** Wakes those who wait for the next result. */
  #wake: (() => void)[] = [];

  /** @param leave stops the run; settles when it has ended */
  constructor(leave: () => Promise<unknown>) {
    this.#leave = leave;
  }

  /** Takes note of a result. */
  readonly add = (result: Result): void => {
    if (this.#seen.has(result.id)) return;
    this.#seen.add(result.id);
    this.#results.push(result);
    this.#tell();
  };

  /** Takes note of the end of the run. @param results all of them: some come only now */
  readonly end = (results: readonly Result[]): void => {
    for (const result of results) this.add(result);
    this.#end = {};
    this.#tell();
  };

  /** Takes note that the run could not be done. */
  readonly fail = (fault: unknown): void => {
    this.#end = { fault };
    this.#tell();
  };

  #tell(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Result, void, undefined> {
    try {
      for (let place = 0; ; ) {
        const result = this.#results[place];
        if (result !== undefined) {
          place += 1;
          yield result;
        } else if (this.#end === undefined) await new Promise<void>((wake) => this.#wake.push(wake));
        else if ("fault" in this.#end) throw this.#end.fault;
        else return;
      }
    } finally {
      if (this.#end === undefined) await this.#leave();
    }
  }
}
