import type { Result } from "../engine/play/result.ts";

/**
 * The results of a run while it goes on. Whoever begins to look late sees all from the first; whoever stops looking
 * before the end stops the run, and goes on when it has ended.
 */
export class ResultsAsTheyCome implements AsyncIterable<Result> {
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
