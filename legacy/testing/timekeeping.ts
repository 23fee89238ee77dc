import { LIFETIME_MS, MINUTE_MS } from "../contract/operations.ts";
import type { Timekeeping } from "../engine/play/timekeeping.ts";

/** How a service keeps time that counts everything in steps of so many ms, and is late by one at the most. */
export function timeInSteps(stepMs: number): Timekeeping {
  const grace = { earlyMs: 0, lateMs: stepMs > 1 ? stepMs : 0 };
  const advice =
    stepMs > 1 ? [{ rule: "SERVICE-10", message: `everything lives by a clock of ${stepMs} ms` }] : [];
  const lives = [
    { operation: "challenge", lifetimeMs: LIFETIME_MS.challenge },
    { operation: "verify", lifetimeMs: LIFETIME_MS.session },
    { operation: "build", lifetimeMs: LIFETIME_MS.draft },
  ];
  return {
    lives: lives.map((life) => ({ ...life, ...grace, markMs: MINUTE_MS, stepMs, advice })),
    others: grace,
  };
}
