import type { Result } from "../play/result.ts";
import type { Level, Rule, RuleBook } from "../rule-book.ts";
import { FACT } from "../vectors/need.ts";
import { acceptsUntried, lackedBy, namingIn } from "./accepts-untried.ts";

/** What a run showed of a rule. */
export type RuleOutcome = "passed" | "failed" | "untried" | "unobservable";
/** What a run says of an implementation; `undecided` where nothing failed, but a required rule was not tried. */
export type Verdict = "conforms" | "does-not-conform" | "undecided";

/** What the results show of one rule. */
export interface RuleReport {
  readonly id: string;
  readonly level: Level;
  readonly outcome: RuleOutcome;
  /** Ids of the results that name the rule. */
  readonly results: readonly string[];
  /** Why it was not tested, where an observed reading of an open point hides what it is about. */
  readonly reason?: string;
  /** Ids of the kit's own broken services that show those results failing, in reports that tell it. */
  readonly mutants?: readonly string[];
}

/** Why a run ends with the exit status that it does (see docs/ci.md, "What do the exit statuses mean?"). */
export interface Judged {
  readonly verdict: Verdict;
  readonly exitStatus: 0 | 1 | 3 | 4;
}

/**
 * The one place where results become a verdict. A failure that a baseline knows still does not conform; it is the exit
 * status that tells whether there is anything new.
 * @param results with every failure attributed
 * @param accepted what the user accepts that it was not tried: see {@link acceptsUntried}
 * @param rules what {@link judgeRules} says of the same results
 */
export function judgeRun(
  contract: RuleBook,
  results: readonly Result[],
  accepted: ReadonlySet<string>,
  rules: readonly RuleReport[] = judgeRules(contract, results),
): Judged {
  const fresh = results.filter(({ known }) => known === undefined);
  const known = new Set(results.filter((result) => result.known !== undefined).map(({ id }) => id));
  const failed = breaksRequired(contract, results, rules);
  const broke = results.some((result) => result.outcome === "error" || result.broke);
  const naming = namingIn(results);
  const untried = rules.some(
    (rule) =>
      isUntried(rule) &&
      !acceptsUntried(accepted, rule.id, naming(rule)) &&
      // A vector that is known to fail may not get as far as a rule that it is about.
      !rule.results.some((result) => known.has(result)),
  );
  const verdict = failed ? "does-not-conform" : broke || untried ? "undecided" : "conforms";
  if (failed && (known.size === 0 || breaksRequired(contract, fresh, judgeRules(contract, fresh))))
    return { verdict, exitStatus: 1 };
  return { verdict, exitStatus: broke ? 3 : untried ? 4 : 0 };
}

/** Whether a rule is one on which the verdict may hang for not having been tried. */
export function isUntried({ level, outcome }: RuleReport): boolean {
  return level === "required" && outcome === "untried";
}

/** What the results show of every rule of the contract, in its order. */
export function judgeRules(contract: RuleBook, results: readonly Result[]): readonly RuleReport[] {
  const naming = new Map<string, Result[]>();
  const broken = new Set<string>();
  for (const result of results) {
    for (const id of new Set(result.rules)) {
      const own = naming.get(id);
      if (own === undefined) naming.set(id, [result]);
      else own.push(result);
    }
    for (const { rules } of result.failures) for (const id of rules) broken.add(id);
    for (const { rule } of result.advice) broken.add(rule);
  }
  const hidden = hiddenRules(contract, results);
  return [...contract.rules.values()].map((rule) =>
    ruleReport(rule, naming.get(rule.id) ?? [], broken.has(rule.id), hidden.get(rule.id)),
  );
}

/** Rules that an observed reading of an open point hides, each with what the reading means. */
function hiddenRules({ points }: RuleBook, results: readonly Result[]): ReadonlyMap<string, string> {
  const hidden = new Map<string, string>();
  for (const { id, readings } of points.values())
    for (const { id: reading, hides = [], means = "" } of readings)
      if (hides.length > 0 && results.some((result) => shows(result, id, reading)))
        for (const rule of hides) hidden.set(rule, means);
  return hidden;
}

function shows({ observations }: Result, point: string, reading: string): boolean {
  return observations.some((seen) => seen.point === point && seen.reading === reading);
}

function breaksRequired(
  contract: RuleBook,
  results: readonly Result[],
  rules: readonly RuleReport[],
): boolean {
  return (
    rules.some(({ level, outcome }) => level === "required" && outcome === "failed") ||
    results.some(
      (result) =>
        result.outcome === "failed" &&
        result.rules.some((id) => contract.rules.get(id)?.level === "required"),
    )
  );
}

/**
 * A rule whose subject an observed reading hides is not observable. A rule that a result left in the dark (an error) is not passed by what others saw of it. One that nobody can see broken
 * without a fact which the implementation does not state is not observable there.
 * @param naming the results that name it
 * @param broken whether any result shows it broken
 * @param hidden why what it is about cannot be read
 */
function ruleReport(
  rule: Rule,
  naming: readonly Result[],
  broken: boolean,
  hidden: string | undefined,
): RuleReport {
  const ids = naming.map(({ id }) => id);
  const base = { id: rule.id, level: rule.level, results: ids };
  if (!rule.observable) return { ...base, outcome: "unobservable" };
  if (broken) return { ...base, outcome: "failed" };
  if (hidden !== undefined) return { ...base, outcome: "unobservable", reason: hidden };
  if (naming.some(({ outcome }) => outcome === "error")) return { ...base, outcome: "untried" };
  if (naming.some(({ outcome }) => outcome === "passed")) return { ...base, outcome: "passed" };
  const lacking = lackedBy(naming)?.every((name) => name.startsWith(FACT)) ?? false;
  return { ...base, outcome: lacking ? "unobservable" : "untried" };
}
