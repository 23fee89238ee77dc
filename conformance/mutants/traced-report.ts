import type { GatedReport } from "../policies/gated-report.ts";
import { byRule, scanBreaks } from "./breaks.ts";

/**
 * The report with, for each rule, the broken services that show its tests failing; the tests themselves are its results.
 */
export function tracedReport(report: GatedReport): GatedReport {
  const index = byRule(scanBreaks());
  const rules = report.rules.map((rule) => {
    const mutants = index.get(rule.id);
    return mutants === undefined ? rule : { ...rule, mutants };
  });
  return { ...report, rules };
}
