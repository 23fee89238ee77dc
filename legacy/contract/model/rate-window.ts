import { BUILDS_PER_MINUTE, MINUTE_MS } from "../operations.ts";
/** What one kind of limiter would do with a new build. */
export type RateVerdict = "accept" | "refuse" | "either";

/**
 * The memory of a limiter of five new builds a minute, for one creator, of one particular shape. The contract shows no
 * shape, so the model holds one window for each that it can think of. Immutable: counting gives new windows, several
 * where an instant leaves open which it is.
 */
export interface RateWindow {
  /** Reading of open point RATE-SHAPE. */
  readonly shape: string;
  /** Equal windows have equal keys. */
  readonly key: string;
  verdict(now: number): RateVerdict;
  /** The window after a build at `now` (ms) was counted. */
  counted(now: number): readonly RateWindow[];
  /** Whether nothing that was counted matters any more. */
  idle(now: number): boolean;
  /** The window of a limiter of this kind that is idle. */
  rested(): RateWindow;
}

/** Each build counts for 60 s. `doubtMs`: how far ages may be off, by the resolution of the clock. */
export class SlidingWindow implements RateWindow {
  readonly shape = "sliding";
  readonly key: string;
  readonly #times: readonly number[];
  readonly #doubtMs: number;

  constructor(doubtMs: number, times: readonly number[] = []) {
    this.key = `sliding ${times.join()}`;
    this.#doubtMs = doubtMs;
    this.#times = times;
  }

  verdict(now: number): RateVerdict {
    let least = 0;
    let most = 0;
    for (const time of this.#times) {
      const age = now - time;
      if (age < MINUTE_MS - this.#doubtMs) least += 1;
      if (age <= MINUTE_MS + this.#doubtMs) most += 1;
    }
    return most < BUILDS_PER_MINUTE ? "accept" : least >= BUILDS_PER_MINUTE ? "refuse" : "either";
  }

  counted(now: number): readonly RateWindow[] {
    const kept = this.#times.filter((time) => now - time <= MINUTE_MS + this.#doubtMs);
    return [new SlidingWindow(this.#doubtMs, [...kept, now])];
  }

  idle(now: number): boolean {
    return this.#times.every((time) => now - time > MINUTE_MS + this.#doubtMs);
  }

  rested(): RateWindow {
    return new SlidingWindow(this.#doubtMs);
  }
}

/** Whole minutes that begin with the first build, or at `anchor` and every minute after it. */
export class FixedWindow implements RateWindow {
  readonly shape: string;
  readonly key: string;
  readonly #doubtMs: number;
  readonly #anchor: number | undefined;
  readonly #start: number;
  readonly #count: number;

  constructor(doubtMs: number, anchor: number | undefined, start = Number.NEGATIVE_INFINITY, count = 0) {
    this.shape = anchor === undefined ? "fixed" : anchor === 0 ? "clock-aligned" : "other";
    this.key = `fixed ${anchor} ${start} ${count}`;
    this.#doubtMs = doubtMs;
    this.#anchor = anchor;
    this.#start = start;
    this.#count = count;
  }

  verdict(now: number): RateVerdict {
    if (this.#count < BUILDS_PER_MINUTE || this.#surelyOver(now)) return "accept";
    return this.#surelyOn(now) ? "refuse" : "either";
  }

  counted(now: number): readonly RateWindow[] {
    const old = new FixedWindow(this.#doubtMs, this.#anchor, this.#start, this.#count + 1);
    if (this.#surelyOn(now)) return [old];
    const fresh = this.#startsAt(now).map((start) => new FixedWindow(this.#doubtMs, this.#anchor, start, 1));
    return this.#surelyOver(now) ? fresh : [old, ...fresh];
  }

  idle(now: number): boolean {
    return this.#surelyOver(now);
  }

  rested(): RateWindow {
    return new FixedWindow(this.#doubtMs, this.#anchor);
  }

  #surelyOn(now: number): boolean {
    return now - this.#start < MINUTE_MS - this.#doubtMs;
  }

  #surelyOver(now: number): boolean {
    return now - this.#start > MINUTE_MS + this.#doubtMs;
  }

  /** Where a window that takes a build at `now` may have begun. */
  #startsAt(now: number): readonly number[] {
    if (this.#anchor === undefined) return [now];
    const into = (((now - this.#anchor) % MINUTE_MS) + MINUTE_MS) % MINUTE_MS;
    const start = now - into;
    if (into <= this.#doubtMs) return [start, start - MINUTE_MS];
    return MINUTE_MS - into <= this.#doubtMs ? [start, start + MINUTE_MS] : [start];
  }
}
