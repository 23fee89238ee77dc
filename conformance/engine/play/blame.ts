import { matchesOutcome, type Outcome, parseOutcome } from "../outcome.ts";
import type { Rule, RuleBook } from "../rule-book.ts";
import type { Failure } from "./result.ts";

/** An answer that is not what its step must get. */
export interface Unwanted {
  /** The rules that the step stands for. */
  readonly rules: readonly string[];
  /** Any of these would have done. */
  readonly accepted: readonly Outcome[];
  readonly status: number | undefined;
  readonly code: unknown;
  /** The rule that a valid request of this operation succeeds, where there is one. */
  readonly successRule: string | undefined;
  /** What was found wrong with this very answer, whatever was asked. */
  readonly judged: readonly Pick<Failure, "rule" | "differences">[];
}

/** Who is to blame for an answer. */
export interface Blame {
  /** Rules that it breaks, that one first which it breaks most plainly. */
  readonly rules: readonly string[];
  /** The rule that the answer belongs to which came, where it is none of them. */
  readonly received?: string;
}

/**
 * Finds the rule that an answer breaks most plainly: that of a status or code which nobody may answer so; that of the
 * operation, where it refuses what it must serve; that of the code which came, where the step's own rule asks for a
 * status and leaves the code to others. Otherwise the step's own.
 */
export function blame(book: Pick<RuleBook, "rules">, unwanted: Unwanted): Blame {
  const { rules, status, code, accepted, successRule } = unwanted;
  const received = ruleOfAnswer(book, status, code);
  const first =
    wrongInItself(unwanted) ??
    (successRule !== undefined && rules.includes(successRule) && isRefusedSuccess(unwanted)
      ? successRule
      : undefined) ??
    (accepted.some((outcome) => outcome.status === status) && leavesTheCode(book.rules.get(rules[0] ?? ""))
      ? received
      : undefined);
  const all = first === undefined ? rules : [first, ...rules.filter((rule) => rule !== first)];
  return { rules: all, ...(received === undefined || all.includes(received) ? {} : { received }) };
}

/** The rule about this answer, whatever was asked. */
function ruleOfAnswer(
  { rules }: Pick<RuleBook, "rules">,
  status: number | undefined,
  code: unknown,
): string | undefined {
  for (const { id, answer } of rules.values()) {
    const outcome = answer === undefined ? "" : parseOutcome(answer);
    if (typeof outcome !== "string" && matchesOutcome(outcome, status, code)) return id;
  }
  return undefined;
}

function wrongInItself({ judged }: Unwanted): string | undefined {
  return judged.find(({ differences }) =>
    differences.some(({ path }) => path === "status" || path === "code"),
  )?.rule;
}

function isRefusedSuccess({ accepted, status }: Unwanted): boolean {
  return accepted.every((outcome) => outcome.status < 400) && status !== undefined && status >= 400;
}

/** Whether a rule asks for a status, and names no code that goes with it. */
function leavesTheCode(rule: Rule | undefined): boolean {
  return (
    rule !== undefined && /\b[45]\d\d\b/.test(rule.statement) && !/`[A-Z]+(_[A-Z]+)+`/.test(rule.statement)
  );
}
