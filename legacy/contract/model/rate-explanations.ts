import type { Moment } from "../../engine/search/model.ts";
import { BUILDS_PER_MINUTE, MINUTE_MS } from "../operations.ts";
import { CountedKinds } from "./counted-kinds.ts";
import type { ClockDoubt } from "./moment.ts";
import { SmoothBucket, StepBucket } from "./rate-bucket.ts";
import { FixedWindow, type RateVerdict, type RateWindow, SlidingWindow } from "./rate-window.ts";

/** One explanation of all that a limiter did to one creator so far. */
interface Explanation {
  readonly window: RateWindow;
  /** Kinds of refused builds that count, and kinds that do not: decided where that made a difference. */
  readonly counts: CountedKinds;
}

/** More explanations than this and the model weighs none: until the limiter has rested, it may do whatever it does. */
const MOST_EXPLANATIONS = 400;

/**
 * What is known of the limiter for one creator (contract, "Limits": five new builds a minute, of no shown shape). It
 * holds every explanation that fits all answers so far and drops those that the next answer rules out, so that a
 * legal limiter never runs out of explanations and an inconsistent one does. Whether refused builds count is open too.
 */
export class RateExplanations {
  #explanations: readonly Explanation[];
  #weighed: boolean;
  /** Whether what was built at one reading of the clock was built at one instant. */
  readonly #exact: boolean;
  /** New builds at one instant: five in any shape, whatever an instant between two minutes counts for. */
  #burst = { at: Number.NaN, count: 0 };
  readonly #doubtMs: number;

