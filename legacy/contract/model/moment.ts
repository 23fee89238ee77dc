import { graceOf, type Timekeeping } from "../../engine/play/timekeeping.ts";
import type { Moment } from "../../engine/search/model.ts";
import type { OperationName } from "../operations.ts";

/** How the service's clock may differ from the kit's. */
export interface ClockDoubt {
  readonly timekeeping: Timekeeping;
  /** Either way, in ms; 0 with a virtual clock. */
  readonly toleranceMs: number;
}

/** Whether something that lives for a time is still alive: where the instant or the clock leaves it open, `either`. */
export type Phase = "live" | "either" | "over";

/**
 * The phase at `now` of what began at `since` and lives for `lifetimeMs` (contract, "Limits"; the instant itself is open).
 * @param operation what it began with
 */
export function phaseOf(
  since: Moment,
  now: Moment,
  lifetimeMs: number,
  { timekeeping, toleranceMs }: ClockDoubt,
  operation: OperationName,
): Phase {
  const { earlyMs, lateMs } = graceOf(timekeeping, lifetimeMs, operation);
  if (now.latest - since.earliest + toleranceMs < lifetimeMs - earlyMs) return "live";
  return now.earliest - since.latest - toleranceMs > lifetimeMs + lateMs ? "over" : "either";
}
