/** The clock of trials, and timers of real time. */

/**
 * Clock of a trial. The steps of the trial and the client's calls of `sleep` advance the clock. These calls
 * take no real time. If the client can wait in real time, the real time between a response and the next
 * request also advances the clock. The clock never shows less time than the client waited. Time that the kit
 * takes does not count.
 */
export class TrialClock {
  readonly #usesRealTime: boolean;
  #lastEventAtMs = performance.now();
  #clientMs = 0;
  /** Times at which the waits in progress end. */
  readonly #ends: number[] = [];
  /** Time since the start of the trial, in ms. */
  ms = 0;

  /** @param usesRealTime whether real time advances the clock */
  constructor(usesRealTime: boolean) {
    this.#usesRealTime = usesRealTime;
  }

  /** Time as the client reads it: the real time since the last event also counts. Never decreases. */
  get clientMs(): number {
    const sinceEventMs = this.#usesRealTime ? performance.now() - this.#lastEventAtMs : 0;
    this.#clientMs = Math.max(this.#clientMs, this.ms + sinceEventMs);
    return this.#clientMs;
  }

  /** Marks an event after which the client acts: the start of a launch, or the release of a response. */
  markEvent(): void {
    this.#lastEventAtMs = performance.now();
  }

  /** Adds the real time since the last event. Called when a request arrives. */
  addRealTime(): void {
    if (!this.#usesRealTime) return;
    this.ms += performance.now() - this.#lastEventAtMs;
    this.markEvent();
  }

  /** Advances the clock. Overlapping waits are not added up, and end in the order of their times. */
  async sleep(ms: number): Promise<void> {
    const untilMs = this.ms + (Number.isFinite(ms) ? Math.max(0, ms) : 0);
    this.#ends.push(untilMs);
    // Code that does not await this call continues before the clock advances.
    do await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#ends.some((other) => other < untilMs));
    this.#ends.splice(this.#ends.indexOf(untilMs), 1);
    this.ms = Math.max(this.ms, untilMs);
    this.markEvent();
  }
}

/** Returns a function that returns the real time since this call, in ms. */
export function startStopwatch(): () => number {
  const startMs = performance.now();
  return () => performance.now() - startMs;
}

/** Interval at which the kit measures its own delays, in ms. */
const TICK_MS = 50;

/** Starts to measure how late timers of this process run. Returns a function that ends this, and returns the sum. */
export function measureLateness(): () => number {
  let lateMs = 0;
  let dueAtMs = performance.now() + TICK_MS;
  const add = () => {
    lateMs += Math.max(0, performance.now() - dueAtMs);
    dueAtMs = performance.now() + TICK_MS;
  };
  const timer = setInterval(add, TICK_MS).unref();
  return () => {
    clearInterval(timer);
    return lateMs;
  };
}

/** Calls a function after `ms` of real time (0: never). Returns a function that stops the timer. */
export function startTimer(ms: number, onEnd: () => void): () => void {
  const timer = ms === 0 ? undefined : setTimeout(onEnd, ms);
  return () => clearTimeout(timer);
}
