/**
 * Limiter worlds: the ways in which a conforming service may count new builds per minute. A world is a
 * shape (sliding window, token bucket, …) combined with a rounding of the clock.
 */
import { BUILDS_PER_MINUTE } from "../contract/constants.ts";
import { RATE_WINDOW_MS } from "../contract/refusals.ts";
import { Memo } from "../data/memo.ts";
import { CLOCK_STEPS_MS, ceilTo, evenTo, exact, floorTo, nearestTo, type Rounding } from "../judge/clocks.ts";

/** When a creator first used each operation, in ms. */
export interface FirstUses {
  readonly challenge?: number | undefined;
  readonly session?: number | undefined;
  readonly build?: number | undefined;
}

/**
 * Records a first use of an operation, and of the operations that it needs: a build needs a session, and a
 * session needs a challenge.
 */
export function withFirstUse(known: FirstUses, operation: keyof FirstUses, ms: number): FirstUses {
  if (known[operation] !== undefined) return known;
  return {
    challenge: known.challenge ?? ms,
    session: operation === "challenge" ? known.session : (known.session ?? ms),
    build: operation === "build" ? ms : known.build,
  };
}

/** Instants at which a window or a refill interval may start, in ms. */
export interface Anchors extends FirstUses {
  readonly epoch: number;
  readonly serviceStart: number;
}

/** Returns whether a limiter allows a build now, after counted builds at these times. */
type Allows = (times: readonly number[], now: number, anchors: Anchors) => boolean;

const REFILL_MS = RATE_WINDOW_MS / BUILDS_PER_MINUTE;

const slidingWindow =
  (inclusive: boolean): Allows =>
  (times, now) => {
    const counts = (time: number) => (inclusive ? now - time <= RATE_WINDOW_MS : now - time < RATE_WINDOW_MS);
    return times.filter(counts).length < BUILDS_PER_MINUTE;
  };

/** A window starts at the first build after the previous window. */
const fixedWindow =
  (inclusive: boolean): Allows =>
  (times, now) => {
    const maxAge = inclusive ? RATE_WINDOW_MS : RATE_WINDOW_MS - 1;
    let [start, count] = [Number.NEGATIVE_INFINITY, 0];
    for (const time of times) [start, count] = time - start > maxAge ? [time, 1] : [start, count + 1];
    return now - start > maxAge || count < BUILDS_PER_MINUTE;
  };

/** Windows follow each other without gaps. One of them starts at an anchor. */
const alignedWindow =
  (anchor: keyof Anchors): Allows =>
  (times, now, anchors) => {
    const start = anchors[anchor] ?? 0;
    const windowOf = (time: number) => Math.floor((time - start) / RATE_WINDOW_MS);
    return times.filter((time) => windowOf(time) === windowOf(now)).length < BUILDS_PER_MINUTE;
  };

/** Token bucket that refills continuously. Its credit is in ms; a build costs `REFILL_MS`. */
const continuousBucket: Allows = (times, now) => {
  let [credit, at] = [RATE_WINDOW_MS, 0];
  for (const time of times) {
    credit = Math.max(0, Math.min(RATE_WINDOW_MS, credit + time - at) - REFILL_MS);
    at = time;
  }
  return Math.min(RATE_WINDOW_MS, credit + now - at) >= REFILL_MS;
};

/** Token bucket that gains one token every `REFILL_MS` after an anchor, or after it was last full. */
const steppedBucket =
  (origin: "epoch" | "serviceStart" | "build" | "last full"): Allows =>
  (times, now, anchors) => {
    const anchor = origin === "last full" ? undefined : anchors[origin];
    let [tokens, at] = [BUILDS_PER_MINUTE, anchor ?? times[0] ?? now];
    const refill = (time: number) => {
      const gained = Math.max(0, Math.floor((time - at) / REFILL_MS));
      tokens = Math.min(BUILDS_PER_MINUTE, tokens + gained);
      at = origin === "last full" && tokens === BUILDS_PER_MINUTE ? time : at + gained * REFILL_MS;
    };
    for (const time of times) {
      refill(time);
      tokens = Math.max(0, tokens - 1);
    }
    refill(now);
    return tokens >= 1;
  };

const SHAPES: readonly Allows[] = [
  slidingWindow(false),
  slidingWindow(true),
  fixedWindow(false),
  fixedWindow(true),
  alignedWindow("epoch"),
  alignedWindow("serviceStart"),
  alignedWindow("challenge"),
  alignedWindow("session"),
  alignedWindow("build"),
  continuousBucket,
  steppedBucket("epoch"),
  steppedBucket("serviceStart"),
  steppedBucket("build"),
  steppedBucket("last full"),
];

