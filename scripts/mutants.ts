/** Shows that the kit fails every broken service or client of the banks (conformance/mutants), and passes every legal one. */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Command } from "commander";
import picomatch from "picomatch";
import { loadClientData } from "../conformance/contract/client/client-data.ts";
import { loadKitData } from "../conformance/contract/kit-data.ts";
import { SEARCHES } from "../conformance/contract/searches.ts";
import { propertyId } from "../conformance/engine/search/property-result.ts";
import { checkEdits } from "../conformance/mutants/check-edits.ts";
import { clientSummary } from "../conformance/mutants/clients/client-summary.ts";
import { exampleProgram } from "../conformance/mutants/clients/example-program.ts";
import { judgeClientBank } from "../conformance/mutants/clients/judge-client-bank.ts";
import { loadClientBank } from "../conformance/mutants/clients/load-client-bank.ts";
import { judgeBank, judgeVerdicts } from "../conformance/mutants/judge-bank.ts";
import { BRIEFLY, THOROUGHLY, type Verdict } from "../conformance/mutants/judge-entry.ts";
import { loadBank } from "../conformance/mutants/load-bank.ts";
import { rulesWithoutEntry } from "../conformance/mutants/mutant-index.ts";
import { referenceProgram } from "../conformance/mutants/reference-program.ts";
import { summaryOf } from "../conformance/mutants/summary.ts";
import { uniqueKillers } from "../conformance/mutants/unique-killers.ts";
import { endWith } from "./end-with.ts";
import { CLIENTS, chosenIds, SERVICES } from "./mutants/sample.ts";

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
    "Judges every broken and every legal service of the bank; 0 where the kit is right about all of them.",
  )
  .option(
    "--clients",
    "judge the bank of clients instead, with the same options but for those of legal services",
  )
  .option(
    "--only <glob...>",
    "only entries whose id matches: challenge/*, legal/json-message, combination/3",
    [],
  )
  .option("--seed <n>", "seed of the combinations and of the sample", Number, 1)
  .option("--combinations <n>", "how many combinations of legal services", Number, 20)
  .option(
    "--sample <n>",
    "only that many entries: first those that the changes since --since are about, the rest by the seed",
    Number,
  )
  .option(
    "--since <commit>",
    "commit with which --sample compares the files; unknown or absent: draws by the seed",
  )
  .option("--jobs <n>", "processes side by side", Number, availableParallelism())
  .option("--thorough", "put every legal service through the searches of a usual run, too")
  .option("--check-edits", "only tell every edit that does not apply to the reference, and judge nothing")
  .option(
    "--verdicts <file>",
    "write the verdict, failed rules and first failure of a run of every vector on each entry, a line each: two versions of the kit compare by diff",
  )
  .parse()
  .opts<Options>();

const { verdicts } = options;
if (verdicts !== undefined) await endWith(writeVerdicts(verdicts, options));
else await endWith(options.clients === true ? judgeClients(options) : main(options));

async function judgeClients({ jobs: workers, checkEdits: checkOnly, ...given }: Options): Promise<number> {
  const { contract } = loadClientData();
  const bank = loadClientBank(contract);
  const faults = checkEdits(bank, exampleProgram());
  if (faults.length > 0) {
    process.stderr.write(`${faults.join("\n")}\n`);
    return 2;
  }
  if (checkOnly === true) return tellEdits([...bank.broken, ...bank.legal], "the example client");
  const only = chosenIds(bank, exampleProgram(), loadClientData().suites.vectors, { ...given, of: CLIENTS });
  const judged = await judgeClientBank({ bank, only, workers, onProgress });
  const { text, good } = clientSummary(judged, contract, only.length === 0);
  process.stdout.write(`${text}\n`);
  return good ? 0 : 1;
}

async function writeVerdicts(
  file: string,
  { clients = false, only, jobs: workers }: Options,
): Promise<number> {
  const bank = clients ? loadClientBank(loadClientData().contract) : loadBank(loadKitData().contract);
  const isChosen = only.length === 0 ? () => true : picomatch([...only]);
  const ids = [...bank.broken, ...bank.legal].map(({ id }) => id).filter((id) => isChosen(id));
  const lines: string[] = [];
  const onVerdict = (verdict: Verdict) => {
    lines.push(`${JSON.stringify(verdict)}\n`);
    onProgress(lines.length, ids.length);
  };
  await judgeVerdicts(ids, { clients, workers, onVerdict });
  writeFileSync(file, lines.sort().join(""));
  return 0;
}

function tellEdits(entries: readonly { readonly edits: readonly unknown[] }[], source: string): number {
  const edits = entries.flatMap((entry) => entry.edits);
  process.stdout.write(`all ${edits.length} edits of ${entries.length} entries apply to ${source}\n`);
  return 0;
}

async function main({ jobs: workers, checkEdits: checkOnly, thorough, ...given }: Options): Promise<number> {
  // The suites are read here too, so that a fault in one is told once, and before any worker starts.
  const { contract, suites } = loadKitData();
  const bank = loadBank(contract);
  const program = referenceProgram();
  const faults = checkEdits(bank, program);
  if (faults.length > 0) {
    process.stderr.write(`${faults.join("\n")}\n`);
    return 2;
  }
  if (checkOnly === true) return tellEdits([...bank.broken, ...bank.legal], "the reference");
  const extent = thorough === true ? THOROUGHLY : BRIEFLY;
  const only = chosenIds(bank, program, suites.vectors, { ...given, of: SERVICES });
  const judged = await judgeBank({ ...given, only, extent, bank, program, workers, onProgress });
  const names = [...new Set(suites.vectors.map(({ suite }) => suite))];
  const coverage = {
    uncovered: rulesWithoutEntry(contract, judged),
    killers: uniqueKillers(judged, names, SEARCHES.properties.map(propertyId)),
  };
  const { text, good } = summaryOf(judged, contract, only.length === 0 ? coverage : undefined);
  process.stdout.write(`${text}\n`);
  return good ? 0 : 1;
}

const BAR_WIDTH = 40;

function onProgress(done: number, total: number): void {
  if (!process.stderr.isTTY) return;
  const bar = "#".repeat(Math.floor((BAR_WIDTH * done) / total)).padEnd(BAR_WIDTH, ".");
  process.stderr.write(done === total ? "\r\u001b[K" : `\r${bar} ${done}/${total}`);
}
