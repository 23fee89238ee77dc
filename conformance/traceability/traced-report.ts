import type { Contract } from "../contract/contract.ts";
import type { Report } from "../run/report.ts";
import { sabotageIndex } from "../sabotage/sabotage-index.ts";

/**
 * The report with, for each rule, the broken services that show its tests failing; the tests themselves are its results.
 * @throws {DataError} for a fault in the bank
 */
export function tracedReport(report: Report, contract: Contract): Report {
  const index = sabotageIndex(contract);
  const rules = report.rules.map((rule) => {
    const sabotage = index.get(rule.id);
    return sabotage === undefined ? rule : { ...rule, sabotage };
  });
  return { ...report, rules };
}
