import { parentPort, Worker } from "node:worker_threads";
import { type Adapter, AdapterFault } from "../../adapters/adapter.ts";
import { Activity } from "./activity.ts";
import type { Report } from "./report.ts";
import { type RunOptions, run } from "./run.ts";

/** Options of a run that can be copied to a thread. */
export type CopiedOptions = Pick<RunOptions, "seed" | "salt" | "runs" | "exhaustive" | "maxWaitMs">;

/** What a thread is started with. */
export interface ThreadData<Reach> extends CopiedOptions, Required<Pick<RunOptions, "shard">> {
  /** How the implementation is reached. */
  readonly reach: Reach;
  /** Why what is left is not run, where the run is to stop. */
  readonly stopReason: string;
  /** Numbers that both sides see at once: see {@link STOP}, {@link DONE}, {@link NEXT} and {@link waitsIn}. */
  readonly memory: SharedArrayBuffer;
}

/** What a thread says in the end. */
export type ThreadEnd =
  | { readonly report: Report }
  | { readonly fault: { readonly message: string; readonly fatal: boolean; readonly log?: string } };

/** Place of the number that is not 0 once the threads are to stop. */
const STOP = 0;
/** Place of the number of results so far, of all threads. */
const DONE = 1;
/** Place of the number of vectors that were taken so far. */
const NEXT = 2;
/** Bytes of these numbers, and of what comes after them for each thread. */
const COUNTS_BYTES = 16;
const WAIT_BYTES = 8;

/** When the last wait of each thread ends, in whole ms since the Unix epoch; 0 where it waits for nothing. */
function waitsIn(memory: SharedArrayBuffer): BigInt64Array {
  return new BigInt64Array(memory, COUNTS_BYTES);
}

/** The threads that do all parts of a run but the first, which is for the thread that starts them. */
export class RunThreads<Reach> {
  /** Parts in all. */
  readonly of: number;
  readonly #workers: readonly Worker[];
  readonly #ends: readonly Promise<ThreadEnd>[];
  readonly #memory: SharedArrayBuffer;
  readonly #shared: Int32Array;

  /**
   * Starts them: loading takes as long as a good part of the work, so the sooner the better.
   * @param entry the module that each runs: it posts what {@link runInThread} gives
   */
  constructor(entry: URL, data: Omit<ThreadData<Reach>, "shard" | "memory">, of: number) {
    this.of = of;
    const memory = new SharedArrayBuffer(COUNTS_BYTES + of * WAIT_BYTES);
    this.#memory = memory;
    this.#shared = new Int32Array(memory, 0, 3);
    this.#workers = Array.from({ length: of - 1 }, (_, place) => {
      const shard = { index: place + 2, of, options: [] };
      const workerData: ThreadData<Reach> = { ...data, shard, memory } as ThreadData<Reach>;
      return new Worker(entry, { workerData, execArgv: [] });
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

  /** When the last wait of any thread ends, in ms since the Unix epoch; 0 where none waits for the clock. */
  get waitsUntilMs(): number {
    const waits = waitsIn(this.#memory);
    return Math.max(...Array.from(waits, (_, thread) => Number(Atomics.load(waits, thread))));
  }

  /** Has each thread end after the vector or property at hand, and at once where it waits. */
  stop(): void {
    if (Atomics.exchange(this.#shared, STOP, 1) !== 0) return;
    for (const worker of this.#workers) worker.postMessage("stop");
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

/** What a thread has of its own. */
export type ThreadOwn = Pick<RunOptions, "contract" | "suites" | "adapter" | "kitVersion" | "time">;

/** Does a thread's part of a run. */
export async function runInThread<Reach>(
  { memory, shard, stopReason, seed, salt, runs, exhaustive, maxWaitMs }: ThreadData<Reach>,
  own: ThreadOwn,
): Promise<ThreadEnd> {
  const shared = new Int32Array(memory, 0, 3);
  const interrupt = new AbortController();
  let adapter = own.adapter;
  // Given up before it is connected it would have nothing to report, and what the others found would be lost with it.
  const connected = new Promise<void>((tell) => {
    adapter = tellingAdapter(own.adapter, tell);
  });
  parentPort?.once("message", () => connected.then(() => interrupt.abort(stopReason)));
  // Waiting for that is no reason to go on.
  parentPort?.unref();
  const activity = new Activity(own.time, interrupt.signal, (untilMs) =>
    Atomics.store(waitsIn(memory), shard.index - 1, BigInt(Math.round(untilMs))),
  );
  try {
    const report = await run({
      ...own,
      adapter,
      activity,
      shard,
      seed,
      ...(salt === undefined ? {} : { salt }),
      runs,
      ...(exhaustive === undefined ? {} : { exhaustive }),
      maxWaitMs,
      only: [],
      bail: false,
      // What is accepted counts where the parts are judged together.
      accepted: new Set(),
      stopped: () => (Atomics.load(shared, STOP) === 0 ? undefined : stopReason),
      nextPlace: () => Atomics.add(shared, NEXT, 1),
      onResult: () => Atomics.add(shared, DONE, 1),
    });
    return { report };
  } catch (error) {
    if (!(error instanceof AdapterFault)) throw error;
    const { message, fatal, log } = error;
    return { fault: { message, fatal, ...(log === undefined ? {} : { log }) } };
  }
}

/** An adapter that tells when it was connected for the first time, or could not be. */
function tellingAdapter(adapter: Adapter, tell: () => void): Adapter {
  return {
    transport: adapter.transport,
    get jobs() {
      return adapter.jobs;
    },
    connect: (contract) => adapter.connect(contract).finally(tell),
    renew: async () => adapter.renew?.(),
    close: () => adapter.close(),
  };
}
