/** Plays trials on several connections to one client, and judges the results. */
import type { Contract } from "../contract/contract.ts";
import type { Result } from "../play/result.ts";
import { digestOf, selectVectors } from "../run/plan.ts";
import type { Report, RunOptions } from "../run/run.ts";
import { type EarlyEnd, judgeRun } from "../run/verdict.ts";
import type { ClientAdapter, ClientConnection } from "./adapters/client-adapter.ts";
import type { History } from "./history.ts";
import { judge } from "./judge.ts";
import { type PlayOptions, playTrial } from "./play-trial.ts";
import type { Trial } from "./trial.ts";

/** Number of stopped launches that ends a run. Otherwise, endless launches would take hours. */
const MAX_STOPPED_LAUNCHES = { timeout: 3, "request limit": 12 } as const;

/** The options of a run that apply to clients. */
export interface ClientRunOptions
  extends Pick<
    RunOptions,
    "selection" | "seed" | "jobs" | "bail" | "signal" | "onResult" | "nextTurn" | "now"
  > {
  readonly reference: PlayOptions["reference"];
  /** Limit of real time for one launch, in ms; 0 for none (default: 5,000). */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 5_000;

/**
 * Plays trials on a client, each with a separate simulated service, and judges the results. The cases of a
 * vector are played in order on one connection, so that the number of connections does not change which
 * cases a client can mix up.
 * @throws {DataError} if the selection selects nothing
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
  const run = new ClientRun(contract, trials, adapter, options);
  await run.play();
  const { results, ended, requests } = run;
  const isWhole = trials.length === suite.length;
  return {
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
  };
}

class ClientRun {
  readonly #trials: readonly Trial[];
  readonly #adapter: ClientAdapter;
  readonly #options: ClientRunOptions;
  readonly #playOptions: PlayOptions;
  readonly #results = new Map<Trial, Result>();
  readonly #stopped = { timeout: 0, "request limit": 0 };
  #ended: EarlyEnd | undefined;
  requests = 0;

  constructor(
    contract: Contract,
    trials: readonly Trial[],
    adapter: ClientAdapter,
    options: ClientRunOptions,
  ) {
    const { reference, seed = 1, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    this.#trials = trials;
    this.#adapter = adapter;
    this.#options = options;
    this.#playOptions = { contract, reference, seed, timeoutMs };
  }

  /** Results in the order of the suite. */
  get results(): readonly Result[] {
    return this.#trials.flatMap((trial) => this.#results.get(trial) ?? []);
  }

  /** Why the run ended before the last trial. */
  get ended(): EarlyEnd | undefined {
    return this.#results.size < this.#trials.length ? this.#ended : undefined;
  }

  async play(): Promise<void> {
    const { jobs = 1, signal } = this.#options;
    const groups = [...groupByVector(this.#trials)];
    const work = async () => {
      const connection = await this.#adapter.connect();
      for (let group = groups.shift(); group !== undefined; group = groups.shift())
        for (const trial of group) if (this.#ended === undefined) await this.#playOne(trial, connection);
    };
    const aborted = new Promise<void>((resolve) => {
      const end = () => {
        this.#ended = { by: "signal", reason: String(signal?.reason) };
        resolve();
      };
      if (signal?.aborted) end();
      else signal?.addEventListener("abort", end, { once: true });
    });
    await Promise.race([Promise.all(Array.from({ length: jobs }, work)), aborted]);
  }

  async #playOne(trial: Trial, connection: ClientConnection): Promise<void> {
    const { bail = false, onResult, nextTurn } = this.#options;
    const play = () => playTrial(trial, this.#adapter, connection, this.#playOptions);
    const first = await play();
    // A busy machine can delay a launch, so only a second timeout counts.
    const history = countStopped(first, "timeout") > 0 ? await play() : first;
    if (this.#ended?.by === "signal") return;
    const result = judge(trial, history, this.#playOptions.contract);
    this.#results.set(trial, result);
    this.requests += history.exchanges.length;
    onResult?.(result, this.requests);
    this.#countStopped(history);
    if (bail && (result.outcome === "failed" || result.outcome === "error"))
      this.#ended ??= { by: "bail", reason: `${trial.id} is the first failure (--bail)` };
    await nextTurn?.();
  }

  #countStopped(history: History): void {
    for (const kind of ["timeout", "request limit"] as const) {
      this.#stopped[kind] += countStopped(history, kind);
      if (this.#stopped[kind] < MAX_STOPPED_LAUNCHES[kind]) continue;
      const what = kind === "timeout" ? "did not end in time" : "did not end after many requests";
      this.#ended ??= { by: "bail", reason: `${this.#stopped[kind]} launches ${what}` };
    }
  }
}

function countStopped({ launches }: History, kind: "timeout" | "request limit"): number {
  return launches.filter(({ end }) => end.kind === kind).length;
}

/** Returns the trials of each vector, whose cases differ in the last part of their IDs. */
function groupByVector(trials: readonly Trial[]): readonly Trial[][] {
  const groups = new Map<string, Trial[]>();
  for (const trial of trials) {
    const vector = trial.id.split("/").slice(0, 2).join("/");
    groups.set(vector, [...(groups.get(vector) ?? []), trial]);
  }
  return [...groups.values()];
}
