/** Plays trials on a client, in parallel jobs, and judges the results. */
import type { Contract } from "../contract/contract.ts";
import { groupBy } from "../data/json.ts";
import type { Result } from "../play/result.ts";
import {
  endAfter,
  endByError,
  type Playing,
  type Report,
  type RunOptions,
  reportOf,
  untilAborted,
} from "../run/run.ts";
import type { EarlyEnd } from "../run/verdict.ts";
import { entryId } from "../suite/vector.ts";
import type { ClientAdapter } from "./adapters/client-adapter.ts";
import { measureLateness } from "./adapters/trial-clock.ts";
import { type History, resultOf } from "./history.ts";
import { judge } from "./judge.ts";
import { type PlayOptions, playTrial } from "./play-trial.ts";
import { hasUnclearWaits } from "./rules/retries.ts";
import type { Trial } from "./trial.ts";

/** Number of stopped launches at which a run ends, and the reason. Without a limit, a run can take hours. */
const MAX_STOPPED = {
  timeout: [3, "did not end in time"],
  "request limit": [12, "sent too many requests"],
} as const;

/** Time limit of a launch, as a multiple of the time of the first good one. */
const LIMIT_FACTOR = 4;
/** Time limit of a launch that is played again, as a multiple of the usual one. */
const AGAIN_FACTOR = 3;
/** Delay of the kit itself during a trial that makes its time limits meaningless, as a fraction of the limit. */
const MAX_LATENESS = 0.5;
/** Delay of the kit itself during a trial that can exceed a time limit of the client for a request, in ms. */
const MAX_LATENESS_MS = 100;

/** Start of the first trial: not a whole second, so that rounded times differ from exact ones. */
const FIRST_START_MS = Date.UTC(2026, 9, 10, 12, 0, 0, 250);
/** Time between the starts of two trials. Sessions of one trial have not expired in the next one. */
const TRIAL_INTERVAL_MS = 61_007;

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
export function runClient(
  contract: Contract,
  suite: readonly Trial[],
  adapter: ClientAdapter,
  options: ClientRunOptions,
): Promise<Report> {
  const startTimes = startTimesOf(suite);
  return reportOf(contract, suite, adapter.info, options, (trials) =>
    playAll(contract, trials, startTimes, adapter, options),
  );
}

/**
 * Returns the time at which each trial starts, in ms. A trial starts after the end of the previous one, so that a
 * client that keeps running uses the sessions that it has cached.
 */
function startTimesOf(suite: readonly Trial[]): ReadonlyMap<Trial, number> {
  let startMs = FIRST_START_MS;
  return new Map(
    suite.map((trial) => {
      const ownMs = startMs;
      startMs += TRIAL_INTERVAL_MS;
      for (const step of trial.script) if (step.kind === "advance") startMs += step.ms;
      return [trial, ownMs];
    }),
  );
}

