import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Adapter } from "../adapters/adapter.ts";
import { escapeText, shellLine } from "../adapters/text.ts";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import { type Contract, readContract } from "../contract/contract.ts";
import { DataError } from "../contract/data-file.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import type { Result } from "../play/result.ts";
import { applyBaseline, type Baseline, readBaseline, updatedBaseline } from "../report/baseline.ts";
import { formatHeader } from "../report/console.ts";
import { failedIds, type ReportContext, type ReportData, readReport, toData } from "../report/data.ts";
import { allowNotTested, checkAllowedNames, holdToChoices } from "../report/policies.ts";
import { PRINTERS } from "../report/printers.ts";
import { reasonForOneConnection } from "../run/connections.ts";
import { type Selection, selectVectors } from "../run/plan.ts";
import { DEFAULT_RUNS, type Report, type RunOptions, run, type Test } from "../run/run.ts";
import { loadKitVectors, loadSuiteFiles } from "../suite/load.ts";
import type { Vector } from "../suite/vector.ts";
import type { Edge } from "./edge.ts";
import { LiveConsole } from "./live-console.ts";
import { type Invocation, type Options, type Reporter, repeatedWords, UsageError } from "./options.ts";
import { openTarget } from "./target.ts";

/** Connections to a server at a URL, by default. */
const JOBS_OF_URL = 4;
const DEFAULT_MAX_WAIT_MS = 90_000;
const DEFAULT_SEED = 1;
export const DEFAULT_WIDTH = 80;
export const MIN_WIDTH = 40;

/**
 * Runs `run` or `replay`: loads the vectors, opens the adapter, plays, and reports.
 * @param kit version of the kit
 * @param openAdapter opens the service that the options name
 * @returns exit status
 * @throws {UsageError | DataError | ImplementationError}
 */
export async function runCommand(
  invocation: Invocation,
  kit: string,
  edge: Edge,
  openAdapter = openTarget,
): Promise<number> {
  const { options, operands } = invocation;
  const contract = readContract(join(DATA_FOLDER, "contract"));
  const [file] = operands;
  const suite = file === undefined ? loadKitVectors(contract) : loadSuiteFiles([file], contract);
  const selection = { ...readSelection(options), ...(file !== undefined && { file }) };
  const runs = file === undefined ? (options.runs ?? DEFAULT_RUNS) : 0;
  const known = file === undefined ? await withProperties(suite, options) : suite;
  const tests = runs === 0 ? suite : known;
  const selected = selectVectors(tests, selection).length;
  const policies = new Policies(options, edge, contract, known);
  const outputs = new Outputs(options.reporter ?? [{ name: "console" }], edge);
  const adapter = await openAdapter(options, edge);
  try {
    const seed = seedOf(options, adapter, edge);
    const { info } = adapter;
    const started = { invocation, kit, contract, info, selected, seed, policies };
    return await printRun(started, outputs, edge, (hooks) =>
      run(contract, tests, adapter, {
        ...hooks,
        selection,
        seed,
        runs,
        jobs: jobsOf(options, adapter),
        maxWaitMs: options["max-wait"] ?? DEFAULT_MAX_WAIT_MS,
      }),
    );
  } finally {
    await adapter.close();
  }
}

/** Adds the properties, unless the options name only vectors: properties need the whole model. */
async function withProperties(
  suite: readonly Vector[],
  { only = ["*"], baseline }: Options,
): Promise<readonly Test[]> {
  const ids = new Set(suite.map(({ id }) => id));
  if (baseline === undefined && only.every((glob) => ids.has(glob))) return suite;
  const { PROPERTIES } = await import("../properties/index.ts");
  return [...suite, ...PROPERTIES];
}

/** A run before it starts. */
export interface StartedRun {
  readonly invocation: Invocation;
  /** Version of the kit. */
  readonly kit: string;
  readonly contract: Contract;
  readonly info: Report["info"];
  /** Number of tests to play. */
  readonly selected: number;
  readonly seed: number;
  readonly policies: Policies;
}

/** Options by which a run shows its progress, and is ended. */
type RunHooks = Pick<RunOptions, "bail" | "signal" | "onResult" | "nextTurn" | "now">;

