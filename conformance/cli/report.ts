/** The commands that read reports: `report`, `merge`, and `compare`. */
import { safeJson } from "../data/text.ts";
import { compareReports, formatComparison } from "../report/compare.ts";
import { render } from "../report/console.ts";
import { type ReportData, readReport } from "../report/data.ts";
import { mergeReports } from "../report/merge.ts";
import type { Edge } from "./edge.ts";
import { clientKit, serviceKit } from "./list.ts";
import type { Invocation } from "./options.ts";
import { Outputs } from "./output.ts";

/**
 * Prints a saved report again, with any reporters.
 * @returns exit status: 0 for any verdict
 * @throws {UsageError | DataError}
 */
export async function reportCommand(invocation: Invocation, edge: Edge): Promise<number> {
  const outputs = new Outputs(invocation, edge);
  await outputs.printReport(readReport(invocation.operands[0] ?? ""));
  return outputs.end();
}

/**
 * Joins the reports of all shards, and prints the report of the whole run.
 * @returns exit status of the whole run
 * @throws {UsageError | DataError}
 */
export async function mergeCommand(invocation: Invocation, edge: Edge): Promise<number> {
  const outputs = new Outputs(invocation, edge);
  const shards = invocation.operands.map((file) => ({ file, data: readReport(file) }));
  const data = mergeReports(shards, shards[0]?.data.side === "client" ? clientKit() : serviceKit());
  await outputs.printReport(data);
  return outputs.end(data);
}

/**
 * Prints what changed from one report to another.
 * @returns exit status: 0 for any change
 * @throws {DataError}
 */
export function compareCommand({ operands, options }: Invocation, edge: Edge): number {
  const [before, after] = operands.map(readReport) as [ReportData, ReportData];
  const comparison = compareReports(before, after);
  const { json = false, verbose = false } = options;
  if (json) edge.write(safeJson(comparison));
  else edge.write(render(formatComparison(before, after, comparison, verbose), false));
  return 0;
}
