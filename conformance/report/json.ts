import type { Report } from "../run/report.ts";

/** The report for programs: report.schema.json beside the rules describes it. */
export function jsonReport(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
