import type { Contract } from "../engine/contract.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import type { ReportContext } from "../reports/context.ts";
import { invocationOf } from "./invocation.ts";

/** What reporters are given beside a report, but for what is of the output that they write to. */
export function reportContext(
  report: GatedReport,
  contract: Contract,
  { verbose }: Pick<ReportContext, "verbose">,
): Omit<ReportContext, "color" | "width"> {
  return {
    contract,
    operationOf: contract.operations.of,
    invocation: invocationOf(report),
    verbose,
    replay: report.asked?.replay !== undefined,
  };
}
