import { readReport } from "../reports/read-report.ts";
import { dataOfReport } from "./judged-data.ts";
import type { OptionsOf } from "./options.ts";
import type { Output } from "./output.ts";
import { reportContext } from "./report-context.ts";
import { loadReporters } from "./reporters.ts";
import { writeReports } from "./write-reports.ts";

export interface ReportCommandOptions extends OptionsOf<"report"> {
  /** What `--reporter json=FILE` wrote, of a run, a part of one, or of `merge`. */
  readonly file: string;
}

/**
 * `report`: writes a run's report again, by any reporter, as the run itself would have.
 * @returns 0, or with `exitStatus` the run's own; 2 where something could not be written and it would have been 0
 */
export async function reportCommand(
  { file, exitStatus, ...options }: ReportCommandOptions,
  output: Output,
): Promise<number> {
  const reporters = await loadReporters(options.reporter);
  const report = readReport(file);
  const context = reportContext(report, await dataOfReport(report), options);
  const written = await writeReports(reporters, report, context, output);
  const status = exitStatus ? report.exitStatus : 0;
  return status === 0 && !written ? 2 : status;
}
