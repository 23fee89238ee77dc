/** Shows that the kit fails every mutant of a suite (conformance/mutants), and accepts every conforming variant. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";
import { Command } from "commander";
import { loadClientData } from "../conformance/contract/client/client-data.ts";
import { loadKitData } from "../conformance/contract/kit-data.ts";
import { SEARCHES } from "../conformance/contract/searches.ts";
import { propertyId } from "../conformance/engine/search/property-result.ts";
import type { Vector } from "../conformance/engine/vectors/vector.ts";
import { checkEdits, spansOf } from "../conformance/mutants/edits.ts";
import { BRIEFLY, type SearchExtent, THOROUGHLY } from "../conformance/mutants/judge.ts";
import {
  type JudgedSuite,
  type JudgeSuiteOptions,
  judgeSuite,
  judgeVerdicts,
} from "../conformance/mutants/judge-suite.ts";
import {
  EXAMPLE_FOLDER,
  exampleProgram,
  type Program,
  referenceProgram,
} from "../conformance/mutants/program.ts";
import { drawSample } from "../conformance/mutants/sample.ts";
import { loadMutants, type MutantSuite, type Side } from "../conformance/mutants/suite.ts";
import { type Coverage, summaryOf } from "../conformance/mutants/summary.ts";
import { rulesWithoutMutant, uniqueKillers } from "../conformance/mutants/traceability.ts";
import { PATHS } from "../conformance/paths.ts";
import { endWith } from "./end-with.ts";

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

/** Folders of no mutant suite, and of one or the other: its verdicts do not depend on what is in them. */
const NEITHER = [
  ...["docs", "scripts", "lint", ".ci", "golden", "golden-flows"],
  ...["audit", "traffic", "cli", "api", "reports", "policies", "proxy", "testing", "verifiers"],
];
const SIDES = {
  services: {
    sources: PATHS.referenceSources,
    unrelated: [...NEITHER, "client", "clients", "client-suites"],
  },
  clients: {
    sources: EXAMPLE_FOLDER,
    unrelated: [...NEITHER, "suites", "search", "commands", "properties"],
  },
} as const;

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
  const only = sampleOf(suite, program, SIDES[side], vectors, given);
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

/** Globs over the ids to judge: as given, or those of the sample. */
function sampleOf(
  suite: MutantSuite,
  program: Program,
  { sources, unrelated }: (typeof SIDES)[Side],
  vectors: readonly Pick<Vector, "rules" | "place">[],
  { only, sample, since, seed }: Omit<Options, "jobs">,
): readonly string[] {
  if (sample === undefined) return only;
  const candidates = [...suite.broken, ...suite.legal].map(({ place, edits, ...entry }) => ({
    ...entry,
    files: [
      fromRoot(place.file),
      ...spansOf(program, edits).map(({ file }) => fromRoot(join(sources, file.name))),
    ],
  }));
  const rulesOfFiles = new Map<string, Set<string>>();
  for (const { place, rules } of vectors) {
    const file = fromRoot(place.file);
    rulesOfFiles.set(file, new Set([...(rulesOfFiles.get(file) ?? []), ...rules]));
  }
  const changed = since === undefined ? undefined : changedSince(since);
  const drawn = drawSample(candidates, { size: sample, seed, changed, rulesOfFiles, unrelated });
  const base =
    changed === undefined ? "no commit to compare with" : `${changed.length} files changed since ${since}`;
  process.stdout.write(`sample of ${drawn.length} entries, seed ${seed}, ${base}\n`);
  return [...drawn, "combination/*"];
}

function fromRoot(path: string): string {
  return relative(PATHS.root, resolve(PATHS.root, path));
}

/** Paths that differ from a commit; undefined where git does not know it, as in a shallow clone. */
function changedSince(commit: string): readonly string[] | undefined {
  const words = ["diff", "--name-only", "--no-renames", commit, "--"];
  const { status, stdout } = spawnSync("git", words, { cwd: PATHS.root, encoding: "utf8" });
  return status === 0 ? stdout.split("\n").filter((path) => path !== "") : undefined;
}

const BAR_WIDTH = 40;

function onProgress(done: number, total: number): void {
  if (!process.stderr.isTTY) return;
  const bar = "#".repeat(Math.floor((BAR_WIDTH * done) / total)).padEnd(BAR_WIDTH, ".");
  process.stderr.write(done === total ? "\r\u001b[K" : `\r${bar} ${done}/${total}`);
}
