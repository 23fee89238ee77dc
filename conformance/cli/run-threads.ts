import { Worker } from "node:worker_threads";
import { AdapterFault } from "../adapters/adapter.ts";
import type { Report } from "../engine/run/report.ts";
import type { RunOptions } from "../engine/run/run.ts";
import type { AdapterOptions } from "./select-adapter.ts";

/** What a thread is started with: options of `run` that can be copied, and how the implementation is reached. */
export interface ThreadData
  extends Pick<RunOptions, "seed" | "runs" | "exhaustive" | "maxWaitMs">,
    Required<Pick<RunOptions, "shard">> {
  readonly reach: AdapterOptions;
  readonly accepted: readonly string[];
  /** Numbers that both sides see at once: see {@link STOP}, {@link DONE} and {@link NEXT}. */
  readonly memory: SharedArrayBuffer;
}

/** What a thread says in the end. */
export type ThreadEnd =
  | { readonly report: Report }
  | { readonly fault: { readonly message: string; readonly fatal: boolean; readonly log?: string } };

/** Place of the number that is not 0 once the threads are to stop. */
export const STOP = 0;
/** Place of the number of results so far, of all threads. */
export const DONE = 1;
/** Place of the number of vectors that were taken so far. */
export const NEXT = 2;

/** The threads that do all parts of a run but the first, which is for the thread that starts them. */
export class RunThreads {
  /** Parts in all. */
  readonly of: number;
  readonly #workers: readonly Worker[];
  readonly #ends: readonly Promise<ThreadEnd>[];
  readonly #shared = new Int32Array(new SharedArrayBuffer(12));

  /** Starts them: loading takes as long as a good part of the work, so the sooner the better. */
  constructor(data: Omit<ThreadData, "shard" | "memory">, of: number) {
    this.of = of;
    this.#workers = Array.from({ length: of - 1 }, (_, place) => {
      const shard = { index: place + 2, of, options: [] };
      const memory = this.#shared.buffer as SharedArrayBuffer;
      return new Worker(new URL("./run-thread-entry.mjs", import.meta.url), {
        workerData: { ...data, shard, memory } satisfies ThreadData,
        execArgv: [],
      });
    });
    this.#ends = this.#workers.map(endOf);
    // Whoever waits for the reports hears of it; until then it is nobody's.
    for (const end of this.#ends) end.catch(() => {});
  }

  /** Results so far. */
  get done(): number {
    return Atomics.load(this.#shared, DONE);
  }

  /** The place of the vector that is to be played next, by whichever thread asks. */
  nextPlace(): number {
    return Atomics.add(this.#shared, NEXT, 1);
  }

  /** Has each thread end after the vector or property at hand. */
  stop(): void {
    Atomics.store(this.#shared, STOP, 1);
  }

  /** The reports of the parts. @throws {AdapterFault} where one could not run its implementation */
  async reports(): Promise<readonly Report[]> {
    const ends = await Promise.all(this.#ends);
    return ends.map((end) => {
      if ("report" in end) return end.report;
      const { message, ...options } = end.fault;
      throw new AdapterFault(message, options);
    });
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
