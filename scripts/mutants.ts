/** Shows that the kit fails every mutant of a suite (legacy/mutants), and accepts every conforming variant. */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Command } from "commander";
import { loadClientData } from "../legacy/contract/client/client-data.ts";
import { loadKitData } from "../legacy/contract/kit-data.ts";
import { SEARCHES } from "../legacy/contract/searches.ts";
import { propertyId } from "../legacy/engine/search/property-result.ts";
import { checkEdits } from "../legacy/mutants/edits.ts";
import { BRIEFLY, type SearchExtent, THOROUGHLY } from "../legacy/mutants/judge.ts";
import {
  type JudgedSuite,
  type JudgeSuiteOptions,
  judgeSuite,
  judgeVerdicts,
} from "../legacy/mutants/judge-suite.ts";
import { exampleProgram, referenceProgram } from "../legacy/mutants/program.ts";
import { loadMutants, type MutantSuite } from "../legacy/mutants/suite.ts";
import { type Coverage, summaryOf } from "../legacy/mutants/summary.ts";
import { rulesWithoutMutant, uniqueKillers } from "../legacy/mutants/traceability.ts";
import { endWith } from "./end-with.ts";
import { CLIENTS, chosenIds, SERVICES } from "./mutants/sample.ts";

/** Random scripts that a conforming client is tried with, besides every vector. */
const CLIENT_SCRIPTS: SearchExtent = { runs: 20 };

interface Options {
  readonly only: readonly string[];
  readonly seed: number;
  readonly combinations: number;
  readonly sample?: number;
  readonly since?: string;
  readonly jobs: number;
  readonly thorough?: boolean;
  readonly clients?: boolean;
  readonly checkEdits?: boolean;
  readonly verdicts?: string;
}

const options = new Command("mutants")
  .description(
    "Judges every mutant and every conforming variant; 0 where the kit is right about all of them.",
  )
  .option("--clients", "judge the clients instead of the services")
  .option(
    "--only <glob...>",
    "only entries whose id matches: challenge/*, legal/json-message, combination/3",
    [],
  )
  .option("--seed <n>", "seed of the combinations and of the sample", Number, 1)
  .option("--combinations <n>", "number of combinations of conforming services", Number, 20)
  .option(
    "--sample <n>",
    "only that many entries: first those that the changes since --since are about, the rest by the seed",
    Number,
  )
  .option(
    "--since <commit>",
    "commit with which --sample compares the files; unknown or absent: draws by the seed",
  )
  .option("--jobs <n>", "number of worker processes", Number, availableParallelism())
  .option("--thorough", "put every conforming service through the searches of a usual run, too")
  .option("--check-edits", "list every edit that does not apply, and judge nothing")
  .option(
    "--verdicts <file>",
    "write the verdict, failed rules and first failure of a run of every vector on each entry, a line each: two versions of the kit compare by diff",
  )
  .parse()
  .opts<Options>();

await endWith(main(options));

async function main({
  clients = false,
  verdicts,
  jobs: workers,
  thorough,
  ...given
}: Options): Promise<number> {
  const side = clients ? "clients" : "services";
  // The suites are read here too, so that a fault in one is told once, and before any worker starts.
  const contract = clients ? loadClientData().contract : loadKitData().contract;
  const suite = loadMutants(side, contract);
  const program = clients ? exampleProgram() : referenceProgram();
  const faults = checkEdits(suite, program);
  if (faults.length > 0) {
    process.stderr.write(`${faults.join("\n")}\n`);
    return 2;
  }
  if (given.checkEdits === true) return tellEdits(suite, clients ? "the example client" : "the reference");
  if (verdicts !== undefined) return writeVerdicts(verdicts, { ...given, side, suite, workers });
  const extent = clients ? CLIENT_SCRIPTS : thorough === true ? THOROUGHLY : BRIEFLY;
  const { vectors } = clients ? loadClientData().suites : loadKitData().suites;
  const only = chosenIds(suite, program, vectors, { ...given, of: clients ? CLIENTS : SERVICES });
  const judged = await judgeSuite({ ...given, only, side, suite, program, extent, workers, onProgress });
  const { text, good } = summaryOf(judged, contract, only.length === 0 ? coverageOf(judged) : undefined);
  process.stdout.write(`${text}\n`);
  return good ? 0 : 1;
}

/** What a suite as a whole has to cover. */
function coverageOf(judged: JudgedSuite): Coverage {
  if (judged.side === "clients") return { uncovered: [] };
  const { contract, suites } = loadKitData();
  const names = [...new Set(suites.vectors.map(({ suite }) => suite))];
  return {
    uncovered: rulesWithoutMutant(contract, judged),
    killers: uniqueKillers(judged, names, SEARCHES.properties.map(propertyId)),
  };
}

async function writeVerdicts(
  file: string,
  given: Pick<JudgeSuiteOptions, "side" | "suite" | "only" | "workers">,
): Promise<number> {
  const lines: string[] = [];
  await judgeVerdicts(given, (verdict, total) => {
    lines.push(`${JSON.stringify(verdict)}\n`);
    onProgress(lines.length, total);
  });
  writeFileSync(file, lines.sort().join(""));
  return 0;
}

function tellEdits({ broken, legal }: MutantSuite, source: string): number {
  const entries = [...broken, ...legal];
  const edits = entries.flatMap((entry) => entry.edits);
  process.stdout.write(`all ${edits.length} edits of ${entries.length} entries apply to ${source}\n`);
  return 0;
}

const BAR_WIDTH = 40;

function onProgress(done: number, total: number): void {
  if (!process.stderr.isTTY) return;
  const bar = "#".repeat(Math.floor((BAR_WIDTH * done) / total)).padEnd(BAR_WIDTH, ".");
  process.stderr.write(done === total ? "\r\u001b[K" : `\r${bar} ${done}/${total}`);
}
