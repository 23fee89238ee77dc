import { formatOutcome } from "../outcome.ts";
import type { Exchange, StepPlace } from "../play/exchange.ts";
import type { Mismatch } from "../play/judgement.ts";
import type { Fields, Template } from "../vectors/vector.ts";
import type { Expected, WrongMember } from "./model.ts";

/** An answer that the contract does not allow, and where in the sequence it came. */
export interface Violation {
  readonly rules: readonly string[];
  readonly at: StepPlace;
  readonly clockMs: number;
  readonly exchange: Exchange;
  readonly expected: string;
  readonly got: string;
  readonly differences: readonly Omit<Mismatch, "rule">[];
  /** What members of the answer must be, where that is what is wrong and can be said by value. */
  readonly body?: Fields;
  /** Whether the answer had to repeat an earlier one. */
  readonly repeats?: true;
}

/** Thrown to end a sequence at its first violation. */
export class Violated extends Error {
  override readonly name = "Violated";
  readonly violation: Violation;

  constructor(violation: Violation) {
    super(`${violation.rules.join(", ")}: expected ${violation.expected}, got ${violation.got}`);
    this.violation = violation;
  }
}

/** Thrown to end a sequence where the model can no longer tell what state the service is in. */
export class LostTrack extends Error {
  override readonly name = "LostTrack";
}

/** The answer's status and code, which are given in words and with the rules that they break, are none of those allowed. */
export function wrongOutcome(
  exchange: Exchange,
  expected: Expected,
  at: StepPlace,
  clockMs: number,
  { outcome: got, rules }: { readonly outcome: string; readonly rules: readonly string[] },
): Violation {
  const wanted = expected.outcomes.map(formatOutcome).join(", or ");
  return {
    rules,
    at,
    clockMs,
    exchange,
    expected: wanted,
    got,
    differences: [{ path: "status", expected: wanted, got }],
  };
}

/** Something in the answer is wrong, all of one rule. */
export function wrongContent(
  exchange: Exchange,
  mismatches: readonly WrongMember[],
  at: StepPlace,
  clockMs: number,
): Violation {
  const rule = mismatches[0]?.rule ?? "";
  const differences = mismatches.filter((mismatch) => mismatch.rule === rule);
  const members = differences.flatMap(({ path, value }): (readonly [string, Template])[] =>
    value === undefined ? [] : [[path, value]],
  );
  return {
    rules: [rule],
    at,
    clockMs,
    exchange,
    expected: differences.map(({ path, expected }) => `${path}: ${expected}`).join("; "),
    got: differences.map(({ path, got }) => `${path}: ${got}`).join("; "),
    differences: differences.map(({ path, expected, got }) => ({ path, expected, got })),
    ...(differences.some(({ repeats }) => repeats) ? { repeats: true } : {}),
    ...(members.length === 0 ? {} : { body: Object.fromEntries(members) }),
  };
}
