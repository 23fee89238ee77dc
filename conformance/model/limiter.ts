/**
 * States of the limiter of one creator: new builds per minute (contract, "Limits"). The contract
 * leaves open how a service counts the minute (limiter worlds) and which refused builds count. Each state
 * is one assumption about which kinds of refused builds count. It holds the limiter worlds that explain all
 * responses so far under this assumption.
 */
import { BUILDS_PER_MINUTE, LIFETIME_MS } from "../contract/constants.ts";
import { RATE_WINDOW_MS, STATUS_OF_CODE } from "../contract/refusals.ts";
import type { Interval } from "./clock-worlds.ts";
import {
  ALL_LIMITERS,
  ALL_OFFSETS,
  type Anchors,
  LIMITER_MEMORY_MS,
  type LimiterWorlds,
  limitersThatAllow,
  NO_LIMITERS,
  type Offsets,
  STAGGERED,
  splitOffsets,
} from "./limiter-worlds.ts";

export interface Limiter {
  readonly anchors: Anchors;
  /** Number of restarts of the service that the states account for. */
  readonly restarts: number;
  readonly states: readonly LimiterState[];
  /** Whether the exact times of builds are unknown, so that only bounds hold. */
  readonly isBounded: boolean;
}

export interface LimiterState extends Possible {
  readonly counting: Counting;
  /** Times of the counted builds. */
  readonly times: readonly number[];
}

/** Possible limiters. */
interface Possible {
  readonly limiters: LimiterWorlds;
  /** Possible offsets in the world `STAGGERED`. */
  readonly offsets: Offsets;
}

/** Kinds of refused builds, as bits: `decided` have an assumption, and of these, `counted` count. */
interface Counting {
  readonly decided: number;
  readonly counted: number;
}

/** Either all refused builds of one kind count, or none does. */
type RefusalKind = keyof typeof BIT_OF_KIND;

const BIT_OF_KIND = {
  "invalid field": 1,
  "invalid body or key": 2,
  unauthorized: 4,
  conflict: 8,
  "too large": 16,
  "rate limit": 32,
  capacity: 64,
};

/** Bit for one more assumption: refused builds count even while the limit is exceeded. */
const COUNTS_WHILE_REFUSING = 128;

const KIND_OF_STATUS: Readonly<Record<number, RefusalKind>> = {
  401: "unauthorized",
  409: "conflict",
  413: "too large",
};

/** The kind of a build for the limiter: a successful build, or a kind of refusal. */
export type LimiterInput = "new" | "replay" | "new or replay" | RefusalKind;

/** @param faultName the fault that the refusal is about, if there is one */
export function refusalKind(code: string, faultName: string | undefined): RefusalKind {
  if (code === "OFFLINE_RATE_LIMIT") return "rate limit";
  if (code === "OFFLINE_CAPACITY") return "capacity";
  const kind = KIND_OF_STATUS[STATUS_OF_CODE[code] ?? 400];
  if (kind !== undefined) return kind;
  const isBeforeFields = faultName === "json" || faultName?.startsWith("key");
  return isBeforeFields ? "invalid body or key" : "invalid field";
}

const NOTHING_DECIDED: Counting = { decided: 0, counted: 0 };
export const INITIAL_LIMITER_STATES: readonly LimiterState[] = [
  { counting: NOTHING_DECIDED, times: [], limiters: ALL_LIMITERS, offsets: ALL_OFFSETS },
];

/** Returns the limiter after a restart, which may keep the counted builds or clear them. */
export function afterRestart(limiter: Limiter, restarts: number): Limiter {
  const states = mergeStates(limiter.states.flatMap((state) => [state, ...withoutTimes([state])]));
  return { ...limiter, restarts, states };
}

/** Returns what one creator's limiter shows about all limiters of the service. */
export function withoutTimes(states: readonly LimiterState[]): readonly LimiterState[] {
  return mergeStates(states.map((state) => ({ ...state, times: [], offsets: ALL_OFFSETS })));
}

