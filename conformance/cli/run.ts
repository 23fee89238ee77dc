import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Adapter } from "../adapters/adapter.ts";
import { escapeText } from "../adapters/text.ts";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import { type Contract, readContract } from "../contract/contract.ts";
import { DataError } from "../contract/data-file.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import { formatHeader } from "../report/console.ts";
import { failedIds, formatJson, readReport, toData } from "../report/data.ts";
import { reasonForOneConnection } from "../run/connections.ts";
import { type Selection, selectVectors } from "../run/plan.ts";
import { type Report, type RunOptions, run } from "../run/run.ts";
import { loadVectors } from "../suite/load.ts";
import type { Edge } from "./edge.ts";
import { LiveConsole } from "./live-console.ts";
import { type Invocation, type Options, type Reporter, repeatedWords, UsageError } from "./options.ts";
import { openTarget } from "./target.ts";

/** Connections to a server at a URL, by default. */
const JOBS_OF_URL = 4;
const DEFAULT_MAX_WAIT_MS = 90_000;
const DEFAULT_WIDTH = 80;
const MIN_WIDTH = 40;

/**
 * Tests a service: loads the vectors, opens the adapter, plays, and reports.
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
  const { options } = invocation;
  const contract = readContract(join(DATA_FOLDER, "contract"));
  const suite = loadVectors(join(DATA_FOLDER, "suites"), contract);
  const selection = readSelection(options);
  const selected = selectVectors(suite, selection).length;
  const outputs = new Outputs(options.reporter ?? [{ name: "console" }], edge);
  const adapter = await openAdapter(options, edge);
  try {
    const seed = seedOf(options, adapter, edge);
    const { info } = adapter;
    return await printRun({ invocation, kit, contract, info, selected, seed }, outputs, edge, (hooks) =>
      run(contract, suite, adapter, {
        ...hooks,
        selection,
        seed,
        jobs: jobsOf(options, adapter),
        maxWaitMs: options["max-wait"] ?? DEFAULT_MAX_WAIT_MS,
      }),
    );
  } finally {
    await adapter.close();
  }
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
}

/** Options by which a run shows its progress, and is ended. */
type RunHooks = Pick<RunOptions, "bail" | "signal" | "onResult" | "nextTurn" | "now">;

/**
 * Plays a run, and prints it while it goes on and at its end.
 * @returns exit status
 * @throws {DataError} if a report cannot be written
 */
export async function printRun(
  start: StartedRun,
  outputs: Outputs,
  edge: Edge,
  play: (hooks: RunHooks) => Promise<Report>,
): Promise<number> {
  const { invocation, kit, contract, info, selected, seed } = start;
  const { command, options, words } = invocation;
  const target = quoteAll(repeatedWords(words));
  const console = createConsole(
    options,
    contract,
    selected,
    `${edge.program} ${command} ${target}`,
    edge,
    outputs,
  );
  const header = { kit, contract: SERVED_CONTRACT.version, service: serviceOf(info), run: { seed } };
  const side = command === "client" ? "client" : undefined;
  if (options.quiet !== true) console?.print(formatHeader({ ...header, ...(side && { side }) }, target));
  console?.start();
  const report = await play({
    bail: options.bail ?? false,
    signal: edge.interrupted,
    onResult: (result, requests) => console?.onResult(result, requests),
    nextTurn: edge.nextTurn,
    now: edge.elapsedMs,
  }).finally(() => console?.cancel());
  const data = toData(report, kit, side);
  console?.end(data);
  outputs.write("json", formatJson(data));
  outputs.save();
  return report.verdict.exitStatus;
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
  return seed ?? 1;
}

/** @throws {UsageError} if the implementation cannot serve as many connections */
function jobsOf({ jobs, url }: Options, adapter: Adapter): number {
  const reason = reasonForOneConnection(adapter);
  if (reason === undefined) return jobs ?? (url === undefined ? 1 : JOBS_OF_URL);
  if (jobs !== undefined && jobs > 1) throw new UsageError(`--jobs must be 1, got ${jobs}: ${reason}`);
  return 1;
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
    for (const [file, text] of this.#texts) {
      try {
        writeFileSync(file, text);
      } catch (error) {
        throw new DataError(`${file}: cannot be written (${(error as NodeJS.ErrnoException).code})`);
      }
    }
  }
}

function createConsole(
  { verbose = false, quiet = false, "no-color": noColor = false }: Options,
  contract: Contract,
  selected: number,
  command: string,
  edge: Edge,
  outputs: Outputs,
): LiveConsole | undefined {
  const place = outputs.placeOf("console");
  if (place === undefined) return undefined;
  const terminal = place === "output" ? edge.terminal : undefined;
  const isDumb = edge.env["TERM"] === "dumb";
  const options = {
    contract,
    selected,
    isVerbose: verbose,
    isQuiet: quiet,
    command,
    width: Math.max(MIN_WIDTH, terminal?.columns ?? DEFAULT_WIDTH),
    isColored: place === "output" && !noColor && isColorWanted(edge.env, terminal !== undefined && !isDumb),
    hasStatusLine: terminal !== undefined && !isDumb,
  };
  return new LiveConsole(options, edge, (text) => outputs.write("console", text));
}

/** Follows no-color.org and force-color.org. */
function isColorWanted({ NO_COLOR = "", FORCE_COLOR = "" }: Edge["env"], byDefault: boolean): boolean {
  if (NO_COLOR !== "") return false;
  return FORCE_COLOR === "" ? byDefault : FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
}

/** Joins words to a command line for the shell. */
function quoteAll(words: readonly string[]): string {
  const quote = (word: string) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  return words.map(quote).join(" ");
}
