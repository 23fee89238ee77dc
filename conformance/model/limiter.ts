/**
 * States of one creator's limiter of new builds per minute (contract, "Limits"). The contract
 * leaves open how a service counts the minute (limiter worlds) and which refused builds count. Each state
 * is one assumption about which kinds of refused builds count. A state holds the limiter worlds that explain
 * all responses so far under this assumption.
 */
import { BUILDS_PER_MINUTE, LIFETIME_MS } from "../contract/constants.ts";
import { RATE_WINDOW_MS, STATUS_OF_CODE } from "../contract/refusals.ts";
import type { Interval } from "../judge/clocks.ts";
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
  readonly states: readonly LimiterState[];
  /** Whether the exact times of builds are unknown, so that the model can check only bounds. */
  readonly isBounded: boolean;
}

export interface LimiterState extends Possible {
  readonly counting: Counting;
  /** Times of the counted builds. */
  readonly times: readonly number[];
}

/** Limiter worlds that are still possible. */
interface Possible {
  readonly limiters: LimiterWorlds;
  /** Possible offsets in the world `STAGGERED`. */
  readonly offsets: Offsets;
}

/**
 * Assumption about which kinds of refused builds count, as two sets of bits. A kind in `decided` counts if
 * and only if it is also in `counted`. The state assumes nothing about kinds that are not in `decided`.
 */
interface Counting {
  readonly decided: number;
  readonly counted: number;
}

/** Kind of refused builds. A service counts either all refused builds of a kind or none of them. */
type RefusalKind = keyof typeof BIT_OF_KIND;

const BIT_OF_KIND = {
  "invalid field": 1,
  "invalid body or key": 2,
  unauthorized: 4,
  conflict: 8,
  "too large": 16,
  "rate limit": 32,
  capacity: 64,
  "expired draft": 128,
};

/** Bit for one more assumption: refused builds count even while the limit is exceeded. */
const COUNTS_WHILE_REFUSING = 256;

const KIND_OF_STATUS: Readonly<Record<number, RefusalKind>> = {
  401: "unauthorized",
  409: "conflict",
  413: "too large",
};

/** Outcome of a build: a new draft, a repeated earlier draft, either of the two, or a kind of refusal. */
export type LimiterInput = "new" | "replay" | "new or replay" | RefusalKind;

/** @param faultName name of the fault that is the reason for the refusal, if there is one */
export function refusalKind(code: string, faultName: string | undefined): RefusalKind {
  if (code === "OFFLINE_RATE_LIMIT") return "rate limit";
  if (code === "OFFLINE_CAPACITY") return "capacity";
  if (code === "REBUILD_WITH_NEW_KEY") return "expired draft";
  const kind = KIND_OF_STATUS[STATUS_OF_CODE.get(code) ?? 400];
  if (kind !== undefined) return kind;
  const isBeforeFields = faultName === "json" || faultName?.startsWith("key");
  return isBeforeFields ? "invalid body or key" : "invalid field";
}

const NOTHING_DECIDED: Counting = { decided: 0, counted: 0 };
export const INITIAL_LIMITER_STATES: readonly LimiterState[] = [
  { counting: NOTHING_DECIDED, times: [], limiters: ALL_LIMITERS, offsets: ALL_OFFSETS },
];

/** Returns the limiter after a restart, which may keep the counted builds or clear them. */
export function afterRestart(limiter: Limiter): Limiter {
  const { states } = limiter;
  return { ...limiter, states: mergeStates([...states, ...withoutTimes(states)]) };
}

/** Removes the times of a creator's builds from limiter states. The rest applies to all creators. */
export function withoutTimes(states: readonly LimiterState[]): readonly LimiterState[] {
  return mergeStates(states.map((state) => ({ ...state, times: [], offsets: ALL_OFFSETS })));
}

export interface LimiterStep {
  /** States after the response. Empty if no state explains it. */
  readonly states: readonly LimiterState[];
  /** Whether some state explains OFFLINE_RATE_LIMIT. */
  readonly mayRefuse: boolean;
}

/** Maximum number of states, and of counted builds in each. Above either, the model forgets the creator. */
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
 * @param shared limiter states that apply to all creators, without times
 */
