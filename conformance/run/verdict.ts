import type { Contract, Level, Rule } from "../contract/contract.ts";
import type { Result } from "../play/result.ts";

export type RuleOutcome = "passed" | "failed" | "untried" | "unobservable";
export type Verdict = "conforms" | "does-not-conform" | "undecided";

/** What the results show of one rule. */
export interface RuleReport {
  readonly id: string;
  readonly level: Level;
  readonly outcome: RuleOutcome;
  /** Ids of the results that name the rule. */
  readonly results: readonly string[];
}

/** Why a run ends with the exit status that it does (see the README, "Exit status"). */
export interface Judged {
  readonly verdict: Verdict;
  readonly rules: readonly RuleReport[];
  readonly exitStatus: 0 | 1 | 3 | 4;
}

/**
 * The one place where results become a verdict.
 * @param accepted rules of which the user accepts that they were not tried
 */
export function judgeRun(
  contract: Contract,
  results: readonly Result[],
  accepted: ReadonlySet<string>,
): Judged {
  const rules = [...contract.rules.values()].map((rule) => ruleReport(rule, results));
  const required = rules.filter(({ level }) => level === "required");
  const failed =
    required.some(({ outcome }) => outcome === "failed") ||
    results.some((result) => failedRequired(result, contract));
  const untried = required.some(({ id, outcome }) => outcome === "untried" && !accepted.has(id));
  const broke = results.some(({ outcome }) => outcome === "error");
  if (failed) return { verdict: "does-not-conform", rules, exitStatus: 1 };
  if (broke) return { verdict: "undecided", rules, exitStatus: 3 };
  return untried
    ? { verdict: "undecided", rules, exitStatus: 4 }
    : { verdict: "conforms", rules, exitStatus: 0 };
}

function failedRequired({ outcome, rules }: Result, contract: Contract): boolean {
  return outcome === "failed" && rules.some((id) => contract.rules.get(id)?.level === "required");
}

/** A rule that a result left in the dark (an error) is not passed by what others saw of it. */
function ruleReport(rule: Rule, results: readonly Result[]): RuleReport {
  const naming = results.filter(({ rules }) => rules.includes(rule.id));
  const ids = naming.map(({ id }) => id);
  const base = { id: rule.id, level: rule.level, results: ids };
  if (!rule.observable) return { ...base, outcome: "unobservable" };
  const broken = results.some(
    ({ failures, advice }) =>
      failures.some(({ rules }) => rules.includes(rule.id)) || advice.some((given) => given.rule === rule.id),
  );
  if (broken) {
    return { ...base, outcome: "failed" };
  }
  if (naming.some(({ outcome }) => outcome === "error")) return { ...base, outcome: "untried" };
  return { ...base, outcome: naming.some(({ outcome }) => outcome === "passed") ? "passed" : "untried" };
}
