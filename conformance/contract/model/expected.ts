import type { Outcome } from "../../engine/outcome.ts";
import { matchesOutcome } from "../../engine/outcome.ts";
import type { Fault } from "./fault.ts";

/** The answers that the contract allows to one request in one state. */
export interface Expected {
  readonly outcomes: readonly Outcome[];
  /** Those of the outcomes that are found without weighing what else might be answered: most answers are one of them. */
  readonly usual: readonly Outcome[];
  /** Open points that the set leans on, the one that matters most first. */
  readonly points: readonly string[];
  /** The rules that an answer outside the set breaks. */
  readonly rulesFor: (status: number | undefined, code: unknown) => readonly string[];
}

/** Whether an answer is one of those allowed. */
export function allows(expected: Expected, status: unknown, code: unknown): boolean {
  return anyMatches(expected.usual, status, code) || anyMatches(expected.outcomes, status, code);
}

function anyMatches(outcomes: readonly Outcome[], status: unknown, code: unknown): boolean {
  return outcomes.some((outcome) => matchesOutcome(outcome, status, code));
}

/**
 * Puts the set together: of several faults any may be answered, since their order is open ("Which code precedes
 * which"), and success is allowed only where nothing must be refused.
 * @param success what a service without objection answers, with the rule that a refusal breaks
 * @param more what may be answered besides, none of it certain: asked for only where the rest does not explain an
 *   answer, and so at the latest before the model learns of it (see {@link settled})
 */
export function expectedOf(
  faults: readonly Fault[],
  success: { readonly outcome: Outcome; readonly rulesFor: Expected["rulesFor"] },
  more: () => readonly Fault[] = () => [],
): Expected {
  const first = faults.find((fault) => fault.certain);
  const usual = first === undefined ? [success.outcome] : first.outcomes;
  return {
    usual,
    get outcomes() {
      const outcomes = [...faults, ...more()].flatMap((fault) => fault.outcomes);
      return merge(first === undefined ? [success.outcome, ...outcomes] : outcomes);
    },
    get points() {
      const all = [...faults, ...more()].sort(uncertainFirst);
      return [...new Set(all.flatMap(({ point }) => (point === undefined ? [] : [point])))];
    },
    rulesFor: first === undefined ? success.rulesFor : () => first.rules,
  };
}

/** The same, all of it weighed: for whoever looks at it when the model has learnt more. */
export function settled({ outcomes, points, usual, rulesFor }: Expected): Expected {
  return { outcomes, points, usual, rulesFor };
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
