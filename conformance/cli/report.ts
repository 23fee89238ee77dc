/** The commands that read reports: `report`, `merge`, and `compare`. */
import { join } from "node:path";
import { readContract } from "../contract/contract.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import { PROPERTIES } from "../properties/index.ts";
import { compareReports, formatComparison } from "../report/compare.ts";
import { formatReport, render } from "../report/console.ts";
import { type ReportData, readReport } from "../report/data.ts";
import { mergeReports } from "../report/merge.ts";
import { PRINTERS } from "../report/printers.ts";
import { loadKitVectors } from "../suite/load.ts";
import type { Edge } from "./edge.ts";
import type { Invocation, Options } from "./options.ts";
import { DEFAULT_WIDTH, isColorWanted, MIN_WIDTH, Outputs } from "./run.ts";

/**
 * Prints a saved report again, by any reporter.
 * @returns exit status: 0 for any verdict
 * @throws {UsageError | DataError}
 */
export function reportCommand({ operands: [file = ""], options }: Invocation, edge: Edge): number {
  printReport(readReport(file), options, edge);
  return 0;
}

/**
 * Joins the reports of all shards, and prints the report of the whole run.
 * @returns exit status of the whole run
 * @throws {UsageError | DataError}
 */
export function mergeCommand({ operands, options }: Invocation, edge: Edge): number {
  const shards = operands.map((file) => ({ file, data: readReport(file) }));
  const contract = readContract(join(DATA_FOLDER, "contract"));
  const vectors = loadKitVectors(contract);
  const data = mergeReports(shards, [...vectors, ...PROPERTIES]);
  printReport(data, options, edge);
  return data.verdict.exitStatus;
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
  if (json) edge.write(`${JSON.stringify(comparison, null, 2)}\n`);
  else edge.write(render(formatComparison(before, after, comparison, verbose), false));
  return 0;
}

function printReport(data: ReportData, options: Options, edge: Edge): void {
  const reporters = options.reporter ?? [{ name: "console" }];
  const outputs = new Outputs(reporters, edge);
  for (const name of new Set(reporters.map((reporter) => reporter.name)))
    outputs.write(name, name === "console" ? consoleText(data, options, edge) : PRINTERS[name].print(data));
  outputs.save();
}

function consoleText(data: ReportData, options: Options, { terminal, env }: Edge): string {
  const { verbose: isVerbose = false, "no-color": noColor = false } = options;
  const width = Math.max(MIN_WIDTH, terminal?.columns ?? DEFAULT_WIDTH);
  const isOutput =
    options.reporter?.some(({ name, file }) => name === "console" && file !== undefined) !== true;
  const isTerminal = terminal !== undefined && env["TERM"] !== "dumb";
  return render(
    formatReport(data, { width, isVerbose }),
    isOutput && !noColor && isColorWanted(env, isTerminal),
  );
}
