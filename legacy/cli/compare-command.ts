import { DataError } from "../engine/data/data-error.ts";
import { suggestion } from "../engine/data/schema.ts";
import { plain } from "../plain-text.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { type Comparison, compareReports } from "../reports/compare/comparison.ts";
import { readReport } from "../reports/read-report.ts";
import { kitCommand } from "./invocation.ts";
import { dataOfReport } from "./judged-data.ts";
import type { OptionsOf } from "./options.ts";
import type { Output } from "./output.ts";
import { parseReporters, type ReportWriter } from "./reporters.ts";
import { UsageError } from "./usage-error.ts";
import { writeReports } from "./write-reports.ts";

export interface CompareCommandOptions extends OptionsOf<"compare"> {
  /** The json reports of two implementations or more. */
  readonly files: readonly string[];
}

/** What a comparison can be told by, each loaded only where it is asked for. */
const WRITERS: Readonly<Record<string, () => Promise<ReportWriter<Comparison>>>> = {
  console: async () => (await import("../reports/compare/compare-text.ts")).compareText,
  json: async () => (await import("../reports/compare/compare-text.ts")).compareJson,
  html: async () => {
    const { comparePage } = await import("../reports/compare/compare-page.ts");
    return (comparison, { contract }) => comparePage(comparison, contract);
  },
};

/**
 * `compare`: implementations side by side, from the json reports of their runs. Gives 0, whatever their verdicts, and 2
 * where something could not be read or written, with a line for each.
 * @throws {UsageError} for one file alone, and for a reporter that is none
 */
export async function compareCommand(
  { files, reporter, verbose }: CompareCommandOptions,
  output: Output,
): Promise<number> {
  if (files.length < 2) {
    throw new UsageError("compare needs at least two reports, as run --reporter json=FILE writes them");
  }
  const reporters = await Promise.all(
    parseReporters(reporter).map(async (spec) => ({ ...spec, write: await writerOf(spec.name) })),
  );
  const reports = files.flatMap((file) => readable(file, output));
  if (reports.length < files.length) return 2;
  const [first, ...others] = reports;
  const other = others.find(({ report }) => report.side !== first?.report.side);
  if (other !== undefined)
    throw new DataError(other.file, `is of ${sideOf(other)}, and ${first?.file} of ${sideOf(first)}`);
  const { contract, operationOf } = await dataOfReport(first?.report ?? {});
  const comparison = compareReports(reports, contract);
  const invocation = { command: `${kitCommand()} compare`, options: [], seed: 0 };
  const written = await writeReports(
    reporters,
    comparison,
    { contract, operationOf, invocation, verbose },
    output,
  );
  return written ? 0 : 2;
}

function sideOf(one: { readonly report: GatedReport } | undefined): string {
  return one?.report.side === "client" ? "a client" : "a service";
}

function readable(
  file: string,
  output: Output,
): readonly { readonly file: string; readonly report: GatedReport }[] {
  try {
    return [{ file, report: readReport(file) }];
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    output.err(`${plain(error.message)}\n`);
    return [];
  }
}

async function writerOf(name: string): Promise<ReportWriter<Comparison>> {
  const load = Object.hasOwn(WRITERS, name) ? WRITERS[name] : undefined;
  if (load !== undefined) return load();
  const names = Object.keys(WRITERS);
  throw new UsageError(
    `--reporter ${name}: a comparison is told by ${names.join(", ")}${suggestion(name, names)}`,
  );
}
