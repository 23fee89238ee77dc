/** The time of trials. */

/**
 * Clock of a trial. It advances by the client's waits, which take no real time, and by the steps of the
 * trial. For a client that waits in real time, real time is added.
 */
export class TrialClock {
  readonly #startedAtMs = performance.now();
  readonly #includesRealTime: boolean;
  #advancedMs = 0;

  constructor(includesRealTime: boolean) {
    this.#includesRealTime = includesRealTime;
  }

  /** Time since the start of the trial, in ms. */
  get ms(): number {
    const realMs = this.#includesRealTime ? performance.now() - this.#startedAtMs : 0;
    return this.#advancedMs + realMs;
  }

  advance(ms: number): void {
    this.#advancedMs += ms;
  }

  /** Advances the clock. Waits that overlap are not added up. */
  async sleep(ms: number): Promise<void> {
    const untilMs = this.#advancedMs + (Number.isFinite(ms) ? Math.max(0, ms) : 0);
    // Code that does not await the wait continues before the clock advances.
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#advancedMs = Math.max(this.#advancedMs, untilMs);
  }
}

/**
 * Starts a timer of real time. Returns a function that ends it.
 * @param ms time until the call, in ms; 0 for no call
 */
export function startTimer(ms: number, onEnd: () => void): () => void {
  if (ms === 0) return () => {};
  const timer = setTimeout(onEnd, ms);
  return () => clearTimeout(timer);
}
