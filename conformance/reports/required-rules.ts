import type { RuleReport } from "../engine/run/verdict.ts";
import type { GatedReport } from "../policies/gated-report.ts";

/**
 * The observable required rules that a report speaks of: all of them, or where tests were selected those that the
 * selected ones are about.
 */
export function requiredRules({ rules, selection }: GatedReport): readonly RuleReport[] {
  return rules.filter(
    ({ level, outcome, results }) =>
      level === "required" &&
      outcome !== "unobservable" &&
      (selection === undefined || outcome === "failed" || results.length > 0),
  );
}