  /**
   * @param anchors moments from which a limiter might count its minutes: the start of the service, the creator's
   *   first challenge and session, in ms
   * @param doubt with a tolerance (a real clock) nothing can be told apart
   */
  constructor(anchors: readonly number[], now: Moment, doubt: ClockDoubt) {
    const { earlyMs, lateMs } = doubt.timekeeping.others;
    this.#doubtMs = Math.max(earlyMs, lateMs);
    this.#exact = doubt.toleranceMs === 0;
    this.#weighed = this.#exact;
    const aligned = new Set([0, ...anchors, now.earliest].map((anchor) => anchor % MINUTE_MS));
    const windows = [
      new SlidingWindow(this.#doubtMs),
      new FixedWindow(this.#doubtMs, undefined),
      ...[...aligned].map((anchor) => new FixedWindow(this.#doubtMs, anchor)),
      new SmoothBucket(this.#doubtMs),
      new StepBucket(this.#doubtMs, true),
      new StepBucket(this.#doubtMs, false),
      ...[0, ...anchors].map((anchor) => StepBucket.ofClock(this.#doubtMs, anchor, now.earliest)),
    ];
    const counts = CountedKinds.none();
    this.#explanations = windows.map((window) => ({ window, counts }));
  }

  /** Whether there are few enough to tell anything by. */
  get weighed(): boolean {
    return this.#weighed;
  }

  /**
   * After so long without builds that nothing counts any more: what is known of the shape stays, and each way to have
   * come to rest in one shape is as good as another.
   */
  rest(): void {
    const counts = CountedKinds.none();
    const rested = new Map<string, RateWindow>();
    for (const { window } of this.#explanations) {
      const still = window.rested();
      rested.set(still.key, still);
    }
    this.#explanations = [...rested.values()].map((window) => ({ window, counts }));
  }

  /** What the limiter does with a new build at `now`, as far as that is known. */
  verdict({ earliest: now }: Moment): RateVerdict {
    if (this.#exact && this.#burst.at === now && this.#burst.count >= BUILDS_PER_MINUTE) return "refuse";
    if (!this.#weighed) return "either";
    let common: RateVerdict | undefined;
    for (const { window } of this.#explanations) {
      const verdict = window.verdict(now);
      if (verdict === "either" || (common !== undefined && common !== verdict)) return "either";
      common = verdict;
    }
    return common ?? "either";
  }

  /** Readings of RATE-SHAPE that fit everything seen. */
  shapes(): ReadonlySet<string> {
    return new Set(this.#explanations.map(({ window }) => window.shape));
  }

  /** A new build was made. */
  accepted({ earliest: now }: Moment): void {
    this.#burst = { at: now, count: this.#burst.at === now ? this.#burst.count + 1 : 1 };
    this.#keep((window) => window.verdict(now) !== "refuse");
    const next: Explanation[] = [];
    const countedOf = countedAt(now);
    for (const { window, counts } of this.#explanations)
      for (const counted of countedOf(window)) next.push({ window: counted, counts });
    this.#replace(next);
  }

  /** A draft was given, and nobody knows whether it was a new build or a retry. */
  maybeAccepted({ earliest: now }: Moment): void {
    const next = [...this.#explanations];
    const countedOf = countedAt(now);
    for (const { window, counts } of this.#explanations) {
      if (window.verdict(now) === "refuse") continue;
      for (const counted of countedOf(window)) next.push({ window: counted, counts });
    }
    this.#replace(next);
  }

  /** A build was refused by the limiter. */
  limited(now: Moment): void {
    this.#keep((window) => window.verdict(now.earliest) !== "accept");
    this.refused(now, "429");
  }

  /** A build was refused for something else. `kind`: builds of one kind all count, or none does. */
  refused({ earliest: now }: Moment, kind: string): void {
    const next: Explanation[] = [];
    const countedOf = countedAt(now);
    for (const explanation of this.#explanations) {
      const { window, counts } = explanation;
      const known = counts.get(kind);
      if (known === false) {
        next.push(explanation);
        continue;
      }
      if (known === undefined) next.push({ window, counts: counts.with(kind, false) });
      const counting = known ? counts : counts.with(kind, true);
      // A limiter that refuses may count what it refuses, or not.
      if (window.verdict(now) === "refuse") next.push({ window, counts: counting });
      for (const counted of countedOf(window)) next.push({ window: counted, counts: counting });
    }
    this.#replace(next);
  }

  /** After a restart: whether the limiter remembers is open. Gives the belief about the new service. */
  restarted(fresh: RateExplanations, { earliest: now }: Moment): RateExplanations {
    fresh.#weighed = this.#weighed;
    fresh.#replace([...fresh.#explanations, ...this.#explanations.filter(({ window }) => !window.idle(now))]);
    return fresh;
  }

  /** Whether nothing that was counted matters any more, in any of them. */
  idle(now: number): boolean {
    return this.#weighed && this.#explanations.every(({ window }) => window.idle(now));
  }

  #keep(fits: (window: RateWindow) => boolean): void {
    this.#explanations = this.#explanations.filter(({ window }) => fits(window));
  }

  #replace(explanations: readonly Explanation[]): void {
    if (explanations.length <= this.#explanations.length) {
      this.#explanations = explanations;
      return;
    }
    this.#explanations = distinct(explanations);
    if (this.#explanations.length <= MOST_EXPLANATIONS) return;
    this.#weighed = false;
    this.#explanations = [];
  }
}

/** What windows are after a build at `now`, each asked once: most explanations share theirs with others. */
function countedAt(now: number): (window: RateWindow) => readonly RateWindow[] {
  const known = new Map<RateWindow, readonly RateWindow[]>();
  return (window) => {
    let counted = known.get(window);
    if (counted === undefined) {
      counted = window.counted(now);
      known.set(window, counted);
    }
    return counted;
  };
}

/** Each explanation once; those with equal windows share one. */
function distinct(explanations: readonly Explanation[]): readonly Explanation[] {
  const byWindow = new Map<string, { readonly window: RateWindow; readonly counts: Set<string> }>();
  const found: Explanation[] = [];
  for (const explanation of explanations) {
    const { window, counts } = explanation;
    const known = byWindow.get(window.key);
    if (known === undefined) {
      byWindow.set(window.key, { window, counts: new Set([counts.key]) });
      found.push(explanation);
    } else if (!known.counts.has(counts.key)) {
      known.counts.add(counts.key);
      found.push(known.window === window ? explanation : { window: known.window, counts });
    }
  }
  return found;
}
