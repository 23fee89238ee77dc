import type { GatedReport } from "../policies/gated-report.ts";
import type { ReportContext } from "../reports/view.ts";
import { invocationOf } from "./invocation.ts";
import type { JudgedData } from "./judged-data.ts";

/** What reporters are given beside a report, but for what is of the output that they write to. */
export function reportContext(
  report: GatedReport,
  { contract, operationOf }: Pick<JudgedData, "contract" | "operationOf">,
  { verbose }: Pick<ReportContext, "verbose">,
): Omit<ReportContext, "color" | "width"> {
  return {
    contract,
    operationOf,
    invocation: invocationOf(report),
    verbose,
    replay: report.asked?.replay !== undefined,
  };
}
