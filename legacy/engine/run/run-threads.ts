/** A run in several threads, each of which does a shard of it: for implementations that are called in the kit's own process. */
import { parentPort, Worker } from "node:worker_threads";
import { AdapterFault } from "../../adapters/adapter.ts";
import { everyId } from "../search/search-ids.ts";
import { mergeReports } from "./merge-reports.ts";
import type { Report, RunOutcome } from "./report.ts";
import { type RunOptions, run } from "./run.ts";

/** Options of a run that can be copied to a thread. */
export type CopiedOptions = Pick<RunOptions, "seed" | "salt" | "runs" | "exhaustive" | "maxWaitMs">;

/** What a thread is started with. */
export interface ThreadData<Reach> extends CopiedOptions, Required<Pick<RunOptions, "shard">> {
  /** How the implementation is reached. */
  readonly reach: Reach;
  /** Why what is left is not run, where the run is to stop. */
  readonly stopReason: string;
  /** One number that all threads see at once, not 0 once they are to stop: a busy thread takes in no message. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

/** What a thread says in the end. */
export type ThreadEnd =
  | { readonly report: Report }
  | { readonly fault: { readonly message: string; readonly fatal: boolean; readonly log?: string } };

/** How often it is looked whether the user wants the threads to stop, in ms. */
const LOOK_EVERY_MS = 50;

/** The threads that do all shards of a run but the first, which is for the thread that starts them. */
export class RunThreads<Reach> {
  readonly #of: number;
  readonly #workers: readonly Worker[];
  readonly #ends: Promise<readonly ThreadEnd[]>;
  readonly #stop = new Int32Array(new SharedArrayBuffer(4));

  /**
   * Starts them: loading takes as long as a good part of the work, so the sooner the better.
   * @param entry the module that each runs: it posts what {@link runInThread} gives
   */
  constructor(entry: URL, data: Omit<ThreadData<Reach>, "shard" | "stop">, of: number) {
    this.#of = of;
    this.#workers = Array.from({ length: of - 1 }, (_, place) => {
      const workerData = { ...data, shard: { index: place + 2, of, options: [] }, stop: this.#stop };
      return new Worker(entry, { workerData, execArgv: [] });
    });
    this.#ends = Promise.all(this.#workers.map(endOf));
    // Whoever waits for the reports hears of it; until then it is nobody's.
    this.#ends.catch(() => {});
  }

  /**
   * Does the first shard of a run while the threads do the others.
   * @returns what one run would have come to
   * @throws {AdapterFault} where a thread could not run its implementation
   */
  async run(options: RunOptions): Promise<RunOutcome> {
    const { contract, suites, kitVersion, time } = options;
    const startedAt = time.now();
    const stopped = () => {
      const reason = options.stopped?.();
      if (reason !== undefined) Atomics.store(this.#stop, 0, 1);
      return reason;
    };
    const own = await run({
      ...options,
      shard: { index: 1, of: this.#of, options: [] },
      stopped,
      // All shards are about as long.
      onResult: (result, done, total) => options.onResult?.(result, done * this.#of, total * this.#of),
    });
    let waiting = true;
    const ends = this.#ends.finally(() => {
      waiting = false;
    });
    while (waiting) {
      stopped();
      await Promise.race([ends, time.sleep(LOOK_EVERY_MS)]);
    }
    const reports = [own, ...(await ends).map(reportOf)];
    const parts = reports.map((report, place) => ({ file: `part ${place + 1}`, report }));
    const order = await everyId(contract, suites.vectors);
    const { results, facts } = mergeReports(parts, { version: kitVersion, digest: suites.digest, order });
    return {
      results,
      facts: { ...facts, accepted: options.accepted, durationMs: Math.round(time.now() - startedAt) },
    };
  }

  /** Ends the threads, whatever they are at. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

function endOf(worker: Worker): Promise<ThreadEnd> {
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`a thread of the run ended with exit code ${code}`)));
  });
}

function reportOf(end: ThreadEnd): Report {
  if ("report" in end) return end.report;
  const { message, ...options } = end.fault;
  throw new AdapterFault(message, options);
}

/** What a thread has of its own. */
export type ThreadOwn = Pick<RunOptions, "contract" | "suites" | "adapter" | "kitVersion" | "time">;

/** Does a thread's shard of a run, and posts what came of it. */
export async function runInThread<Reach>(
  { stop, stopReason, reach: _, ...copied }: ThreadData<Reach>,
  own: ThreadOwn,
): Promise<void> {
  parentPort?.postMessage(await endIn({ ...own, ...copied }, () => Atomics.load(stop, 0) !== 0, stopReason));
}

async function endIn(
  given: ThreadOwn & CopiedOptions & Required<Pick<RunOptions, "shard">>,
  isStopped: () => boolean,
  stopReason: string,
): Promise<ThreadEnd> {
  try {
    const stopped = () => (isStopped() ? stopReason : undefined);
    // What is accepted counts where the parts are judged together.
    return { report: await run({ ...given, only: [], bail: false, accepted: new Set(), stopped }) };
  } catch (error) {
    if (!(error instanceof AdapterFault)) throw error;
    const { message, fatal, log } = error;
    return { fault: { message, fatal, ...(log === undefined ? {} : { log }) } };
  }
}
