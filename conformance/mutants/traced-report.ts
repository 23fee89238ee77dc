import type { Report } from "../engine/run/report.ts";
import { byRule, scanBreaks } from "./breaks.ts";

/**
 * The report with, for each rule, the broken services that show its tests failing; the tests themselves are its results.
 */
export function tracedReport(report: Report): Report {
  const index = byRule(scanBreaks());
  const rules = report.rules.map((rule) => {
    const sabotage = index.get(rule.id);
    return sabotage === undefined ? rule : { ...rule, sabotage };
  });
  return { ...report, rules };
}