/**
 * Plays a run, and prints it while it goes on and at its end.
 * @returns exit status
 * @throws {DataError} if a report cannot be written
 */
export async function printRun(
  { invocation, kit, contract, info, selected, seed, policies }: StartedRun,
  outputs: Outputs,
  edge: Edge,
  play: (hooks: RunHooks) => Promise<Report>,
): Promise<number> {
  const { command, operands, options, words } = invocation;
  // A drawn seed is repeated by its value.
  const target = shellLine(
    repeatedWords(seed === (options.seed ?? DEFAULT_SEED) ? words : new Map(words).set("seed", [`${seed}`])),
  );
  const context: ReportContext = {
    kit,
    contract,
    command: [edge.program, command, shellLine(operands), target].filter((text) => text !== "").join(" "),
    ...(options.url !== undefined && { url: options.url }),
    ...(command === "client" && { side: "client" }),
  };
  const { side } = context;
  const console = createConsole(options, context, selected, edge, outputs);
  const header = { kit, contract: SERVED_CONTRACT.version, service: serviceOf(info), run: { seed } };
  if (options.quiet !== true) console?.print(formatHeader({ ...header, ...(side && { side }) }, target));
  console?.start();
  const report = await play({
    bail: options.bail ?? false,
    signal: edge.interrupted,
    onResult: (result, requests) => {
      console?.onResult(result, requests);
      if (options["save-failures"] !== undefined) saveFailure(result, options["save-failures"]);
    },
    nextTurn: edge.nextTurn,
    now: edge.elapsedMs,
  }).finally(() => console?.cancel());
  const data = policies.apply(toData(report, context));
  console?.end(data);
  for (const name of outputs.names) if (name !== "console") outputs.write(name, PRINTERS[name].print(data));
  outputs.save();
  return data.verdict.exitStatus;
}

