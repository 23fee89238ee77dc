/**
 * The clocks with which a conforming service may measure the lifetime of an entry (a challenge, a session, or
 * a draft). A service may count time in steps, round times up, down, or to the nearest step, and include or
 * exclude the last instant, so that an entry expires up to one step early or late.
 */

import type { ExpiringOperation } from "../contract/constants.ts";
import { Memo } from "../data/memo.ts";

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

/** Rounds half a step to the even step, as Python and .NET do by default (IEEE 754, section 4.3.1). */
export const evenTo = (grainMs: number): Rounding =>
  roundTo(grainMs, (steps) => (Math.abs(steps % 1) === 0.5 ? 2 * Math.round(steps / 2) : Math.round(steps)));

function roundTo(grainMs: number, round: Rounding): Rounding {
  return (ms) => round(ms / grainMs) * grainMs;
}

/** Clock steps of services, in ms, the coarsest first. A second is a multiple of each. */
export const CLOCK_STEPS_MS = [1000, 500, 250, 200, 100, 50, 10, 1];

/** Returns the time, in ms, at which an entry has expired whose lifetime ends at `dueMs`. */
type Expiry = (dueMs: number, stepMs: number) => number;

/** If a clock has no steps, the last instant may still belong to the lifetime. */
const EXACT_EXPIRIES = { exact: (ms) => ms, "exact + 1": (ms) => ms + 1 } satisfies Record<string, Expiry>;

const EXPIRIES: Readonly<Record<string, Expiry>> = {
  ...EXACT_EXPIRIES,
  // The end of the lifetime is rounded. That instant may still belong to the lifetime.
  down: (ms, step) => floorTo(step)(ms),
  "down + 1": (ms, step) => floorTo(step)(ms) + 1,
  up: (ms, step) => ceilTo(step)(ms),
  "up + 1": (ms, step) => ceilTo(step)(ms) + 1,
  nearest: (ms, step) => nearestTo(step)(ms),
  "nearest + 1": (ms, step) => nearestTo(step)(ms) + 1,
  even: (ms, step) => evenTo(step)(ms),
  "even + 1": (ms, step) => evenTo(step)(ms) + 1,
  // The current time is rounded down, or up, before it is compared.
  "down + step": (ms, step) => floorTo(step)(ms) + step,
  "up - step + 1": (ms, step) => ceilTo(step)(ms) - step + 1,
  // The current time is rounded to the nearest step before it is compared.
  "down + half": (ms, step) => floorTo(step)(ms) + Math.ceil(step / 2),
  "up - half": (ms, step) => ceilTo(step)(ms) - Math.floor(step / 2),
  "nearest + half": (ms, step) => nearestTo(step)(ms) + Math.ceil(step / 2),
  "nearest - half": (ms, step) => nearestTo(step)(ms) - Math.floor(step / 2),
  // The same, with half a step rounded to the even step.
  "down to even": (ms, step) => firstRoundedTo(floorTo(step)(ms) + step, step),
  "up to even": (ms, step) => firstRoundedTo(ceilTo(step)(ms), step),
  "even to even": (ms, step) => firstRoundedTo(evenTo(step)(ms), step),
  "even to even + 1": (ms, step) => firstRoundedTo(evenTo(step)(ms) + step, step),
};

/** Returns the first time, in ms, that {@link evenTo} rounds to a multiple of the step. */
function firstRoundedTo(multipleMs: number, step: number): number {
  const halfBefore = multipleMs - Math.floor(step / 2);
  return evenTo(step)(halfBefore) === multipleMs ? halfBefore : halfBefore + 1;
}

/** A way to measure lifetimes: a step in ms, and the name of an expiry, as in `1000 up + 1`. */
type Clock = string;

/** Clocks that no response of a service has ruled out. */
export type Clocks = readonly Clock[];

/** By operation, the clocks that agree with the measured lifetime of the entries that it creates. */
export type MeasuredClocks = Readonly<Partial<Record<ExpiringOperation, Clocks>>>;

/** Returns the clocks that a conforming service may have. @param stepMs stated clock step (default: any) */
export function clocksOfServices(stepMs?: number): Clocks {
  const steps = stepMs === undefined ? CLOCK_STEPS_MS : new Set([stepMs, 1]);
  return [...steps].flatMap((step) => {
    const names = Object.keys(EXPIRIES).filter((name) => name in EXACT_EXPIRIES === (step === 1));
    return names.map((name) => `${step} ${name}`);
  });
}

/** All clocks that a conforming service may have. */
export const ALL_CLOCKS = clocksOfServices();

/** Returns the step of a clock, in ms. */
export function stepOf(clock: Clock): number {
  return Number.parseInt(clock, 10);
}

/** Expiries of the clocks that were used so far. */
const expiryOf = new Memo<(dueMs: number) => number>();

/** Returns the time, in ms, at which an entry has expired by a clock if its lifetime ends at `dueMs`. */
export function expiryBy(clock: Clock, dueMs: number): number {
  const compute = () => {
    const expiry = EXPIRIES[clock.slice(clock.indexOf(" ") + 1)] as Expiry;
    return (ms: number) => expiry(ms, stepOf(clock));
  };
  return expiryOf.get(clock, compute)(dueMs);
}

/** Maximum time by which a clock can move an expiry. */
const MAX_ROUNDING_MS = Math.max(...CLOCK_STEPS_MS);

/** The clocks by which an entry may be live, and those by which it may be expired. */
export interface Phases {
  readonly live: Clocks;
  readonly expired: Clocks;
}

/** Returns the phases in which an entry may be. With inexact times, a clock can be in both sets. */
export function splitByPhase(clocks: Clocks, issued: Interval, now: Interval, lifetimeMs: number): Phases {
  const maxAgeMs = now.latest - issued.earliest;
  if (maxAgeMs < lifetimeMs - MAX_ROUNDING_MS) return { live: clocks, expired: [] };
  // A later end of the lifetime never means an earlier expiry.
  return {
    live: clocks.filter((clock) => now.earliest < expiryBy(clock, issued.latest + lifetimeMs)),
    expired: clocks.filter((clock) => now.latest >= expiryBy(clock, issued.earliest + lifetimeMs)),
  };
}

/** Returns the union of the clocks of several states. */
export function clocksOfStates(states: readonly { readonly clocks: Clocks }[]): Clocks {
  if (states.length === 1) return states[0]?.clocks ?? [];
  return [...new Set(states.flatMap(({ clocks }) => clocks))].sort();
}