export interface LimiterStep {
  /** States after the response. Empty if no state explains it. */
  readonly states: readonly LimiterState[];
  /** Whether some state explains OFFLINE_RATE_LIMIT. */
  readonly mayRefuse: boolean;
}

/** Number of states, and of counted builds in a state, above which the model forgets the creator. */
const MAX_STATES = 400;
const MAX_TIMES = 100;

/** Returns whether the model should forget a limiter because it has too many states. */
export function isTooLarge(states: readonly LimiterState[]): boolean {
  return states.length > MAX_STATES || states.some(({ times }) => times.length > MAX_TIMES);
}

/**
 * Keeps the states that explain the response to a build.
 *
 * @param hasSession whether the build has a session: without one, no limiter counts it
 * @param shared states of all limiters of the service, without times
 */
export function stepLimiter(
  { anchors, states }: Limiter,
  at: Interval,
  input: LimiterInput,
  hasSession: boolean,
  shared: readonly LimiterState[],
): LimiterStep {
  const now = at.earliest;
  const allowing = memoize(
    (times: readonly number[]) => times.join(),
    (times) => limitersThatAllow(times, now, anchors),
  );
  const notRuledOut = memoize(
    ({ decided, counted }: Counting) => `${decided} ${counted}`,
    (counting) => sharedLimiters(counting, shared),
  );
  const after: LimiterState[] = [];
  let mayRefuse = false;
  for (const state of states) {
    const limiters = state.limiters & notRuledOut(state.counting);
    if (limiters === NO_LIMITERS) continue;
    const lastTime = state.times.at(-1) ?? Number.NEGATIVE_INFINITY;
    const times = now - lastTime > LIMITER_MEMORY_MS ? [] : state.times;
    const staggered = splitOffsets(state.offsets, times, now);
    const allow = possible(limiters & allowing(times), limiters, staggered.allow);
    const refuse = possible(limiters & ~allowing(times), limiters, staggered.refuse);
    mayRefuse ||= refuse.limiters !== NO_LIMITERS;
    const all = possible(limiters, limiters, state.offsets);
    const next = continuations(state.counting, input, hasSession, allow, refuse, all);
    for (const { counting, isCounted, ...left } of next)
      if (left.limiters !== NO_LIMITERS)
        after.push({ counting, times: isCounted ? [...times, now] : times, ...left });
  }
  return { states: mergeStates(after), mayRefuse };
}

/** Returns the worlds, with `STAGGERED` only if it is in `limiters` and an offset is possible. */
function possible(worlds: LimiterWorlds, limiters: LimiterWorlds, offsets: Offsets): Possible {
  const isStaggered = (limiters & STAGGERED) !== NO_LIMITERS && offsets.length > 0;
  return isStaggered
    ? { limiters: worlds | STAGGERED, offsets }
    : { limiters: worlds & ~STAGGERED, offsets: [] };
}

const IMPOSSIBLE: Possible = { limiters: NO_LIMITERS, offsets: [] };

/** One possible continuation of a state after a build. */
interface Continuation extends Possible {
  readonly counting: Counting;
  /** Whether the build counts. */
  readonly isCounted: boolean;
}

/**
 * @param allow limiters that allow the build
 * @param refuse limiters that refuse it
 * @param all union of both
 */
function continuations(
  counting: Counting,
  input: LimiterInput,
  hasSession: boolean,
  allow: Possible,
  refuse: Possible,
  all: Possible,
): readonly Continuation[] {
  const asNew = { counting, isCounted: true, ...allow };
  const uncounted = { counting, isCounted: false, ...all };
  if (input === "new") return [asNew];
  if (input === "replay") return [uncounted];
  if (input === "new or replay") return [asNew, uncounted];
  // Only a world that refuses explains OFFLINE_RATE_LIMIT.
  const isLimited = input === "rate limit";
  if (!hasSession) return [{ ...uncounted, ...(isLimited ? refuse : all) }];
  const bit = BIT_OF_KIND[input];
  return isLimited
    ? refusedContinuations(counting, bit, IMPOSSIBLE, refuse, refuse)
    : refusedContinuations(counting, bit, allow, refuse, all);
}

