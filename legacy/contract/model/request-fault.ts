import type { Outcome } from "../../engine/outcome.ts";
import { ruleBook } from "../rule-book.ts";

/** Something about a request, or about the state that it meets, for which the contract lets a service refuse it. */
export interface RequestFault {
  /** The answers that fit it. */
  readonly outcomes: readonly Outcome[];
  /** Rules that are broken where this fault stands alone and the answer is another. */
  readonly rules: readonly string[];
  /** Whether the service must refuse; where not, it is an open point whether this is a fault at all. */
  readonly certain: boolean;
  /** The open point that decides on the code, or on whether it is a fault. */
  readonly point?: string;
}

/** A fault that must be refused, with the one answer that the contract gives it. */
export function certain(rule: string, outcome: Outcome): RequestFault {
  return { outcomes: [outcome], rules: [rule], certain: true };
}

/** A fault that must be refused, where an open point decides on the code. */
export function certainBy(rule: string, point: string): RequestFault {
  return { outcomes: refusalsOf(point), rules: [rule], certain: true, point };
}

/** What a service may refuse and may also let pass: every reading of the point is legal. */
export function uncertain(point: string, outcomes: readonly Outcome[] = refusalsOf(point)): RequestFault {
  return { outcomes, rules: [], certain: false, point };
}

const refusals = new Map<string, readonly Outcome[]>();

/** The refusals among the readings of an open point. @throws where there is no such point */
export function refusalsOf(point: string): readonly Outcome[] {
  let outcomes = refusals.get(point);
  if (outcomes === undefined) {
    const known = ruleBook().points.get(point);
    if (known === undefined) throw new Error(`there is no open point ${point}`);
    outcomes = known.readings.flatMap(({ outcome }) =>
      outcome === undefined || outcome.status === 200 ? [] : [outcome],
    );
    refusals.set(point, outcomes);
  }
  return outcomes;
}
