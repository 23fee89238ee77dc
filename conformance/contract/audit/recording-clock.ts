import type { Recorded, RecordedExchange, RecordedRestart } from "../../engine/audit/recorded.ts";
import { instant, type Moment } from "../../engine/search/model.ts";
import type { SourcePlace } from "../../engine/vectors/vector.ts";
import { ONCE } from "../model/moment.ts";

/** What recorders round moments to. */
const ROUNDED_MS = 1;

/** Place of an item in its recording, and when it took place. */
export interface Placed {
  readonly source: SourcePlace;
  readonly moment: Moment;
  readonly beginsMs: number;
  readonly endsMs: number;
}

/** Places recorded items in time: by the service's own clock where that is known, otherwise by those of the recorders. */
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
   * @param doubtMs how far the clocks of the recorders may be apart
   * @param complete whether no request to the service is missing
   */
  constructor(doubtMs: number, complete: boolean) {
    this.#doubtMs = doubtMs;
    this.#complete = complete;
  }

  /** Whether every exchange has a reading of the service's own clock. */
  get isServices(): boolean {
    return this.#isServices;
  }

  /** When the instance of the service began; any time where unknown. */
  get started(): Moment {
    return this.#complete ? (this.#started ?? ONCE) : ONCE;
  }

  /** When the last whole exchange began. */
  get latestMs(): number {
    return this.#latestMs;
  }

  /** Notes an item; the first shows when the service began. */
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

  /** Notes an exchange with the service. */
  see({ endedMs, clockMs }: RecordedExchange): void {
    this.#latestClockMs = Math.max(this.#latestClockMs, clockMs ?? Number.NEGATIVE_INFINITY);
    this.#latestEndMs = Math.max(this.#latestEndMs, endedMs + this.#doubtMs);
    this.#isServices &&= clockMs !== undefined;
  }

  /** Notes an exchange that can be judged. @returns whether it began long before those that were taken before it */
  isLate({ startedMs }: RecordedExchange): boolean {
    const isLate = startedMs < this.#latestMs - this.#doubtMs;
    this.#latestMs = Math.max(this.#latestMs, startedMs);
    return isLate;
  }

  /**
   * Notes a restart. @returns whether another service was started, since the clock was set back; `maybe another` where the
   * same service may have served requests in flight after it
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