const ROUNDINGS: readonly Rounding[] = CLOCK_STEPS_MS.flatMap((stepMs) =>
  stepMs === 1 ? [exact] : [floorTo(stepMs), ceilTo(stepMs), nearestTo(stepMs), evenTo(stepMs)],
);

/** Set of limiter worlds: a bit per combination of a rounding and a shape, and one for {@link STAGGERED}. */
export type LimiterWorlds = bigint;

export const NO_LIMITERS: LimiterWorlds = 0n;
/** World of windows that follow each other without gaps. Their offset can differ between creators. */
export const STAGGERED: LimiterWorlds = 1n << BigInt(ROUNDINGS.length * SHAPES.length);
export const ALL_LIMITERS: LimiterWorlds = 2n * STAGGERED - 1n;

/** Offsets within a minute at which a creator's windows may start: half-open ranges in ms. */
export type Offsets = readonly (readonly [from: number, to: number])[];
export const ALL_OFFSETS: Offsets = [[0, RATE_WINDOW_MS]];

/** Returns the offsets with which a limiter allows a build now, and those with which it does not. */
export function splitOffsets(
  offsets: Offsets,
  times: readonly number[],
  now: number,
): { readonly allow: Offsets; readonly refuse: Offsets } {
  const oldest = times.filter((time) => now - time < RATE_WINDOW_MS).at(-BUILDS_PER_MINUTE);
  if (oldest === undefined) return { allow: offsets, refuse: [] };
  // The limiter allows a build if the current window started after `oldest`, and not later than now.
  const from = (oldest + 1) % RATE_WINDOW_MS;
  const to = from + now - oldest;
  const started: Offsets = [
    [from, Math.min(to, RATE_WINDOW_MS)],
    [0, to - RATE_WINDOW_MS],
  ];
  const others: Offsets = [
    [to - RATE_WINDOW_MS, from],
    [to, RATE_WINDOW_MS],
  ];
  return { allow: intersect(offsets, started), refuse: intersect(offsets, others) };
}

function intersect(some: Offsets, others: Offsets): Offsets {
  return some.flatMap(([from, to]) =>
    others.flatMap(([otherFrom, otherTo]): Offsets => {
      const range = [Math.max(from, otherFrom, 0), Math.min(to, otherTo)] as const;
      return range[0] < range[1] ? [range] : [];
    }),
  );
}

/** By roundings, times, and anchors: limiter worlds. The states of a limiter, and many cases, have the same times. */
const allowing = new Memo<LimiterWorlds>();

/** By rounding: the worlds of all shapes. */
const WORLDS_OF_ROUNDINGS = ROUNDINGS.map((_, index) => {
  const shapes = (1n << BigInt(SHAPES.length)) - 1n;
  return shapes << BigInt(index * SHAPES.length);
});

/**
 * Returns worlds that allow a build now, after counted builds at these times: all such worlds among the given
 * ones, and maybe others.
 */
export function limitersThatAllow(
  times: readonly number[],
  now: number,
  anchors: Anchors,
  among: LimiterWorlds,
): LimiterWorlds {
  if (times.length < BUILDS_PER_MINUTE) return ALL_LIMITERS;
  const isPossible = WORLDS_OF_ROUNDINGS.map((worlds) => (worlds & among) !== NO_LIMITERS);
  const roundings = [...isPossible.keys()].filter((index) => isPossible[index]);
  const { epoch, serviceStart, challenge, session, build } = anchors;
  const key = `${roundings} ${times.join()} ${now} ${epoch} ${serviceStart} ${challenge} ${session} ${build}`;
  return allowing.get(key, () => computeAllowing(times, now, anchors, roundings));
}

function computeAllowing(
  times: readonly number[],
  now: number,
  anchors: Anchors,
  roundings: readonly number[],
): LimiterWorlds {
  let worlds = NO_LIMITERS;
  for (const index of roundings) {
    const round = ROUNDINGS[index] as Rounding;
    const roundedTimes = times.map(round);
    const roundedNow = round(now);
    const roundedAnchors = roundAnchors(anchors, round);
    for (const [shape, allows] of SHAPES.entries())
      if (allows(roundedTimes, roundedNow, roundedAnchors))
        worlds |= 1n << BigInt(index * SHAPES.length + shape);
  }
  return worlds;
}

function roundAnchors({ epoch, serviceStart, challenge, session, build }: Anchors, round: Rounding): Anchors {
  const roundKnown = (ms: number | undefined) => (ms === undefined ? undefined : round(ms));
  return {
    ...{ epoch, serviceStart: round(serviceStart) },
    ...{ challenge: roundKnown(challenge), session: roundKnown(session), build: roundKnown(build) },
  };
}

/** Time without a build after which a limiter forgets earlier builds. The limiter keeps its anchors. */
export const LIMITER_MEMORY_MS = 2 * RATE_WINDOW_MS + 2000;
