/** Builds the program of an entry and judges it by vectors or properties. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { InProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import { type ClientModule, inProcessClient } from "../clients/adapters/in-process.ts";
import { loadTrials } from "../clients/load.ts";
import { runClient } from "../clients/run.ts";
import { type Contract, readClientContract, readServiceContract } from "../contract/contract.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { PROPERTIES } from "../properties/index.ts";
import { textsOf } from "../report/wording.ts";
import { DEFAULT_RUNS, type Report, type RunOptions, run } from "../run/run.ts";
import { observedReadings } from "../run/verdict.ts";
import { loadKitVectors } from "../suite/load.ts";
import { stepsOf, type Test } from "../suite/vector.ts";
import { type ConformingVariant, type Entry, type Mutant, PROGRAM_FOLDER } from "./entries.ts";

/** Problems of an entry, one line each. Empty for a mutant that is caught and a variant that is accepted. */
export type Problems = readonly string[];

/** The tests that judge entries, and how they are played. */
export interface Subject {
  readonly contract: Contract;
  readonly tests: readonly Test[];
  /** Builds the program of an entry and returns a function that plays tests on it. @throws {Error} */
  readonly open: (entry: Entry) => Promise<(tests: readonly Test[], options?: RunOptions) => Promise<Report>>;
}

/** Judges entries of the reference by vectors and properties. */
export function serviceSubject(): Subject {
  const contract = readServiceContract();
  const tests = loadKitVectors(contract);
  return {
    contract,
    tests,
    async open(entry) {
      const adapter = await openService(entry);
      return (chosen, options) => run(contract, choose([...tests, ...PROPERTIES], chosen), adapter, options);
    },
  };
}

/** Builds the service of an entry. @throws {Error} if it cannot be built */
export async function openService(entry: Entry): Promise<InProcessAdapter> {
  return new InProcessAdapter(await build<ServiceModule>(entry, "service.ts"));
}

/** Judges entries of the example client by the trials (the tests of clients). */
export function clientSubject(): Subject {
  const contract = readClientContract();
  const trials = loadTrials(contract);
  return {
    contract,
    tests: trials,
    async open(entry) {
      const reference = await import(pathToFileURL(join(PROGRAM_FOLDER, "service.ts")).href);
      const client = await build<ClientModule>(entry, "client.ts");
      const adapter = inProcessClient(client, entry.over === "http");
      return (chosen) => runClient(contract, choose(trials, chosen), adapter, { reference });
    },
  };
}

/** Returns the tests of a suite that are chosen. */
function choose<One extends Test>(suite: readonly One[], chosen: readonly Test[]): readonly One[] {
  const wanted = new Set(chosen);
  return suite.filter((test) => wanted.has(test));
}

/** Folder for edited programs: below `node_modules`, so that they can import packages. */
const BUILD_FOLDER = join(DATA_FOLDER, "..", "node_modules", ".cache", "mutants");

/**
 * Writes the sources of an entry and imports them as new modules.
 * @param file the source that has the exports of the program
 * @throws if the sources do not compile or the module cannot be loaded
 */
