import type { Recorded, RecordedExchange, RecordedRestart } from "../../engine/audit/recorded.ts";
import { instant, type Moment } from "../../engine/search/model.ts";
import type { SourcePlace } from "../../engine/vectors/vector.ts";
import { ONCE } from "../model/moment.ts";

/** What recorders round moments to. */
const ROUNDED_MS = 1;

/** Where something recorded stands, and when it took place. */
export interface Placed {
  readonly source: SourcePlace;
  readonly moment: Moment;
  readonly beginsMs: number;
  readonly endsMs: number;
}

/** Places what was recorded in time: by the service's own clock where that is known, else by those of the recorders. */
export class RecordingClock {
  readonly #doubtMs: number;
  readonly #complete: boolean;
  #started: Moment | undefined;
  #isServices = true;
  /** When the last exchange may have ended, and when the last began that was whole. */
  #latestEndMs = Number.NEGATIVE_INFINITY;
  #latestMs = Number.NEGATIVE_INFINITY;
  /** Last reading of the service's own clock, where that is known. */
  #latestClockMs = Number.NEGATIVE_INFINITY;

  /**
   * @param doubtMs how far the clocks of those who recorded may be apart
   * @param complete whether nothing is missing of what the service was asked
   */
  constructor(doubtMs: number, complete: boolean) {
    this.#doubtMs = doubtMs;
    this.#complete = complete;
  }

  /** Whether the service's own clock is known of all that was seen. */
  get isServices(): boolean {
    return this.#isServices;
  }

  /** When the instance of the service began, as far as that is known. */
  get started(): Moment {
    return this.#complete ? (this.#started ?? ONCE) : ONCE;
  }

  /** When the last whole exchange began. */
  get latestMs(): number {
    return this.#latestMs;
  }

  /** Takes note that something was recorded; the first thing tells when the service began. */
  begin({ clockMs }: Recorded): void {
    this.#started ??= clockMs === undefined ? ONCE : instant(clockMs);
  }

  placed({ source, startedMs, endedMs = startedMs, clockMs }: Recorded): Placed {
    return {
      source,
      moment: clockMs === undefined ? { earliest: startedMs, latest: endedMs } : instant(clockMs),
      beginsMs: startedMs - this.#doubtMs,
      endsMs: endedMs + this.#doubtMs,
    };
  }

  /** Takes note of an exchange with the service. */
  see({ endedMs, clockMs }: RecordedExchange): void {
    this.#latestClockMs = Math.max(this.#latestClockMs, clockMs ?? Number.NEGATIVE_INFINITY);
    this.#latestEndMs = Math.max(this.#latestEndMs, endedMs + this.#doubtMs);
    this.#isServices &&= clockMs !== undefined;
  }

  /** Takes note of an exchange that can be judged; gives whether it began long before those that were taken in before it. */
  isLate({ startedMs }: RecordedExchange): boolean {
    const isLate = startedMs < this.#latestMs - this.#doubtMs;
    this.#latestMs = Math.max(this.#latestMs, startedMs);
    return isLate;
  }

  /**
   * Takes note of a restart; gives whether it is that of another service, whose clock was set back, and `maybe` where the
   * same may have served after it what was in flight.
   */
  restart(item: RecordedRestart): "same" | "another" | "maybe another" {
    const { startedMs, clockMs } = item;
    const { moment, beginsMs } = this.placed(item);
    this.#started = moment;
    // By other clocks than the service's own, what was in flight at a restart ended after it.
    if (clockMs === undefined) return "same";
    const isBefore = startedMs < this.#latestMs - this.#doubtMs;
    const mayBeSame = !isBefore && this.#latestEndMs > beginsMs + ROUNDED_MS;
    const isSetBack = clockMs < this.#latestClockMs;
    const isAnother = isSetBack || (isBefore && clockMs === this.#latestClockMs);
    this.#latestClockMs = clockMs;
    if (!isAnother) return "same";
    this.#latestMs = Number.NEGATIVE_INFINITY;
    this.#latestEndMs = Number.NEGATIVE_INFINITY;
    return mayBeSame ? "maybe another" : "another";
  }
}
