import type { Outcome } from "../../contract/outcome.ts";
import { matchesOutcome } from "../../contract/outcome.ts";
import type { Fault } from "./fault.ts";

/** The answers that the contract allows to one request in one state. */
export interface Expected {
  readonly outcomes: readonly Outcome[];
  /** Open points that the set leans on, the one that matters most first. */
  readonly points: readonly string[];
  /** The rules that an answer outside the set breaks. */
  readonly rulesFor: (status: number | undefined, code: unknown) => readonly string[];
}

/** Whether an answer is one of those allowed. */
export function allows({ outcomes }: Expected, status: unknown, code: unknown): boolean {
  return outcomes.some((outcome) => matchesOutcome(outcome, status, code));
}

/**
 * Puts the set together: of several faults any may be answered, since their order is open ("Which code precedes
 * which"), and success is allowed only where nothing must be refused.
 * @param success what a service without objection answers, with the rule that a refusal breaks
 */
export function expectedOf(
  faults: readonly Fault[],
  success: { readonly outcome: Outcome; readonly rulesFor: Expected["rulesFor"] },
): Expected {
  const binding = faults.filter((fault) => fault.certain);
  const outcomes = faults.flatMap((fault) => fault.outcomes);
  const first = binding[0];
  return {
    outcomes: merge(first === undefined ? [success.outcome, ...outcomes] : outcomes),
    points: [
      ...new Set(
        [...faults].sort(uncertainFirst).flatMap(({ point }) => (point === undefined ? [] : [point])),
      ),
    ],
    rulesFor: first === undefined ? success.rulesFor : () => first.rules,
  };
}

function uncertainFirst(a: Fault, b: Fault): number {
  return Number(a.certain) - Number(b.certain);
}

/** One outcome for each status. */
export function merge(outcomes: readonly Outcome[]): readonly Outcome[] {
  if (outcomes.length < 2) return outcomes;
  const codes = new Map<number, Set<string>>();
  for (const outcome of outcomes) {
    const known = codes.get(outcome.status) ?? new Set();
    for (const code of outcome.codes) known.add(code);
    codes.set(outcome.status, known);
  }
  return [...codes].map(([status, found]) => ({ status, codes: [...found] }));
}
