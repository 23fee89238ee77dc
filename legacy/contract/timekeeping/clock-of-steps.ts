import type { End } from "./find-end.ts";

/** An end of something that began at such a phase of a second. */
export interface EndAtPhase extends End {
  /** When it began, in ms into a second. */
  readonly phaseMs: number;
}

/** A clock by which every end that was seen is right. */
export interface ClockOfSteps {
  /** 1 for a clock of milliseconds. */
  readonly stepMs: number;
  /** How far before and after its time something may end on it, in ms. */
  readonly earlyMs: number;
  readonly lateMs: number;
}

const SECOND_MS = 1000;
/** Steps in which services count time, coarser than a millisecond, the finest first. All divide a second. */
const STEPS_MS = [10, 50, 100, 200, 250, 500, SECOND_MS];

/**
 * The finest clock by which all of these ends are right (contract, "Limits"; in what steps a service counts is open): to
 * the millisecond at every phase, or always at one instant of its step, late by no more than that and early by less.
 * @returns undefined where there is none
 */
export function clockOf(ends: readonly EndAtPhase[], lifetimeMs: number): ClockOfSteps | undefined {
  if (ends.every((end) => end.fromMs <= lifetimeMs + 1 && end.toMs >= lifetimeMs && isExact(end)))
    return { stepMs: 1, earlyMs: 0, lateMs: 0 };
  const stepMs = STEPS_MS.find((step) => fitsSteps(ends, lifetimeMs, step));
  if (stepMs === undefined) return undefined;
  const early = ends.some(({ toMs }) => toMs < lifetimeMs);
  const late = ends.some(({ fromMs }) => fromMs > lifetimeMs + 1);
  return { stepMs, earlyMs: early ? stepMs - 1 : 0, lateMs: late ? stepMs : 0 };
}

/** Whether so little is unknown of an end that it can be told from the next millisecond but one. */
function isExact({ fromMs, toMs }: End): boolean {
  return toMs - fromMs <= 1;
}

function fitsSteps(ends: readonly EndAtPhase[], lifetimeMs: number, stepMs: number): boolean {
  if (!ends.every(isExact)) return false;
  // The shortest and the longest life differ by less than a step: rounding the beginning moves it no further.
  const shortest = Math.min(...ends.map(({ toMs }) => toMs));
  const longest = Math.max(...ends.map(({ fromMs }) => fromMs));
  if (shortest <= lifetimeMs - stepMs || longest > lifetimeMs + stepMs || longest - shortest >= stepMs)
    return false;
  const possible = ends.map(({ phaseMs, fromMs, toMs }) => [
    (phaseMs + fromMs) % stepMs,
    (phaseMs + toMs) % stepMs,
  ]);
  return (possible[0] ?? []).some((instant) => possible.every((others) => others.includes(instant)));
}
