import type { Timekeeping } from "../../engine/play/timekeeping.ts";
import { LIFETIME_MS, MINUTE_MS } from "../operations.ts";

/** A clock that is late and early by no more than this; a draft may live on. */
function keptWithin(graceMs: number): Timekeeping {
  const grace = { earlyMs: graceMs, lateMs: graceMs };
  const kept = { ...grace, markMs: MINUTE_MS, stepMs: graceMs + 1, advice: [] };
  return {
    lives: [
      { ...kept, operation: "challenge", lifetimeMs: LIFETIME_MS.challenge },
      { ...kept, operation: "verify", lifetimeMs: LIFETIME_MS.session },
      { ...kept, operation: "build", lifetimeMs: LIFETIME_MS.draft, lateMs: Number.POSITIVE_INFINITY },
    ],
    others: grace,
  };
}

/** Services keep time in whole seconds, or in milliseconds. */
export const IN_SECONDS = keptWithin(999);
export const IN_MILLISECONDS = keptWithin(0);
