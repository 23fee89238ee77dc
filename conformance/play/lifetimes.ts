import { type ExpiringOperation, LIFETIME_MS } from "../contract/constants.ts";
import type { Lifetime, Tolerance } from "../judge/lifetime.ts";

export const OPERATIONS = Object.keys(LIFETIME_MS) as readonly ExpiringOperation[];

/** The lifetime to assume if it was not or could not be measured: that of a clock of milliseconds. */
export const NOT_MEASURED: Lifetime = { earlyMs: 0, lateMs: 0, stepMs: 1, isExtended: false };

/** The lifetimes of the challenges, sessions, and drafts of an implementation. */
export class Lifetimes {
  readonly #lifetimes = new Map<ExpiringOperation, Lifetime>();
  /** Vectors are prepared in sequence, so the number of connections does not change which one measures. */
  #prepared: Promise<void> = Promise.resolve();

  /**
   * Measures the lifetimes of the entries that these operations create, unless an earlier vector did.
   * @throws {ImplementationError} if the implementation fails; those lifetimes are then not measured again
   */
  prepare(
    operations: readonly ExpiringOperation[],
    measure: (operation: ExpiringOperation) => Promise<Lifetime>,
  ): Promise<void> {
    const prepared = this.#prepared.then(async () => {
      for (const operation of operations) {
        if (this.#lifetimes.has(operation)) continue;
        this.#lifetimes.set(operation, NOT_MEASURED);
        this.#lifetimes.set(operation, await measure(operation));
      }
    });
    this.#prepared = prepared.catch(() => undefined);
    return prepared;
  }

  /** Returns the lifetime of the entries that an operation creates. */
  lifetimeOf(operation: ExpiringOperation): Lifetime {
    return this.#lifetimes.get(operation) ?? NOT_MEASURED;
  }

  /**
   * Returns the tolerance of a period that starts with an operation. A period of the operation's lifetime,
   * plus whole minutes, has the tolerance of the lifetime. Other periods have that of the coarsest clock.
   */
  toleranceOf(periodMs: number, operation: string | undefined): Tolerance {
    const own = OPERATIONS.find((one) => one === operation);
    const extraMs = own === undefined ? -1 : periodMs - LIFETIME_MS[own];
    if (own !== undefined && extraMs >= 0 && extraMs % 60_000 === 0) return this.lifetimeOf(own);
    const lifetimes = OPERATIONS.map((one) => this.lifetimeOf(one));
    const stepMs = Math.max(...lifetimes.map((lifetime) => lifetime.stepMs));
    const earlyMs = Math.max(...lifetimes.map((lifetime) => lifetime.earlyMs));
    return {
      // An entry that never expires early needs no margin.
      earlyMs: earlyMs > 0 ? Math.max(stepMs - 1, earlyMs) : 0,
      lateMs: stepMs > 1 ? stepMs : 0,
    };
  }
}