async function build<Module>(entry: Entry, file: string): Promise<Module> {
  mkdirSync(BUILD_FOLDER, { recursive: true });
  const folder = mkdtempSync(join(BUILD_FOLDER, "program-"));
  try {
    for (const [name, text] of entry.sources()) writeFileSync(join(folder, name), text);
    return (await import(pathToFileURL(join(folder, file)).href)) as Module;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Seeds for the property that a mutant names. */
const SEEDS = [1, 2, 3];

/**
 * Plays tests on the program of an entry. On a variant, plays all vectors, or all properties if the number of
 * seeds is given. On a mutant that names a property, plays that property. On other mutants, plays the vectors
 * that name one of the mutant's rules, and then all vectors, until each of these rules is violated.
 * @param seeds number of seeds. The first seed is 1. A variant must pass with each.
 * @throws {Error} if the program cannot be built
 */
export async function judgeEntry(
  { contract, tests, open }: Subject,
  entry: Entry,
  seeds?: number,
): Promise<Problems> {
  const search = async (seed: number, property: string) => {
    // Mutants may keep state in the module, so each seed gets a new module.
    const play = await open(entry);
    return play(PROPERTIES, { seed, runs: DEFAULT_RUNS, selection: { only: [`property/${property}`] } });
  };
  if (entry.kind === "mutant" && entry.property !== undefined) {
    const { property } = entry;
    const plays = SEEDS.map((seed) => () => search(seed, property));
    return judgeMutant(entry, plays);
  }
  if (entry.kind === "variant" && seeds !== undefined) {
    const problems: string[] = [];
    for (let seed = 1; seed <= seeds; seed++)
      problems.push(...failures(await search(seed, "*")).map((failure) => `seed ${seed}: ${failure}`));
    return problems;
  }
  const play = await open(entry);
  if (entry.kind === "variant") return variantProblems(contract, entry, await play(tests));
  const naming = tests.filter((test) =>
    [test.rules, ...stepsOf(test).map((step) => step.rules)]
      .flat()
      .some((rule) => entry.breaks.includes(rule)),
  );
  const plays = [...batches(naming), tests].map((batch) => () => play(batch));
  return judgeMutant(entry, plays);
}

/** Plays tests on a mutant until each rule that the mutant names is violated. */
async function judgeMutant({ breaks }: Mutant, plays: readonly (() => Promise<Report>)[]): Promise<Problems> {
  let missed = breaks;
  let instead: string | undefined;
  for (const play of plays) {
    const report = await play();
    const violated = violatedRules(report);
    missed = missed.filter((id) => !violated.includes(id));
    if (missed.length === 0) return [];
    instead = failures(report)[0] ?? instead;
  }
  return [`${missed.join(", ")} not violated; ${instead ?? "no test failed"}`];
}

/** Returns the IDs of the rules that are violated, and of all rules of failed properties. */
function violatedRules({ verdict, results }: Report): readonly string[] {
  const violated = verdict.rules.filter(({ outcome }) => outcome === "violated").map(({ rule }) => rule.id);
  const failed = results.filter(
    ({ outcome, vector }) => outcome === "failed" && vector.id.startsWith("property/"),
  );
  return [...violated, ...failed.flatMap(({ vector }) => vector.rules)];
}

/** Splits tests into batches of 8, 16, 32, and so on, because most mutants fail an early batch. */
function batches<Test>(tests: readonly Test[]): readonly (readonly Test[])[] {
  const split: (readonly Test[])[] = [];
  for (let start = 0; start < tests.length; start = 2 * start + 8)
    split.push(tests.slice(start, 2 * start + 8));
  return split;
}

/**
 * Lists findings, errors, required rules whose test is unexpected or missing, and unexpected readings. If a
 * variant names no readings of a point, those of the reference are expected.
 */
function variantProblems(
  { openPoints }: Contract,
  { readings, notTested }: ConformingVariant,
  report: Report,
): Problems {
  const inOrder = (readings: Iterable<string>) => [...readings].sort().join(" | ");
  const observed = observedReadings(report.results);
  const unexpected = [...openPoints.values()].flatMap(({ id, reference }) => {
    const expected = inOrder((readings[id] ?? reference).split(" | "));
    const got = inOrder(observed.get(id) ?? (readings[id] === undefined ? [reference] : []));
    return got === expected ? [] : [`${id}: expected ${expected}, got ${got || "no reading"}`];
  });
  const wronglyTested = report.verdict.rules.flatMap(({ rule: { id, level }, outcome, reason }) => {
    const isUntested = level === "required" && outcome === "not-tested";
    if (isUntested === notTested.includes(id)) return [];
    return [isUntested ? `${id} not tested: ${reason}` : `${id} is in not-tested, but was tested`];
  });
  return [...failures(report), ...unexpected, ...wronglyTested];
}

/** Lists findings and errors, one line each. */
function failures({ results }: Report): readonly string[] {
  return results.flatMap(({ vector, outcome, reason, findings }) => [
    ...findings.map((finding) => {
      const { expected, got } = textsOf(finding);
      return `${vector.id}, step ${finding.step}: ${finding.rules.join(", ")}: expected ${expected}, got ${got}`;
    }),
    ...(outcome === "error" ? [`${vector.id}: error: ${reason}`] : []),
  ]);
}
