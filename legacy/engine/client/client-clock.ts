import type { RealTime } from "../play/real-time.ts";

/**
 * The clock that a client waits by in one vector. It begins at 0 and goes on by what the client waits by the kit's clock,
 * which takes no real time; real time that passes is counted besides.
 */
export class ClientClock {
  readonly #time: RealTime;
  readonly #began: number;
  readonly #onMove: (ms: number) => Promise<void>;
  #movedMs = 0;
  /** Whole ms that others were told of. */
  #toldMs = 0;

  /** @param onMove told how many whole ms the clock is moved on */
  constructor(time: RealTime, onMove: (ms: number) => Promise<void>) {
    this.#time = time;
    this.#began = this.#precise();
    this.#onMove = onMove;
  }

  /** In ms since the vector began, real time included. */
  get nowMs(): number {
    return this.#movedMs + this.#precise() - this.#began;
  }

  /** How far it was moved, in whole ms: the same in each run. */
  get movedMs(): number {
    return Math.floor(this.#movedMs);
  }

  /** Waits: those who wait at the same time wait together, rather than one after the other. */
  async sleep(ms: number): Promise<void> {
    const untilMs = this.#movedMs + Math.max(0, ms);
    // Others may begin to wait, too.
    await Promise.resolve();
    if (untilMs <= this.#movedMs) return;
    this.#movedMs = untilMs;
    const whole = this.movedMs - this.#toldMs;
    this.#toldMs += whole;
    if (whole > 0) await this.#onMove(whole);
  }

  #precise(): number {
    return (this.#time.precise ?? this.#time.now)();
  }
}
