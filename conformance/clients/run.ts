/** Plays trials on a client, in parallel jobs, and judges the results. */
import type { Contract } from "../contract/contract.ts";
import type { Result } from "../play/result.ts";
import { digestOf, selectVectors } from "../run/plan.ts";
import { checkEnd, endAfter, endByError, type Report, type RunOptions, untilAborted } from "../run/run.ts";
import { type EarlyEnd, judgeRun } from "../run/verdict.ts";
import type { ClientAdapter } from "./adapters/client-adapter.ts";
import type { History } from "./history.ts";
import { judge } from "./judge.ts";
import { type PlayOptions, playTrial } from "./play-trial.ts";
import type { Trial } from "./trial.ts";

/** Number of stopped launches at which a run ends, and the reason. Without a limit, a run can take hours. */
const MAX_STOPPED = {
  timeout: [3, "did not end in time"],
  "request limit": [12, "sent too many requests"],
} as const;

/** The options of a run that apply to clients. */
export interface ClientRunOptions extends Omit<RunOptions, "runs" | "maxWaitMs"> {
  readonly reference: PlayOptions["reference"];
  /** Limit of real time for one launch, in ms; 0 for none (default: 5,000). */
  readonly timeoutMs?: number;
}

/**
 * Plays trials on a client, each with a separate simulated service, and judges the results. One job plays all
 * cases of a vector in order. A client that confuses cases of a vector therefore gets the same results with
 * any number of jobs.
 * @throws {DataError} if the selection selects nothing
 * @throws {RunError} if the kit itself fails
 */
export async function runClient(
  contract: Contract,
  suite: readonly Trial[],
  adapter: ClientAdapter,
  options: ClientRunOptions,
): Promise<Report> {
  const { selection = {}, seed = 1, now = () => 0 } = options;
  const startMs = now();
  const trials = selectVectors(suite, selection);
  const { results, ended, requests } = await playAll(contract, trials, adapter, options);
  const isWhole = trials.length === suite.length;
  return checkEnd({
    info: adapter.info,
    results,
    verdict: judgeRun(contract, results, { isWhole, ...(ended && { ended }) }),
    facts: {
      seed,
      runs: 0,
      total: suite.length,
      suite: { vectors: suite.length, digest: digestOf(suite) },
      selection,
      selected: trials.length,
      requests,
      durationMs: now() - startMs,
      ...(ended && { ended }),
    },
  });
}

/** Returns the results in the order of the suite, and why the run ended before the last trial. */
async function playAll(
  contract: Contract,
  trials: readonly Trial[],
  adapter: ClientAdapter,
  options: ClientRunOptions,
) {
  const { reference, seed = 1, timeoutMs = 5_000, jobs = 1, bail = false } = options;
  const { signal, onResult, nextTurn } = options;
  const results = new Map<Trial, Result>();
  const stopped = { timeout: 0, "request limit": 0 };
  let requests = 0;
  let ended: EarlyEnd | undefined;
  const playOnce = async (trial: Trial, job: number): Promise<void> => {
    const play = () => playTrial(trial, adapter, job, { reference, seed, timeoutMs });
    const first = await play();
    // A busy machine can delay a launch, so only a second timeout counts.
    const history = countStopped(first, "timeout") > 0 ? await play() : first;
    if (signal?.aborted) return;
    const result = judge(trial, history, contract);
    results.set(trial, result);
    requests += history.exchanges.length;
    onResult?.(result, requests);
    for (const kind of ["timeout", "request limit"] as const) {
      stopped[kind] += countStopped(history, kind);
      const [maxCount, what] = MAX_STOPPED[kind];
      if (stopped[kind] >= maxCount) ended ??= { by: "bail", reason: `${stopped[kind]} launches ${what}` };
    }
    if (bail) ended ??= endAfter(result);
    await nextTurn?.();
  };
  const playOne = (trial: Trial, job: number) =>
    playOnce(trial, job).catch((error: unknown) => {
      ended = endByError(error);
    });
  // All jobs take vectors from the same iterator.
  const groups = groupByVector(trials).values();
  const work = async (job: number) => {
    for (const group of groups)
      for (const trial of group) if (ended === undefined && !signal?.aborted) await playOne(trial, job);
  };
  const working = Promise.all(Array.from({ length: jobs }, (_, job) => work(job)));
  const end = (await untilAborted(working, signal)) ?? ended;
  const inOrder = trials.flatMap((trial) => results.get(trial) ?? []);
  const isEarly = inOrder.length < trials.length || end?.by === "error";
  return { results: inOrder, ended: isEarly ? end : undefined, requests };
}

function countStopped({ launches }: History, kind: keyof typeof MAX_STOPPED): number {
  return launches.filter(({ end }) => end.kind === kind).length;
}

/** Groups trials by vector. The IDs of the cases of a vector differ only in their last part. */
function groupByVector(trials: readonly Trial[]): readonly (readonly Trial[])[] {
  const vectorOf = ({ id }: Trial) => id.split("/", 2).join("/");
  const vectors = new Set(trials.map(vectorOf));
  return [...vectors].map((vector) => trials.filter((trial) => vectorOf(trial) === vector));
}