/** Returns the results in the order of the suite, and why the run ended before the last trial. */
async function playAll(
  contract: Contract,
  trials: readonly Trial[],
  startTimes: ReadonlyMap<Trial, number>,
  adapter: ClientAdapter,
  options: ClientRunOptions,
): Promise<Playing> {
  const { reference, seed = 1, timeoutMs = 5_000, jobs = 1 } = options;
  const { signal, onResult, nextTurn } = options;
  const results = new Map<Trial, Result>();
  const stopped = { timeout: 0, "request limit": 0 };
  /** Trials whose result the load of the machine may have caused. They are played again, alone. */
  const slow: Trial[] = [];
  let limitMs = timeoutMs;
  let isCalibrated = false;
  let requests = 0;
  let ended: EarlyEnd | undefined;
  const play = async (trial: Trial, job: number, limit: number) => {
    const startMs = startTimes.get(trial) ?? FIRST_START_MS;
    const getLatenessMs = measureLateness();
    const history = await playTrial(trial, adapter, job, { reference, seed, timeoutMs: limit, startMs });
    const latenessMs = getLatenessMs();
    const isHindered = latenessMs > MAX_LATENESS_MS && isRefusedWithoutFault(history);
    return { history, latenessMs, isHindered };
  };
  const playOnce = async (trial: Trial, job: number): Promise<void> => {
    const { history, isHindered } = await play(trial, job, limitMs);
    // The first good launch shows what the client needs on this machine.
    const good = history.launches.find((launch) => resultOf(launch)?.kind === "draft");
    if (good !== undefined && !isCalibrated) {
      isCalibrated = true;
      if (timeoutMs > 0) limitMs = Math.max(timeoutMs, LIMIT_FACTOR * good.durationMs);
    }
    if (isHindered || isSlow(history) || hasUnclearWaits(history)) slow.push(trial);
    else await finish(trial, history);
  };
  /** Plays a slow trial again. A busy machine can delay a launch, so only the second play counts. */
  const playAgain = async (trial: Trial): Promise<void> => {
    const againMs = limitMs * AGAIN_FACTOR;
    const { history, latenessMs, isHindered } = await play(trial, 0, againMs);
    const isDelayed = isHindered || (latenessMs > againMs * MAX_LATENESS && isSlow(history));
    await finish(trial, { ...history, isDelayed });
  };
  const finish = async (trial: Trial, history: History): Promise<void> => {
    if (signal?.aborted) return;
    const result = judge(trial, history, contract);
    results.set(trial, result);
    requests += history.exchanges.length;
    onResult?.(result, requests);
    for (const kind of ["timeout", "request limit"] as const) {
      stopped[kind] += history.launches.filter(({ end }) => end.kind === kind).length;
      const [maxCount, what] = MAX_STOPPED[kind];
      if (stopped[kind] >= maxCount) ended ??= { by: "bail", reason: `${stopped[kind]} launches ${what}` };
    }
    ended ??= endAfter(result, options);
    await nextTurn?.();
  };
  const fail = (error: unknown) => {
    ended = endByError(error);
  };
  const isOver = () => ended !== undefined || signal?.aborted === true;
  // All jobs take vectors from the same iterator. One job plays all trials of a vector.
  const groups = groupBy(trials, entryId).values();
  const queues = Array.from({ length: jobs }, (): Trial[] => []);
  const work = async (queue: Trial[], job: number) => {
    while (!isOver() && slow.length < MAX_STOPPED.timeout[0]) {
      if (queue.length === 0) queue.push(...(groups.next().value ?? []));
      const trial = queue.shift();
      if (trial === undefined) return;
      await playOnce(trial, job).catch(fail);
    }
  };
  const workInRounds = async () => {
    do {
      await Promise.all(queues.map(work));
      for (const trial of slow.splice(0)) if (!isOver()) await playAgain(trial).catch(fail);
    } while (!isOver() && results.size < trials.length);
  };
  const end = (await untilAborted(workInRounds(), signal)) ?? ended;
  const inOrder = trials.flatMap((trial) => results.get(trial) ?? []);
  const isEarly = inOrder.length < trials.length || end?.by === "error";
  return { results: inOrder, ended: isEarly ? end : undefined, requests };
}

/** Returns whether the kit stopped a launch, or the client gave one up at its deadline. */
function isSlow({ launches }: History): boolean {
  return launches.some(
    (launch) =>
      launch.end.kind === "timeout" || (launch.isPastDeadline && resultOf(launch)?.kind === "refused"),
  );
}

/** Returns whether the client gave up a launch that must end with a draft, although no fault was applied. */
function isRefusedWithoutFault({ launches }: History): boolean {
  return launches.some(
    (launch) =>
      resultOf(launch)?.kind === "refused" &&
      launch.step.expected.every((kind) => kind === "draft") &&
      launch.exchanges.every(({ fault }) => Object.keys(fault).length === 0),
  );
}
