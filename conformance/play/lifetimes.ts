/** The lifetimes that a run has measured, and those that it assumes. */
import type { FailureDetails } from "../adapters/adapter.ts";
import { type ExpiringOperation, LIFETIME_MS } from "../contract/constants.ts";
import type { Clocks, MeasuredClocks } from "../judge/clocks.ts";
import type { Lifetime, Tolerance } from "../judge/lifetime.ts";
import type { LifetimeStep } from "../suite/vector.ts";
import type { VectorRecord } from "./result.ts";

/** The operations that create entries: challenges, sessions, and drafts. */
export const OPERATIONS = Object.keys(LIFETIME_MS) as readonly ExpiringOperation[];

/** The operations that create entries, by the names that `lifetime` steps give to the entries. */
export const OPERATION_OF: Readonly<Record<LifetimeStep["of"], ExpiringOperation>> = {
  challenge: "challenge",
  session: "verify",
  draft: "build",
};

/** Coarsest clock step that a service may have, in ms. */
export const MAX_STEP_MS = 1_000;

/**
 * Returns the lifetime to assume without a measurement: that on the coarsest allowed clock. A draft may
 * expire at any time after its retry window.
 * @param stepMs stated clock step
 */
export function assumedLifetime(operation: ExpiringOperation, stepMs = MAX_STEP_MS): Lifetime {
  const lateMs = operation === "build" ? Number.POSITIVE_INFINITY : stepMs;
  return { earlyMs: stepMs - 1, lateMs, stepMs, isExtended: false };
}

/** A measured lifetime, or the one to assume if it could not be measured. */
export interface Measurement {
  readonly lifetime: Lifetime;
  /** Findings and readings from the responses of the measurement. */
  readonly record: VectorRecord;
  /** The error of the implementation that ended the measurement, if any. */
  readonly error?: { readonly message: string; readonly details: FailureDetails };
}

/** The lifetimes of the challenges, sessions, and drafts of an implementation. */
export class Lifetimes {
  /** The measurements so far, by operation. Without one, the lifetime is assumed. */
  readonly measured = new Map<ExpiringOperation, Measurement>();

  lifetimeOf(operation: ExpiringOperation): Lifetime {
    return this.measured.get(operation)?.lifetime ?? assumedLifetime(operation);
  }

  get clocks(): MeasuredClocks {
    const known: Record<string, Clocks> = {};
    for (const [operation, { lifetime }] of this.measured)
      if (lifetime.clocks !== undefined) known[operation] = lifetime.clocks;
    return known;
  }

  /**
   * Returns the tolerance of a period that starts with an operation. If the period is the lifetime of the
   * operation's entry, or whole minutes longer, it has the tolerance of the lifetime. All other periods have
   * the tolerance of the coarsest clock. `isAssumed`: whether a lifetime that matters was not measured.
   */
  toleranceOf(periodMs: number, operation: string | undefined): Tolerance & { readonly isAssumed: boolean } {
    const own = OPERATIONS.find((one) => {
      const extraMs = periodMs - LIFETIME_MS[one];
      return one === operation && extraMs >= 0 && extraMs % 60_000 === 0;
    });
    const lifetimes = (own === undefined ? OPERATIONS : [own]).map((one) => this.lifetimeOf(one));
    const isAssumed = lifetimes.some(({ description }) => description === undefined);
    if (own !== undefined) return { ...this.lifetimeOf(own), isAssumed };
    const stepMs = Math.max(...lifetimes.map((lifetime) => lifetime.stepMs));
    const earlyMs = Math.max(...lifetimes.map((lifetime) => lifetime.earlyMs));
    return {
      // An entry that never expires early needs no margin.
      earlyMs: earlyMs > 0 ? Math.max(stepMs - 1, earlyMs) : 0,
      lateMs: stepMs > 1 ? stepMs : 0,
      isAssumed,
    };
  }
}