/** Writes the counterexample of a property as a suite. @throws {DataError} if the file cannot be written */
function saveFailure({ vector, search }: Result, folder: string): void {
  if (search?.counterexample === undefined) return;
  const file = join(folder, `${basename(vector.id)}.yaml`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, search.counterexample);
  } catch (error) {
    throw new DataError(`${file}: cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

function serviceOf({ implementation, transport }: Report["info"]) {
  const { name, version, language } = implementation;
  const texts = { name: escapeText(name, 100), version: escapeText(version, 100), transport };
  return language === undefined ? texts : { ...texts, language: escapeText(language, 100) };
}

/** @throws {DataError} if the earlier report cannot be read */
export function readSelection({ only, failed, shard }: Options): Selection {
  return {
    ...(only && { only }),
    ...(failed !== undefined && { failed: { file: failed, ids: failedIds(readReport(failed)) } }),
    ...(shard && { shard }),
  };
}

/** Keys of an earlier run are still known to a server that was not restarted. */
function seedOf({ seed }: Options, { hasSeparateServices, info }: Adapter, edge: Edge): number {
  const isKept = !hasSeparateServices && !info.capabilities.restart;
  if (seed === "random" || (seed === undefined && isKept)) return edge.randomSeed();
  return seed ?? DEFAULT_SEED;
}

/** @throws {UsageError} if the implementation cannot serve as many connections */
function jobsOf({ jobs, url }: Options, adapter: Adapter): number {
  const reason = reasonForOneConnection(adapter);
  if (reason === undefined) return jobs ?? (url === undefined ? 1 : JOBS_OF_URL);
  if (jobs !== undefined && jobs > 1) throw new UsageError(`--jobs must be 1, got ${jobs}: ${reason}`);
  return 1;
}

/** The policies of the user. Reads their files before the run. */
export class Policies {
  readonly #options: Options;
  readonly #edge: Edge;
  readonly #ids: ReadonlySet<string>;
  readonly #baseline: Baseline | undefined;
  readonly #choices: ReportData | undefined;

  /** @throws {DataError} if a file has faults, or a name is unknown */
  constructor(options: Options, edge: Edge, { rules }: Contract, tests: readonly Vector[]) {
    const { baseline, choices, "update-baseline": isUpdate = false } = options;
    const allowed = options["allow-not-tested"];
    if (allowed !== undefined) checkAllowedNames(allowed, [...rules.keys()]);
    this.#options = options;
    this.#edge = edge;
    this.#ids = new Set(tests.map(({ id }) => id));
    const isNew = isUpdate && baseline !== undefined && !existsSync(baseline);
    this.#baseline = baseline === undefined || isNew ? undefined : readBaseline(baseline);
    this.#choices = choices === undefined ? undefined : readReport(choices);
  }

  /** @throws {DataError} if the baseline cannot be written */
  apply(data: ReportData): ReportData {
    const { baseline: file, choices, "allow-not-tested": names, "update-baseline": isUpdate } = this.#options;
    let baseline = this.#baseline;
    if (isUpdate === true && file !== undefined) {
      writeFile(file, updatedBaseline(file, data, this.#ids));
      baseline = readBaseline(file);
    }
    const today = new Date(this.#edge.clock.now()).toISOString().slice(0, 10);
    const known = baseline === undefined ? data : applyBaseline(data, baseline, today, this.#ids);
    const held = this.#choices === undefined ? known : holdToChoices(known, this.#choices, choices ?? "");
    return names === undefined ? held : allowNotTested(held, names);
  }
}

/** @throws {DataError} if the file cannot be written */
function writeFile(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new DataError(`${file}: cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** What reporters write: to files at the end of the run, or to standard output at once. */
export class Outputs {
  readonly #reporters: readonly Reporter[];
  readonly #edge: Edge;
  readonly #texts = new Map<string, string>();

  /** @throws {UsageError} if two reporters write to the same place */
  constructor(reporters: readonly Reporter[], edge: Edge) {
    this.#reporters = reporters;
    this.#edge = edge;
    const takenBy = new Map<string | undefined, string>();
    for (const { name, file } of reporters) {
      if (file === undefined && "isLog" in PRINTERS[name]) continue;
      const other = takenBy.get(file);
      if (other !== undefined)
        throw new UsageError(
          file === undefined
            ? `--reporter ${name}: standard output is taken by reporter ${other}; add =FILE to one`
            : `--reporter ${name}=${file}: ${file} is taken by reporter ${other}; choose another file`,
        );
      takenBy.set(file, name);
    }
  }

  get names(): ReadonlySet<Reporter["name"]> {
    return new Set(this.#reporters.map(({ name }) => name));
  }

  /** Returns where a reporter writes: a terminal or another standard output, files, or nowhere. */
  placeOf(name: Reporter["name"]): "output" | "file" | undefined {
    const used = this.#reporters.filter((reporter) => reporter.name === name);
    if (used.length === 0) return undefined;
    return used.some(({ file }) => file === undefined) ? "output" : "file";
  }

  write(name: Reporter["name"], text: string): void {
    for (const { file } of this.#reporters.filter((reporter) => reporter.name === name))
      if (file === undefined) this.#edge.write(text);
      else this.#texts.set(file, (this.#texts.get(file) ?? "") + text);
  }

  /** @throws {DataError} if a file cannot be written */
  save(): void {
    for (const [file, text] of this.#texts) writeFile(file, text);
  }
}

function createConsole(
  { verbose = false, quiet = false, "no-color": noColor = false }: Options,
  context: ReportContext,
  selected: number,
  edge: Edge,
  outputs: Outputs,
): LiveConsole | undefined {
  const place = outputs.placeOf("console");
  if (place === undefined) return undefined;
  const terminal = place === "output" ? edge.terminal : undefined;
  const isDumb = edge.env["TERM"] === "dumb";
  const options = {
    context,
    selected,
    isVerbose: verbose,
    isQuiet: quiet,
    width: Math.max(MIN_WIDTH, terminal?.columns ?? DEFAULT_WIDTH),
    isColored: place === "output" && !noColor && isColorWanted(edge.env, terminal !== undefined && !isDumb),
    hasStatusLine: terminal !== undefined && !isDumb,
  };
  return new LiveConsole(options, edge, (text) => outputs.write("console", text));
}

/** Follows no-color.org and force-color.org. */
export function isColorWanted({ NO_COLOR = "", FORCE_COLOR = "" }: Edge["env"], byDefault: boolean): boolean {
  if (NO_COLOR !== "") return false;
  return FORCE_COLOR === "" ? byDefault : FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
}
