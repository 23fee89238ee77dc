import type { Advice } from "./judgement.ts";

/** How far from its lifetime something may end, in ms, as far as the steps allow in which a service counts time. */
export interface Grace {
  readonly earlyMs: number;
  /** Infinity where nobody saw it end. */
  readonly lateMs: number;
}

/** How long what begins with an operation lives, as it was measured. */
export interface Life extends Grace {
  /** The operation that it begins with. */
  readonly operation: string;
  /** How long it is to live, in ms. */
  readonly lifetimeMs: number;
  /** What is asked for so long after its end, or a multiple, counts from the end as it was measured; in ms. */
  readonly markMs: number;
  /** The step in which the service counts its time, in ms; 1 where none is known. */
  readonly stepMs: number;
  /** In words, for reports; absent where nothing was measured. */
  readonly told?: string;
  /** Whether it lives longer than it has to, as it may. */
  readonly lingers?: true;
  /** What is legal about it, yet hard on clients. */
  readonly advice: readonly Advice[];
  /** How it ended when it must not have. */
  readonly wrong?: WrongLife;
  /** How the number that its answer gives as its end follows the clock, where it does. */
  readonly stated?: StatedEnd;
}

/** A life that fits no clock that is allowed. */
export interface WrongLife {
  /** Whether something ended too soon, and whether something was still alive too late. */
  readonly early: boolean;
  readonly late: boolean;
  readonly expected: string;
  readonly got: string;
}

/** What a number says of the end of a life: so many ms after its beginning. */
export interface StatedEnd {
  /** How many ms one of the number is. */
  readonly unitMs: number;
  readonly afterMs: number;
  /** How far it was seen to differ from that, in ms. */
  readonly withinMs: number;
}

/** How a service keeps time. */
export interface Timekeeping {
  readonly lives: readonly Life[];
  /** The grace of whatever was not measured by itself. */
  readonly others: Grace;
}

/** Time that is kept to the millisecond. */
export const EXACT: Timekeeping = { lives: [], others: { earlyMs: 0, lateMs: 0 } };

/**
 * The grace of a period since something began: that of its life where the period is the lifetime, or whole marks
 * more, as where it is asked what becomes of it some time after its end.
 * @param operation what it began with, where that is known
 */
export function graceOf({ lives, others }: Timekeeping, periodMs: number, operation?: string): Grace {
  const life = lives.find((one) => one.operation === operation);
  const beyond = life === undefined ? -1 : periodMs - life.lifetimeMs;
  return life !== undefined && beyond >= 0 && beyond % life.markMs === 0 ? life : others;
}
