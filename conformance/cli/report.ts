/** The commands that read reports: `report`, `merge`, and `compare`. */
import { compareReports } from "../report/compare.ts";
import { formatVerdict } from "../report/console.ts";
import { type ReportData, readReport } from "../report/data.ts";
import { mergeReports } from "../report/merge.ts";
import { COMPARISON_PRINTERS } from "../report/printers.ts";
import type { Edge } from "./edge.ts";
import { clientKit, serviceKit } from "./list.ts";
import { type Invocation, UsageError } from "./options.ts";
import { Outputs } from "./output.ts";

/**
 * Prints a saved report again, with any reporters.
 * @returns exit status: 0 for any verdict
 * @throws {UsageError | DataError}
 */
export async function reportCommand(invocation: Invocation, edge: Edge): Promise<number> {
  const outputs = new Outputs(invocation, edge);
  await outputs.printReport(readReport(invocation.operands[0] ?? ""));
  return outputs.end(0);
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
  return outputs.end(data.verdict.exitStatus, formatVerdict(data));
}

/**
 * Prints what changed from one report to another.
 * @returns exit status: 0 for any change, or with `--fail-on-new` 1 for a new failure, and 4 if less is tested
 * @throws {UsageError | DataError}
 */
export async function compareCommand(invocation: Invocation, edge: Edge): Promise<number> {
  const { operands, options } = invocation;
  const outputs = new Outputs(invocation, edge);
  const known = Object.keys(COMPARISON_PRINTERS);
  const other = options.reporter?.find(({ name }) => !known.includes(name));
  if (other !== undefined)
    throw new UsageError(`--reporter ${other.name}: compare has only the reporters ${known.join(", ")}`);
  const [before, after] = operands.map(readReport) as [ReportData, ReportData];
  const comparison = compareReports(before, after);
  await outputs.print((name) =>
    outputs.write(name, COMPARISON_PRINTERS[name]?.(comparison, outputs.style) ?? ""),
  );
  return outputs.end(options["fail-on-new"] ? comparison.exitStatus : 0, comparison.summary);
}
