/** Threads that play tests. Each has its own instance of the implementation. */
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { InternalError } from "../adapters/adapter.ts";
import type { ExpiringOperation } from "../contract/constants.ts";
import type { Measurement } from "../play/lifetimes.ts";
import type { Peaks, Result } from "../play/result.ts";

/** The implementation to test: the parts of an adapter's options that a thread can receive. */
export type WorkerTarget =
  | { readonly reference: string }
  | {
      readonly module?: string;
      readonly command?: string;
      readonly env?: readonly string[] | undefined;
      readonly timeoutMs: number;
      readonly maxWaitMs: number;
    };

/** Input of a worker when it starts. */
export interface WorkerSetup {
  readonly target: WorkerTarget;
  readonly seed: number;
  readonly runs: number;
}

/** Message to a worker: first the measurements of lifetimes, then names of tests, and at the end `undefined`. */
export type WorkerOrder = ReadonlyMap<ExpiringOperation, Measurement> | string | undefined;

/** A test that a worker has played. */
export interface Played {
  readonly id: string;
  readonly result: Omit<Result, "vector">;
  /** Number of requests that the worker has sent so far. */
  readonly requests: number;
  readonly peaks: Peaks;
  /** Set if the kit gave up on the implementation. */
  readonly lost: string | undefined;
}

/** Message of a worker after each test. */
export type WorkerAnswer = Played | { readonly id: string; readonly error: string };

/** Returns the program of a thread. In a checkout, a new thread cannot load TypeScript by itself. */
function programOf({ href }: URL): string {
  if (!href.endsWith(".ts")) return `import(${JSON.stringify(href)})`;
  const loader = JSON.stringify(import.meta.resolve("tsx/esm/api"));
  return `import(${loader}).then((loader) => (loader.register(), import(${JSON.stringify(href)})))`;
}

/** A thread that plays tests of the kit's suite. */
export class TestWorker {
  readonly #worker: Worker;
  readonly #waiting = new Map<string, (answer: WorkerAnswer) => void>();
  requests = 0;
  peaks: Peaks = {};
  #fault: string | undefined;

  constructor(setup: WorkerSetup) {
    const file = new URL(`worker${extname(import.meta.filename)}`, import.meta.url);
    this.#worker = new Worker(programOf(file), { eval: true, workerData: setup });
    this.#worker.on("message", (answer: WorkerAnswer) => this.#answer(answer));
    this.#worker.on("error", (error) => this.#fail(error.message));
    this.#worker.on("messageerror", ({ message }) => this.#fail(`a result was lost: ${message}`));
    this.#worker.on("exit", () => this.#fail("a thread ended"));
  }

  send(order: WorkerOrder): void {
    this.#worker.postMessage(order);
  }

  /**
   * Plays a test, after the measurements were sent. Tests of one worker are played one after the other.
   * @throws {InternalError} if the thread fails
   */
  async play(id: string): Promise<Played> {
    const answer = await new Promise<WorkerAnswer>((resolve) => {
      this.#waiting.set(id, resolve);
      if (this.#fault === undefined) this.send(id);
      else resolve({ id, error: this.#fault });
    });
    if ("error" in answer) throw new InternalError(answer.error);
    return answer;
  }

  /** Ends the thread, and the implementation that it started. */
  async close(): Promise<void> {
    this.send(undefined);
    await new Promise((resolve) => this.#worker.once("exit", resolve));
  }

  terminate(): void {
    void this.#worker.terminate();
  }

  #answer(answer: WorkerAnswer): void {
    if ("requests" in answer) [this.requests, this.peaks] = [answer.requests, answer.peaks];
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }

  #fail(fault: string): void {
    this.#fault ??= fault;
    for (const id of this.#waiting.keys()) this.#answer({ id, error: this.#fault });
  }
}
