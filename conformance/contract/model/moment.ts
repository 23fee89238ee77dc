import type { Moment } from "../../engine/search/model.ts";

/** How the service's clock may differ from the kit's, in ms. */
export interface ClockDoubt {
  /** The step in which the service counts: it may be late by so much. */
  readonly resolutionMs: number;
  /** Either way; 0 with a virtual clock. */
  readonly toleranceMs: number;
}

/** Whether something that lives for a time is still alive: where the instant or the clock leaves it open, `either`. */
export type Phase = "live" | "either" | "over";

/** The phase at `now` of what began at `since` and lives for `lifetimeMs` (contract, "Limits"; the instant itself is open). */
export function phaseOf(since: Moment, now: Moment, lifetimeMs: number, doubt: ClockDoubt): Phase {
  const late = doubt.resolutionMs > 1 ? doubt.resolutionMs : 0;
  if (now.latest - since.earliest + doubt.toleranceMs < lifetimeMs) return "live";
  return now.earliest - since.latest - doubt.toleranceMs > lifetimeMs + late ? "over" : "either";
}
