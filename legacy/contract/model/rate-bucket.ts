import { BUILDS_PER_MINUTE, MINUTE_MS } from "../operations.ts";
import type { RateVerdict, RateWindow } from "./rate-window.ts";

const PLACES = BUILDS_PER_MINUTE;
const MS_A_PLACE = MINUTE_MS / PLACES;

/** Five places, of which one comes back every twelve seconds, bit by bit; counted in ms towards a place. */
export class SmoothBucket implements RateWindow {
  readonly shape = "refilling";
  readonly key: string;
  readonly #doubtMs: number;
  readonly #creditMs: number;
  readonly #at: number;

  constructor(doubtMs: number, creditMs = PLACES * MS_A_PLACE, at = 0) {
    this.key = `smooth ${creditMs} ${at}`;
    this.#doubtMs = doubtMs;
    this.#creditMs = creditMs;
    this.#at = at;
  }

  verdict(now: number): RateVerdict {
    const spare = this.#creditAt(now) - MS_A_PLACE;
    // Sums of fractions may fall short of a place that has just become whole.
    const doubtMs = now === this.#at ? 0 : 2 * this.#doubtMs + 1;
    if (spare >= doubtMs) return "accept";
    return spare < -doubtMs ? "refuse" : "either";
  }

  counted(now: number): readonly RateWindow[] {
    return [new SmoothBucket(this.#doubtMs, Math.max(0, this.#creditAt(now) - MS_A_PLACE), now)];
  }

  idle(now: number): boolean {
    return this.#creditAt(now) >= PLACES * MS_A_PLACE;
  }

  rested(): RateWindow {
    return new SmoothBucket(this.#doubtMs);
  }

  #creditAt(now: number): number {
    return Math.min(PLACES * MS_A_PLACE, this.#creditMs + now - this.#at);
  }
}

/**
 * Five places, of which a whole one comes back at each full twelve seconds.
 * `anew`: whether the twelve seconds begin anew with every build that finds all places free, or with the first alone.
 */
export class StepBucket implements RateWindow {
  readonly shape = "refilling";
  readonly key: string;
  readonly #doubtMs: number;
  readonly #anew: boolean;
  readonly #places: number;
  readonly #at: number | undefined;

  constructor(doubtMs: number, anew: boolean, places = PLACES, at: number | undefined = undefined) {
    this.key = `step ${anew} ${places} ${at}`;
    this.#doubtMs = doubtMs;
    this.#anew = anew;
    this.#places = places;
    this.#at = at;
  }

  /** A bucket whose twelve seconds are those of a clock, counted from `anchor`, whoever builds when; in ms. */
  static ofClock(doubtMs: number, anchor: number, now: number): StepBucket {
    const since = (now - anchor) % MS_A_PLACE;
    return new StepBucket(doubtMs, false, PLACES, now - since);
  }

  verdict(now: number): RateVerdict {
    const [few, many] = this.#refills(now);
    if (Math.min(PLACES, this.#places + few) >= 1) return "accept";
    return Math.min(PLACES, this.#places + many) < 1 ? "refuse" : "either";
  }

  counted(now: number): readonly RateWindow[] {
    const [few, many] = this.#refills(now);
    return few === many ? [this.#after(few, now)] : [this.#after(few, now), this.#after(many, now)];
  }

  /** The bucket after a build at `now`, where so many steps have passed. */
  #after(steps: number, now: number): StepBucket {
    const places = Math.min(PLACES, this.#places + steps);
    const at =
      this.#at === undefined || (this.#anew && places === PLACES) ? now : this.#at + steps * MS_A_PLACE;
    return new StepBucket(this.#doubtMs, this.#anew, Math.max(0, places - 1), at);
  }

  idle(now: number): boolean {
    return this.#places + this.#refills(now)[0] >= PLACES;
  }

  /** Where its twelve seconds began with the first build, they go on. */
  rested(): RateWindow {
    return this.#anew ? new StepBucket(this.#doubtMs, true) : this;
  }

  /** How many places came back since: at the instant itself, and within the doubt of the clock, one more or less. */
  #refills(now: number): readonly [number, number] {
    if (this.#at === undefined) return [0, 0];
    const since = now - this.#at;
    const few = Math.ceil((since - this.#doubtMs) / MS_A_PLACE) - 1;
    return [Math.max(0, few), Math.max(0, Math.floor((since + this.#doubtMs) / MS_A_PLACE))];
  }
}
