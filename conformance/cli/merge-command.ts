import { mergeReports } from "../engine/run/merge-reports.ts";
import { kitVersion } from "../paths.ts";
import { readReport } from "../reports/read-report.ts";
import { everyId, type GatesOptions, loadGates } from "./gates.ts";
import { kitCommand } from "./kit-command.ts";
import { loadKitData } from "./kit-data.ts";
import { loadReporters } from "./reporters.ts";
import type { RunEdge } from "./run-command.ts";
import { updateGates } from "./update-gates.ts";
import { writeReports } from "./write-reports.ts";

export interface MergeCommandOptions extends Omit<GatesOptions, "suite"> {
  /** The json reports of all shards of one run. */
  readonly files: readonly string[];
  readonly reporter: readonly string[];
  readonly verbose: boolean;
  /** What an in-toto statement is about. */
  readonly subject?: string;
}

/** `merge`: one report of those of all shards, and the exit status that one run would have had. */
export async function mergeCommand(
  options: MergeCommandOptions,
  { output, time }: Pick<RunEdge, "output" | "time">,
): Promise<number> {
  const reporters = await loadReporters(options.reporter, options);
  const files = options.files.map((file) => ({ file, report: readReport(file) }));
  const data = loadKitData();
  const { contract, suites } = data;
  const [first] = files;
  const suite = first?.report.frozen?.suite;
  const nowMs = time.now();
  const held = { ...options, ...(suite === undefined ? {} : { suite }) };
  const gates = await loadGates(held, data, nowMs);
  const kit = {
    contract,
    version: kitVersion(),
    digest: suites.digest,
    order: await everyId(suites),
  };
  const merged = mergeReports(files, kit, gates);
  const { report, complete } = await updateGates(merged, held, { ...data, gates, nowMs }, output);
  const invocation = {
    command: `${kitCommand()} run`,
    options: first?.report.shard?.options ?? [],
    seed: report.seed,
  };
  const written = await writeReports(
    reporters,
    report,
    { contract, invocation, verbose: options.verbose },
    output,
  );
  return (written && complete) || report.exitStatus !== 0 ? report.exitStatus : 2;
}
