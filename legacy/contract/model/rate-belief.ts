import type { Moment } from "../../engine/search/model.ts";
import { BUILDS_PER_MINUTE, MINUTE_MS } from "../operations.ts";
import type { ClockDoubt } from "./moment.ts";
import { RateExplanations } from "./rate-explanations.ts";
import type { RateVerdict } from "./rate-window.ts";

/** After so long without builds a limiter of any shape stands as at its start, in ms. */
export const QUIET_MS = 2 * MINUTE_MS + 5_000;

type Event = { readonly now: Moment } & (
  | { readonly kind: "accepted" | "maybe-accepted" | "limited" }
  | { readonly kind: "refused"; readonly reason: string }
);

/**
 * What is known of the limiter for one creator. Up to four builds, of whatever outcome, tell nothing and are only
 * noted; from the fifth on every explanation is weighed ({@link RateExplanations}).
 */
export class RateBelief {
  readonly #anchors: readonly number[];
  readonly #doubt: ClockDoubt;
  #noted: Event[] = [];
  #explanations: RateExplanations | undefined;
  /** When something was noted last, in ms. */
  #lastMs = Number.NEGATIVE_INFINITY;

  /** @param anchors see {@link RateExplanations} */
  constructor(anchors: readonly number[], doubt: ClockDoubt) {
    this.#anchors = anchors;
    this.#doubt = doubt;
  }

  /** What the limiter does with a new build at `now`, as far as that is known. */
  verdict(now: Moment): RateVerdict {
    this.#forget(now);
    const untouched = this.#explanations?.idle((this.#noted[0]?.now ?? now).earliest) ?? true;
    return untouched && this.#noted.length < BUILDS_PER_MINUTE ? "accept" : this.#weigh(now).verdict(now);
  }

  /** A new build was made. */
  accepted(now: Moment): void {
    this.#note({ kind: "accepted", now });
  }

  /** A draft was given, and nobody knows whether it was a new build or a retry. */
  maybeAccepted(now: Moment): void {
    this.#note({ kind: "maybe-accepted", now });
  }

  /** A build was refused by the limiter. */
  limited(now: Moment): void {
    this.#note({ kind: "limited", now });
  }

  /** A build was refused for something else. `reason`: builds refused for one reason all count, or none does. */
  refused(now: Moment, reason: string): void {
    this.#note({ kind: "refused", now, reason });
  }

  /** After a restart: whether the limiter remembers is open. Gives the belief about the new service. */
  restarted(fresh: RateBelief, now: Moment): RateBelief {
    this.#forget(now);
    if (this.#noted.length > 0 || this.#explanations?.idle(now.earliest) === false) {
      fresh.#explanations = this.#weigh(now).restarted(fresh.#weigh(now), now);
      fresh.#lastMs = now.latest;
    }
    return fresh;
  }

  #note(event: Event): void {
    this.#forget(event.now);
    this.#noted.push(event);
    this.#lastMs = event.now.latest;
  }

  /** What was noted long ago and never weighed tells nothing any more, and what was weighed has come to rest. */
  #forget({ earliest }: Moment): void {
    if (earliest - this.#lastMs <= QUIET_MS || this.#lastMs === Number.NEGATIVE_INFINITY) return;
    this.#lastMs = Number.NEGATIVE_INFINITY;
    this.#noted = [];
    if (this.#explanations?.weighed) this.#explanations.rest();
    else this.#explanations = undefined;
  }

  #weigh(now: Moment): RateExplanations {
    this.#explanations ??= new RateExplanations(this.#anchors, this.#noted[0]?.now ?? now, this.#doubt);
    const explanations = this.#explanations;
    for (const event of this.#noted) {
      if (event.kind === "accepted") explanations.accepted(event.now);
      else if (event.kind === "maybe-accepted") explanations.maybeAccepted(event.now);
      else if (event.kind === "limited") explanations.limited(event.now);
      else if (event.kind === "refused") explanations.refused(event.now, event.reason);
    }
    this.#noted = [];
    return explanations;
  }
}
