import { dataOfReport } from "../cli/judged-data.ts";
import { reportContext } from "../cli/report-context.ts";
import { oneReporter } from "../cli/reporters.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import type { EventReporter } from "./define.ts";

/** How a report is written. */
export interface ReportTextOptions {
  /** Whether escape sequences may colour the text; false by default. */
  readonly color?: boolean;
  /** Columns of a line, where text is wrapped; 110 by default. */
  readonly width?: number;
  /** Whether to show everything: each choice, and each test that was skipped or failed alike. */
  readonly verbose?: boolean;
}

/**
 * Writes a finished report by a reporter, as `--reporter` does.
 *
 * @param reporter a name that `--reporter` takes, of the kit's own, a package or a file; or a reporter itself
 * @returns the text; undefined where the reporter has nothing to say of a selection, which has no verdict
 * @throws {UsageError} where there is no such reporter
 */
export async function reportText(
  report: GatedReport,
  reporter: string | EventReporter,
  { color = false, width = 110, verbose = false }: ReportTextOptions = {},
): Promise<string | undefined> {
  const write = await oneReporter(reporter);
  const context = reportContext(report, await dataOfReport(report), { verbose });
  return write(report, { ...context, color, width });
}
