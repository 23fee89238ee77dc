import type { StatedEnd } from "../../engine/play/timekeeping.ts";

/** A number that an answer gave as the end of what began at that instant, in ms since the Unix epoch. */
export interface StatedAt {
  readonly beganMs: number;
  readonly value: unknown;
}

const SECOND_MS = 1000;
/** A number that lies further ahead than this is of another clock, in ms. */
const FURTHEST_MS = 86_400_000;

/**
 * Whether the ends that answers state follow the clock of the service: what differs between two is the time between
 * them, in milliseconds or in seconds, and they lie ahead (contract, "Unsigned draft": else it may be a synthetic clock).
 * @param stated of several instants
 */
export function statedEnd(stated: readonly StatedAt[]): StatedEnd | undefined {
  if (stated.length < 2) return undefined;
  for (const unitMs of [1, SECOND_MS]) {
    const ahead = stated.map(({ beganMs, value }) =>
      typeof value === "number" ? value * unitMs - beganMs : Number.NaN,
    );
    const [least, most] = [Math.min(...ahead), Math.max(...ahead)];
    if (most - least < SECOND_MS && least > -SECOND_MS && most <= FURTHEST_MS)
      return { unitMs, afterMs: most, withinMs: most - least };
  }
  return undefined;
}
