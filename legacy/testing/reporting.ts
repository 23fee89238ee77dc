import { loadReporters } from "../cli/reporters.ts";
import { operationOf } from "../contract/operations.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import type { ReportContext } from "../reports/view.ts";
import { SMALL_CONTRACT } from "./small-report.ts";

export const REPORT_CONTEXT: ReportContext = {
  contract: SMALL_CONTRACT,
  operationOf,
  invocation: { command: "npx kit run", options: ["--module", "./my-service.ts"], seed: 7 },
  color: false,
  width: 100,
  verbose: false,
};

/** What a reporter, named as on the command line, makes of a report. */
export async function reportText(name: string, report: GatedReport): Promise<string> {
  const reporters = await loadReporters([name]);
  const reporter = reporters.find((one) => one.name === name);
  if (reporter === undefined) throw new Error(`no reporter ${name}`);
  const text = await reporter.write(report, REPORT_CONTEXT);
  if (text === undefined) throw new Error(`${name} has nothing to say of this report`);
  return text;
}
