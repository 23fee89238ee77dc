import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import type { RunOutcome } from "../engine/run/report.ts";
import { PATHS } from "../paths.ts";
import { updatedBaseline } from "../policies/baseline/update-baseline.ts";
import { readChoices } from "../policies/choices/saved-choices.ts";
import { updatedChoices } from "../policies/choices/update-choices.ts";
import { type GatedReport, type Gates, gatedReport } from "../policies/gated-report.ts";
import { baselineGate, type GatesOptions, knownIds } from "./gates.ts";
import type { JudgedData } from "./judged-data.ts";
import type { Output } from "./output.ts";
import { writeWhole } from "./write-file.ts";

/** What a run was judged with. */
export interface JudgedWith {
  readonly data: JudgedData;
  readonly gates: Gates;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
}

/**
 * Writes the files that are to hold what the run showed (`--update-baseline`, `--update-choices`), and judges anew by
 * them.
 * @returns the report by the new files, and whether all could be written; a file that could not is one line
 */
export async function updateGates(
  outcome: RunOutcome,
  options: GatesOptions,
  { data, gates, nowMs }: JudgedWith,
  output: Output,
): Promise<{ readonly report: GatedReport; readonly complete: boolean }> {
  const { baseline, updateBaseline, choices, updateChoices } = options;
  const { contract } = data;
  const report = gatedReport(contract, outcome, gates);
  const { results, seed, runs, suite } = report;
  let updated = gates;
  let complete = true;
  if (updateBaseline && baseline !== undefined) {
    const ids = await knownIds(data);
    const schema = schemaFrom(baseline, PATHS.baselineSchema);
    if (write(baseline, updatedBaseline(textOf(baseline), results, ids, schema), output))
      updated = { ...updated, baseline: await baselineGate(baseline, data, nowMs) };
    else complete = false;
  }
  if (updateChoices && choices !== undefined) {
    const run = { suite: suite.digest, seed, runs, executed: suite.executed };
    const schema = schemaFrom(choices, PATHS.choicesSchema);
    if (write(choices, updatedChoices(textOf(choices), report.choices, run, schema), output))
      updated = { ...updated, choices: readChoices(choices, contract.points) };
    else complete = false;
  }
  return { report: updated === gates ? report : gatedReport(contract, outcome, updated), complete };
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function write(file: string, text: string, output: Output): boolean {
  try {
    writeWhole(file, text);
    output.err(`${file} written\n`);
    return true;
  } catch (error) {
    output.err(
      `${file}: could not be written (${(error as NodeJS.ErrnoException).code ?? String(error)}); the run is judged without it\n`,
    );
    return false;
  }
}

/** How an editor finds the schema from beside the file. */
function schemaFrom(file: string, schema: string): string {
  return relative(dirname(resolve(file)), schema)
    .split(sep)
    .join("/");
}