/** @param bit kind of the refusal */
function refusedContinuations(
  { decided, counted }: Counting,
  bit: number,
  allow: Possible,
  refuse: Possible,
  all: Possible,
): readonly Continuation[] {
  const mayBe = (choice: number, isCounted: boolean) =>
    (decided & choice) === 0 || ((counted & choice) !== 0) === isCounted;
  const choose = (choices: number, countedChoices: number): Counting => ({
    decided: decided | choices,
    counted: counted | countedChoices,
  });
  const results: Continuation[] = [];
  if (mayBe(bit, false)) results.push({ counting: choose(bit, 0), isCounted: false, ...all });
  if (!mayBe(bit, true)) return results;
  results.push({ counting: choose(bit, bit), isCounted: true, ...allow });
  const both = bit | COUNTS_WHILE_REFUSING;
  if (mayBe(COUNTS_WHILE_REFUSING, true))
    results.push({ counting: choose(both, both), isCounted: true, ...refuse });
  if (mayBe(COUNTS_WHILE_REFUSING, false))
    results.push({ counting: choose(both, bit), isCounted: false, ...refuse });
  return results;
}

/** Returns the limiter worlds that no limiter of the service has ruled out for this way of counting. */
function sharedLimiters({ decided, counted }: Counting, shared: readonly LimiterState[]): LimiterWorlds {
  let limiters = NO_LIMITERS;
  for (const state of shared) {
    const decidedByBoth = state.counting.decided & decided;
    const differs = (decidedByBoth & (state.counting.counted ^ counted)) !== 0;
    if (!differs) limiters |= state.limiters;
  }
  return limiters;
}

/** Maximum number of builds in two adjacent windows. */
const MAX_BUILDS_OF_ANY_LIMITER = 2 * BUILDS_PER_MINUTE;

/**
 * Steps a limiter by bounds that hold in every world. Used if the order or the times of events are
 * uncertain, or if the history may lack exchanges.
 */
export function stepBounds(states: readonly LimiterState[], at: Interval, input: LimiterInput): LimiterStep {
  const isNew = input === "new";
  // If the history lacks a build, its retry can look like a new build up to a draft lifetime later.
  const certainWindowMs = RATE_WINDOW_MS - LIFETIME_MS.build;
  const recent = states[0]?.times.filter((time) => at.latest - time < certainWindowMs) ?? [];
  if (isNew && recent.length >= MAX_BUILDS_OF_ANY_LIMITER) return { states: [], mayRefuse: true };
  const times = isNew ? [...recent, at.earliest] : recent;
  return { states: INITIAL_LIMITER_STATES.map((state) => ({ ...state, times })), mayRefuse: true };
}

/** Merges states that differ only in their limiter worlds. Different offsets prevent a merge. */
export function mergeStates(states: readonly LimiterState[]): readonly LimiterState[] {
  const merged = new Map<string, LimiterState>();
  for (const state of states) {
    const { counting, times, offsets } = state;
    const key = `${counting.decided} ${counting.counted} ${times.join()} ${offsets.join()}`;
    const same = merged.get(key);
    merged.set(key, same === undefined ? state : { ...same, limiters: same.limiters | state.limiters });
  }
  return [...merged.values()];
}

function memoize<Argument, Value>(
  keyOf: (argument: Argument) => string,
  compute: (argument: Argument) => Value,
): (argument: Argument) => Value {
  const values = new Map<string, Value>();
  return (argument) => {
    const key = keyOf(argument);
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = compute(argument);
    values.set(key, value);
    return value;
  };
}
