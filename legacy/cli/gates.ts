import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import type { RunOutcome } from "../engine/run/report.ts";
import { PATHS } from "../paths.ts";
import { type BaselineGate, readBaseline, updatedBaseline } from "../policies/baseline.ts";
import { readChoices, updatedChoices } from "../policies/choices.ts";
import { type GatedReport, type Gates, gatedReport } from "../policies/gated-report.ts";
import type { JudgedData } from "./judged-data.ts";
import type { OptionsOf } from "./options.ts";
import type { Output } from "./output.ts";
import { UsageError } from "./usage-error.ts";
import { writeWhole } from "./write-file.ts";

/** Options that name what an implementation is held to besides the contract. */
export type GatesOptions = Pick<
  OptionsOf<"run">,
  "baseline" | "updateBaseline" | "choices" | "updateChoices"
>;

/**
 * Reads what the options name, before anything runs. A file that is to be written need not be there yet.
 * @param nowMs milliseconds since the Unix epoch
 * @throws {UsageError} for an update without a file
 * @throws {DataError} for a file with a fault
 */
export async function loadGates(options: GatesOptions, data: JudgedData, nowMs: number): Promise<Gates> {
  const { contract } = data;
  const { baseline, updateBaseline, choices, updateChoices } = options;
  if (updateBaseline && baseline === undefined)
    throw new UsageError("--update-baseline goes with --baseline FILE, which it writes");
  if (updateChoices && choices === undefined)
    throw new UsageError("--update-choices goes with --choices FILE, which it writes");
  return {
    ...(baseline === undefined || (updateBaseline && !existsSync(baseline))
      ? {}
      : { baseline: await baselineGate(baseline, data, nowMs) }),
    ...(choices === undefined || (updateChoices && !existsSync(choices))
      ? {}
      : { choices: readChoices(choices, contract.points) }),
  };
}

/** A baseline as a run is held to it today. */
async function baselineGate(
  file: string,
  { ids }: Pick<JudgedData, "ids">,
  nowMs: number,
): Promise<BaselineGate> {
  return {
    baseline: readBaseline(file),
    today: new Date(nowMs).toISOString().slice(0, 10),
    ids: new Set(await ids()),
  };
}

/** What a run was judged with. */
interface JudgedWith {
  readonly data: JudgedData;
  readonly gates: Gates;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
}

/**
 * Writes the files that are to hold what the run showed (`--update-baseline`, `--update-choices`), and judges again by
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
    const ids = new Set(await data.ids());
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

/** Path of a schema from the folder of a file, for editors. */
function schemaFrom(file: string, schema: string): string {
  return relative(dirname(resolve(file)), schema)
    .split(sep)
    .join("/");
}
