import { matchesOutcome, type Outcome, parseOutcome } from "../outcome.ts";
import type { RuleBook } from "../rule-book.ts";
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
 * Finds the rule that an answer breaks most plainly: that of the envelope or the code, where there is none; that of the code which
 * came, where the status is right and the step names that rule; that of the operation, where it refuses what it must serve,
 * unless the step is about an answer; that of a status or code which nobody may answer so; that of the code which came, where
 * the step's own rule asks for a status and leaves the code to others. Otherwise the step's own, as where it names the code
 * that must come.
 */
export function blame(book: Pick<RuleBook, "rules">, unwanted: Unwanted): Blame {
  const { rules, status, code, accepted } = unwanted;
  const received = ruleOfAnswer(book, status, code);
  const own = book.rules.get(rules[0] ?? "");
  const statement = own?.statement ?? "";
  const wantsCode = accepted.some(({ codes }) => codes.some((one) => statement.includes(`\`${one}\``)));
  const leavesCode = statement.includes(String(status)) && !/`[A-Z]+(_[A-Z]+)*`/.test(statement);
  const first =
    wrongInItself(unwanted, typeof code === "string" ? NO_ANSWER : NO_ERROR) ??
    (hasWantedStatus(unwanted) ? rules.find((rule) => rule === received) : undefined) ??
    (own?.answer === undefined ? refusedOperation(unwanted) : undefined) ??
    (wantsCode ? undefined : wrongInItself(unwanted, NO_OUTCOME)) ??
    (leavesCode && hasWantedStatus(unwanted) ? received : undefined);
  const all = first === undefined ? rules : [first, ...rules.filter((rule) => rule !== first)];
  return { rules: all, ...(received === undefined || all.includes(received) ? {} : { received }) };
}

/** The rule of an answer that was none, on which whatever comes after it leans. */
export function ruleOfNoAnswer(judged: Unwanted["judged"]): string | undefined {
  return judged.find(({ differences }) => differences.some(({ path }) => NO_ANSWER.has(path)))?.rule;
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

/** What is wrong there is no answer at all. */
const NO_ANSWER: ReadonlySet<string> = new Set(["envelope", "body"]);
/** What is wrong there is no answer at all, or an error without a code. */
const NO_ERROR: ReadonlySet<string> = new Set([...NO_ANSWER, "code"]);
/** What is wrong there is no answer that anybody could want. */
const NO_OUTCOME: ReadonlySet<string> = new Set(["status", "code"]);

function wrongInItself({ judged }: Unwanted, paths: ReadonlySet<string>): string | undefined {
  return judged.find(({ differences }) => differences.some(({ path }) => paths.has(path)))?.rule;
}

/** The rule of the operation, where the step names it, wants nothing but success, and gets a refusal. */
function refusedOperation({ rules, accepted, status, successRule }: Unwanted): string | undefined {
  const refused = accepted.every((outcome) => outcome.status < 400) && status !== undefined && status >= 400;
  return refused && successRule !== undefined && rules.includes(successRule) ? successRule : undefined;
}

function hasWantedStatus({ accepted, status }: Unwanted): boolean {
  return accepted.some((outcome) => outcome.status === status);
}
