import { mergeReports } from "../engine/run/merge-reports.ts";
import { kitVersion } from "../paths.ts";
import { readReport } from "../reports/read-report.ts";
import { loadGates, updateGates } from "./gates.ts";
import { dataOfReport } from "./judged-data.ts";
import type { OptionsOf } from "./options.ts";
import { reportContext } from "./report-context.ts";
import { loadReporters } from "./reporters.ts";
import type { RunEdge } from "./run-command.ts";
import { writeReports } from "./write-reports.ts";

export interface MergeCommandOptions extends OptionsOf<"merge"> {
  /** The json reports of all shards of one run. */
  readonly files: readonly string[];
}

/** `merge`: one report of those of all shards, and the exit status that one run would have had. */
export async function mergeCommand(
  options: MergeCommandOptions,
  { output, time }: Pick<RunEdge, "output" | "time">,
): Promise<number> {
  const reporters = await loadReporters(options.reporter);
  const files = options.files.map((file) => ({ file, report: readReport(file) }));
  const [first] = files;
  const data = await dataOfReport(first?.report ?? {});
  const nowMs = time.now();
  const gates = await loadGates(options, data, nowMs);
  const order = await data.ids();
  const merged = mergeReports(files, { version: kitVersion(), digest: data.digest, order });
  const { report: judged, complete } = await updateGates(merged, options, { data, gates, nowMs }, output);
  const report = first?.report.asked === undefined ? judged : { ...judged, asked: first.report.asked };
  const context = reportContext(report, data, options);
  const written = await writeReports(reporters, report, context, output);
  return (written && complete) || report.exitStatus !== 0 ? report.exitStatus : 2;
}
