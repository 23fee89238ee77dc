/** The user's policies. Each takes a report, and returns a report whose exit status may differ. */

import { DataError } from "../data/data-file.ts";
import { unknown } from "../data/schema-check.ts";
import { plural } from "../data/text.ts";
import { globMatcher } from "../run/plan.ts";
import { conclude } from "../run/verdict.ts";
import {
  acceptedRules,
  type PolicyData,
  playedPart,
  type ReportData,
  type ResultData,
  type RuleData,
  readingsOf,
} from "./data.ts";

/** Capabilities that `--allow-not-tested` accepts by name. */
const CAPABILITIES = ["clock", "restart", "rawBody", "concurrency"].map((name) => `capability:${name}`);

/** Checks names for {@link allowNotTested}. @param ids IDs of all rules @throws {DataError} */
export function checkAllowedNames(names: readonly string[], ids: readonly string[]): void {
  for (const name of names)
    if (!CAPABILITIES.includes(name) && !ids.some(globMatcher("--allow-not-tested", name)))
      throw new DataError(`--allow-not-tested: ${unknown("name", name, [...CAPABILITIES, ...ids])}`);
}

/**
 * Accepts that required rules were not tested.
 * @param names globs of rule IDs, or `capability:NAME` for all rules whose vectors need that capability
 */
export function allowNotTested(data: ReportData, names: readonly string[]): ReportData {
  const matchers = names.map((name) => globMatcher("--allow-not-tested", name));
  const isAllowed = ({ id, level, outcome }: RuleData) =>
    level === "required" &&
    outcome === "not-tested" &&
    (matchers.some((matches) => matches(id)) || lacksOnly(data, id, names));
  const rules = data.rules.map((rule) => (isAllowed(rule) ? { ...rule, isAllowed: true } : rule));
  const count = rules.filter((rule) => rule.isAllowed).length;
  const summary = `${count} required ${count === 1 ? "rule is" : "rules are"} accepted as not tested`;
  return withPolicy({ ...data, rules }, { policy: "allow-not-tested", summary, problems: [] });
}

/** Returns whether all vectors of a rule were skipped because the service lacks one of these capabilities. */
export function lacksOnly({ results }: ReportData, rule: string, names: readonly string[]): boolean {
  const vectors = results.filter(({ rules }) => rules.includes(rule));
  const isLacking = ({ lacks = [] }: ResultData) => lacks.some((name) => names.includes(name));
  const isOfOtherAdapter = ({ lacks = [] }: ResultData) => lacks.some((name) => name.startsWith("adapter:"));
  const isExcused = (one: ResultData) =>
    one.outcome === "skipped" && (isLacking(one) || isOfOtherAdapter(one));
  return vectors.some(isLacking) && vectors.every(isExcused);
}

/**
 * Compares the behavior of a run with that of a saved report. A reading that is not in the saved report is a
 * problem. A saved reading that was not observed again is a problem only if the same vectors were played with
 * the same seed.
 * @param file name of the saved report, for messages
 */
export function holdToChoices(data: ReportData, saved: ReportData, file: string): ReportData {
  const executed = ({ tests }: ReportData) => tests.passed + tests.failed;
  const isSameRun =
    data.run.suite.digest === saved.run.suite.digest &&
    data.run.seed === saved.run.seed &&
    executed(data) === executed(saved);
  const problems = Object.entries(data.behavior).flatMap(([point, readings]) => {
    const earlier = readingsOf(saved, point);
    if (earlier === undefined) return [];
    const isNew = readings.some((reading) => !earlier.includes(reading));
    const isMissing = isSameRun && earlier.some((reading) => !readings.includes(reading));
    const message = `${point}: expected ${earlier.join(" | ")}, observed ${readings.join(" | ")}`;
    return isNew || isMissing ? [{ message }] : [];
  });
  const change =
    problems.length === 0 ? "is the same" : `changed at ${plural(problems.length, "open point")}`;
  const summary = `choices ${file}: the observed behavior ${change}`;
  return withPolicy(data, { policy: "choices", summary, problems });
}

/** Adds the conclusion of a policy, and recomputes the exit status and the verdict. */
export function withPolicy(data: ReportData, policy: PolicyData): ReportData {
  const policies = [...(data.policies ?? []), policy];
  const { run, results, rules, verdict } = data;
  const isAccepted = acceptedRules(data);
  const accepted = conclude(
    rules.map((rule) => (isAccepted(rule) ? { ...rule, outcome: "satisfied" as const } : rule)),
    results.map((result) =>
      result.known === undefined ? result : { ...result, outcome: "passed" as const },
    ),
    { part: playedPart(data), ...(run.ended && { ended: run.ended }) },
  );
  const hasProblems = policies.some(({ problems }) => problems.length > 0);
  const isCutShort = run.ended !== undefined && run.ended.by !== "bail";
  const exitStatus = hasProblems && !isCutShort ? 1 : accepted.exitStatus;
  const conforms = verdict.conclusion === "undecided" && accepted.conclusion === "conforms";
  const conclusion = conforms ? "conforms" : verdict.conclusion;
  return { ...data, policies, verdict: { conclusion, exitStatus } };
}