export function stepLimiter(
  { anchors, states }: Limiter,
  at: Interval,
  input: LimiterInput,
  hasSession: boolean,
  shared: readonly LimiterState[],
): LimiterStep {
  const now = at.earliest;
  const after: LimiterState[] = [];
  let mayRefuse = false;
  for (const state of states) {
    const limiters = state.limiters & sharedLimiters(state.counting, shared);
    if (limiters === NO_LIMITERS) continue;
    const lastTime = state.times.at(-1) ?? Number.NEGATIVE_INFINITY;
    const times = now - lastTime > LIMITER_MEMORY_MS ? [] : state.times;
    const staggered = splitOffsets(state.offsets, times, now);
    const allowing = limitersThatAllow(times, now, anchors, limiters);
    const allow = possible(limiters & allowing, limiters, staggered.allow);
    const refuse = possible(limiters & ~allowing, limiters, staggered.refuse);
    mayRefuse ||= refuse.limiters !== NO_LIMITERS;
    const all = possible(limiters, limiters, state.offsets);
    const next = continuations({ ...state, times }, now, input, hasSession, allow, refuse, all);
    after.push(...next.filter((one) => one.limiters !== NO_LIMITERS));
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

/**
 * Returns the possible states after a build.
 * @param allow limiters that allow the build
 * @param refuse limiters that refuse it
 * @param all union of both
 */
function continuations(
  { counting, times }: LimiterState,
  now: number,
  input: LimiterInput,
  hasSession: boolean,
  allow: Possible,
  refuse: Possible,
  all: Possible,
): readonly LimiterState[] {
  const countedTimes = [...times, now];
  const asNew = { counting, times: countedTimes, ...allow };
  const uncounted = { counting, times, ...all };
  if (input === "new") return [asNew];
  if (input === "replay") return [uncounted];
  if (input === "new or replay") return [asNew, uncounted];
  // Only a world whose limiter refuses the build explains OFFLINE_RATE_LIMIT.
  const isLimited = input === "rate limit";
  const explaining = isLimited ? refuse : all;
  if (!hasSession) return [{ ...uncounted, ...explaining }];
  const kind = BIT_OF_KIND[input];
  const both = kind | COUNTS_WHILE_REFUSING;
  return [
    ...assuming(counting, kind, 0, { times, ...explaining }),
    ...(isLimited ? [] : assuming(counting, kind, kind, { times: countedTimes, ...allow })),
    ...assuming(counting, both, both, { times: countedTimes, ...refuse }),
    ...assuming(counting, both, kind, { times, ...refuse }),
  ];
}

/**
 * Adds assumptions to a state. Returns an empty list if they contradict earlier assumptions.
 * @param bits kinds of refused builds. The kinds in `countedBits` count, and the rest of `bits` does not.
 */
function assuming(
  { decided, counted }: Counting,
  bits: number,
  countedBits: number,
  state: Omit<LimiterState, "counting">,
): readonly LimiterState[] {
  if ((decided & bits & (counted ^ countedBits)) !== 0) return [];
  return [{ counting: { decided: decided | bits, counted: counted | countedBits }, ...state }];
}

/** Returns the limiter worlds of those shared states that do not contradict these assumptions. */
function sharedLimiters({ decided, counted }: Counting, shared: readonly LimiterState[]): LimiterWorlds {
  let limiters = NO_LIMITERS;
  for (const state of shared) {
    const differing = state.counting.counted ^ counted;
    if ((state.counting.decided & decided & differing) === 0) limiters |= state.limiters;
  }
  return limiters;
}

/** Maximum number of builds that any limiter allows in two adjacent windows. */
const MAX_BUILDS_OF_ANY_LIMITER = 2 * BUILDS_PER_MINUTE;

/**
 * Judges a build by bounds that hold in every world. Used if the order or the times of events are
 * uncertain, or if the history may lack exchanges.
 */
export function stepBounds(states: readonly LimiterState[], at: Interval, input: LimiterInput): LimiterStep {
  const isNew = input === "new";
  // If the history lacks a new build, its retry can look like a new build, up to a draft lifetime later.
  const certainWindowMs = RATE_WINDOW_MS - LIFETIME_MS.build;
  const recent = states[0]?.times.filter((time) => at.latest - time < certainWindowMs) ?? [];
  if (isNew && recent.length >= MAX_BUILDS_OF_ANY_LIMITER) return { states: [], mayRefuse: true };
  const times = isNew ? [...recent, at.earliest] : recent;
  return { states: INITIAL_LIMITER_STATES.map((state) => ({ ...state, times })), mayRefuse: true };
}

/** Merges states that differ only in their limiter worlds. States with different offsets stay separate. */
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
