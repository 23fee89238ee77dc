import type { Moment } from "../../engine/search/model.ts";
import { BUILDS_PER_MINUTE, MINUTE_MS } from "../operations.ts";
import type { ClockDoubt } from "./moment.ts";
import type { RateKnowledge } from "./rate-belief.ts";
import type { RateVerdict } from "./rate-window.ts";

/** So much less than a minute may be one, on a clock of whole seconds. */
const SHORT_MS = 1_000;
/** Runs of minutes that are looked at. */
const MOST_MINUTES = 10;

/**
 * What every limiter must and must not do for one creator, whatever its shape and however long it runs (contract,
 * "Limits"): it serves whoever sent fewer than five builds in the minute before, and over any run of minutes gives no more
 * than five for each and five more.
 */
export class RateBounds implements RateKnowledge {
  readonly #doubt: Pick<ClockDoubt, "toleranceMs">;
  /** Build requests, whatever they were answered with. */
  #asked: Moment[] = [];
  /** New builds since the service was started. */
  #built: Moment[] = [];

  /** @param doubt how far the service's clock may differ; at 0 an instant is known to be one */
  constructor(doubt: Pick<ClockDoubt, "toleranceMs">) {
    this.#doubt = doubt;
  }

  verdict(now: Moment): RateVerdict {
    this.#forget(now);
    if (this.#isSpent(now)) return "refuse";
    const within = MINUTE_MS + SHORT_MS + 2 * this.#doubt.toleranceMs;
    const asked = this.#asked.filter(({ latest }) => now.earliest - latest <= within).length;
    return asked < BUILDS_PER_MINUTE ? "accept" : "either";
  }

  accepted(now: Moment): void {
    this.#asked.push(now);
    this.#built.push(now);
  }

  /** What may have been a retry counts where that is to the service's good. */
  maybeAccepted(now: Moment): void {
    this.#asked.push(now);
  }

  limited(now: Moment): void {
    this.#asked.push(now);
  }

  refused(now: Moment): void {
    this.#asked.push(now);
  }

  /** The service was started anew: whether its limiter remembers is open. */
  restarted(): void {
    this.#built = [];
  }

  #isSpent(now: Moment): boolean {
    const atOnce = (one: Moment) => one.earliest === now.latest && one.latest === now.earliest;
    if (this.#doubt.toleranceMs === 0 && this.#built.filter(atOnce).length >= BUILDS_PER_MINUTE) return true;
    for (let minutes = 1; minutes <= MOST_MINUTES; minutes++) {
      const within = minutes * (MINUTE_MS - SHORT_MS) - 2 * this.#doubt.toleranceMs;
      const built = this.#built.filter(({ earliest }) => now.latest - earliest < within).length;
      if (built >= (minutes + 1) * BUILDS_PER_MINUTE) return true;
      if (built === this.#built.length) return false;
    }
    return false;
  }

  #forget({ earliest }: Moment): void {
    const recent = ({ latest }: Moment) => earliest - latest <= (MOST_MINUTES + 1) * MINUTE_MS;
    if (this.#asked.length > 0 && !recent(this.#asked[0] ?? { earliest: 0, latest: 0 })) {
      this.#asked = this.#asked.filter(recent);
      this.#built = this.#built.filter(recent);
    }
  }
}
