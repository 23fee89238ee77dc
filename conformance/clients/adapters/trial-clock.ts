/** The time of trials. */

/**
 * Clock of a trial. It advances by the client's waits on it, which take no real time, by the steps of the
 * trial, and by the real time between events of the kit, if the client can wait in real time. Time that the
 * kit takes does not count, so that a wait of the client is never longer than the clock shows.
 */
export class TrialClock {
  readonly #includesRealTime: boolean;
  #lastEventAtMs = performance.now();
  /** Time since the start of the trial, in ms. */
  ms = 0;

  constructor(includesRealTime: boolean) {
    this.#includesRealTime = includesRealTime;
  }

  advance(ms: number): void {
    this.ms += ms;
  }

  /** Marks an event after which the client acts: the start of a launch, or the release of a response. */
  markEvent(): void {
    this.#lastEventAtMs = performance.now();
  }

  /** Adds the real time since the last event, when a request arrives. */
  addRealTime(): void {
    if (this.#includesRealTime) this.ms += performance.now() - this.#lastEventAtMs;
    this.markEvent();
  }

  /** Advances the clock. Waits that overlap are not added up. */
  async sleep(ms: number): Promise<void> {
    const untilMs = this.ms + (Number.isFinite(ms) ? Math.max(0, ms) : 0);
    // Code that does not await the wait continues before the clock advances.
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.ms = Math.max(this.ms, untilMs);
    this.markEvent();
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
