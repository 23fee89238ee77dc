/**
 * Clock worlds: the ways in which a conforming service may measure the lifetime of an entry (a challenge, a
 * session, or a draft). A service may round times up, down, or to the nearest step, and include or exclude
 * the last instant. A world is an index into `CLOCKS`.
 */

/** Time span of an event, in ms on the service's clock. On a virtual clock, both ends are equal. */
export interface Interval {
  readonly earliest: number;
  readonly latest: number;
}

/** Interval of an event at an unknown time. */
export const ANY_TIME: Interval = { earliest: Number.NEGATIVE_INFINITY, latest: Number.POSITIVE_INFINITY };

export function instant(ms: number): Interval {
  return { earliest: ms, latest: ms };
}

export type Rounding = (ms: number) => number;

export const exact: Rounding = (ms) => ms;
export const floorTo = (grainMs: number): Rounding => roundTo(grainMs, Math.floor);
export const ceilTo = (grainMs: number): Rounding => roundTo(grainMs, Math.ceil);
export const nearestTo = (grainMs: number): Rounding => roundTo(grainMs, Math.round);

function roundTo(grainMs: number, round: Rounding): Rounding {
  return (ms) => round(ms / grainMs) * grainMs;
}

/** An entry is live while `roundNow(now) < roundExpiry(issued + lifetime)`, or `<=` if `inclusive`. */
interface Clock {
  readonly roundExpiry: Rounding;
  readonly roundNow: Rounding;
  readonly inclusive: boolean;
}

const GRAINS_MS = [100, 250, 1000];

export const CLOCKS: readonly Clock[] = [false, true].flatMap((inclusive) => [
  { roundExpiry: exact, roundNow: exact, inclusive },
  ...GRAINS_MS.flatMap((grainMs) => clocksWithGrain(grainMs, inclusive)),
]);

function clocksWithGrain(grainMs: number, inclusive: boolean): readonly Clock[] {
  const [down, up, nearest] = [floorTo(grainMs), ceilTo(grainMs), nearestTo(grainMs)];
  return [
    { roundExpiry: down, roundNow: down, inclusive },
    { roundExpiry: up, roundNow: up, inclusive },
    { roundExpiry: nearest, roundNow: nearest, inclusive },
    { roundExpiry: down, roundNow: exact, inclusive },
    { roundExpiry: exact, roundNow: down, inclusive },
    { roundExpiry: exact, roundNow: up, inclusive },
    { roundExpiry: up, roundNow: exact, inclusive },
  ];
}

/** Set of clock worlds, as indices into `CLOCKS`. */
export type ClockWorlds = readonly number[];

export const ALL_CLOCKS: ClockWorlds = [...CLOCKS.keys()];

/** Maximum time by which rounding can move an expiry. */
const MAX_ROUNDING_MS = 2 * Math.max(...GRAINS_MS);

/** The worlds in which an entry may be live, and those in which it may be expired. */
export interface Phases {
  readonly live: ClockWorlds;
  readonly expired: ClockWorlds;
}

/**
 * Returns the worlds in which an entry may be live, and those in which it may be expired. With inexact times,
 * a world can be in both sets.
 */
export function splitByPhase(
  worlds: ClockWorlds,
  issued: Interval,
  now: Interval,
  lifetimeMs: number,
): Phases {
  const maxAgeMs = now.latest - issued.earliest;
  if (maxAgeMs < lifetimeMs - MAX_ROUNDING_MS) return { live: worlds, expired: [] };
  const phases = worlds.map((world) => phaseIn(CLOCKS[world] as Clock, issued, now, lifetimeMs));
  return {
    live: worlds.filter((_, index) => phases[index] !== "expired"),
    expired: worlds.filter((_, index) => phases[index] !== "live"),
  };
}

function phaseIn(
  clock: Clock,
  issued: Interval,
  now: Interval,
  lifetimeMs: number,
): "live" | "expired" | "either" {
  if (isLive(clock, lifetimeMs, issued.earliest, now.latest)) return "live";
  return isLive(clock, lifetimeMs, issued.latest, now.earliest) ? "either" : "expired";
}

function isLive(
  { roundExpiry, roundNow, inclusive }: Clock,
  lifetimeMs: number,
  issuedMs: number,
  nowMs: number,
): boolean {
  const [expiry, now] = [roundExpiry(issuedMs + lifetimeMs), roundNow(nowMs)];
  return inclusive ? now <= expiry : now < expiry;
}

/** Returns the union of the clock worlds of several states. */
export function worldsOfStates(states: readonly { readonly clocks: ClockWorlds }[]): ClockWorlds {
  if (states.length === 1) return states[0]?.clocks ?? [];
  return [...new Set(states.flatMap(({ clocks }) => clocks))].sort((one, other) => one - other);
}

/** Removes duplicate states. */
export function distinct<State>(states: readonly State[]): readonly State[] {
  if (states.length < 2) return states;
  return [...new Map(states.map((state) => [JSON.stringify(state), state])).values()];
}
