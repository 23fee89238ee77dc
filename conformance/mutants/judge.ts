/** Builds the program of an entry and judges it by vectors or properties. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { InProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import { type Contract, readContract } from "../contract/contract.ts";
import { PROPERTIES } from "../properties/index.ts";
import { DEFAULT_RUNS, type Report, run } from "../run/run.ts";
import { observedReadings } from "../run/verdict.ts";
import { loadKitVectors } from "../suite/load.ts";
import { allSteps, type Vector } from "../suite/vector.ts";
import { Program, type Sources } from "./edits.ts";
import { type ConformingVariant, DATA_FOLDER, type Entry, type Mutant, PROGRAM_FOLDER } from "./entries.ts";

/** Problems of an entry, one line each. Empty for a mutant that is caught and a variant that is accepted. */
export type Problems = readonly string[];

/** Maximum number of seeds with which to search for a mutant that names a property. */
const DEFAULT_SEEDS = 3;

/** Judges mutants and conforming variants of one program. */
export abstract class EntryJudge<Test extends Vector> {
  readonly contract: Contract;
  readonly tests: readonly Test[];
  readonly #program: Program;

  /** @param folder folder of the program's sources */
  constructor(contract: Contract, tests: readonly Test[], folder: string) {
    this.contract = contract;
    this.tests = tests;
    this.#program = new Program(readSources(folder));
  }

  /** Builds the program of an entry. @throws {Error} if it cannot be built */
  protected build<Module>(entry: Entry, file: string): Promise<Module> {
    return importModule(entry.edit(this.#program), file);
  }

  /** Builds the program of an entry and returns a function that plays tests on it. */
  protected abstract player(entry: Entry): Promise<(tests: readonly Test[]) => Promise<Report>>;

  /**
   * Plays tests on the program of an entry. A variant gets all tests. A mutant gets the tests that name one
   * of its rules, and then all tests, until each of its rules is violated.
   * @throws {Error} if the program cannot be built
   */
  async judge(entry: Entry): Promise<Problems> {
    const play = await this.player(entry);
    if (entry.kind === "variant") return variantProblems(this.contract, entry, await play(this.tests));
    const naming = this.tests.filter((test) => entry.breaks.some((rule) => namesRule(test, rule)));
    const plays = [...batches(naming), this.tests].map((batch) => () => play(batch));
    return judgeMutant(entry, plays, violatedRules);
  }
}

/** Judges entries of the reference by vectors or properties. */
export class ServiceJudge extends EntryJudge<Vector> {
  constructor() {
    const contract = readContract(join(DATA_FOLDER, "contract"));
    super(contract, loadKitVectors(contract), PROGRAM_FOLDER);
  }

  /** Builds the service of an entry. @throws {Error} if it cannot be built */
  async open(entry: Entry): Promise<InProcessAdapter> {
    return new InProcessAdapter(await this.build<ServiceModule>(entry, "service.ts"));
  }

  protected override async player(entry: Entry) {
    const adapter = await this.open(entry);
    return (vectors: readonly Vector[]) => run(this.contract, vectors, adapter);
  }

  /**
   * Plays tests on the service of an entry. A mutant that names a property gets that property. A variant gets
   * all properties if the number of seeds is given. All other entries get vectors.
   * @param seeds number of seeds. The first seed is 1. A variant must pass with each.
   * @throws {Error} if the service cannot be built
   */
  override async judge(entry: Entry, seeds?: number): Promise<Problems> {
    if (entry.kind === "mutant" && entry.property !== undefined) {
      const only = `property/${entry.property}`;
      const plays = seedsTo(DEFAULT_SEEDS).map((seed) => () => this.#search(entry, seed, only));
      return judgeMutant(entry, plays, (report) => [...violatedRules(report), ...rulesOfFailedTests(report)]);
    }
    if (entry.kind === "mutant" || seeds === undefined) return super.judge(entry);
    const problems: string[] = [];
    for (const seed of seedsTo(seeds)) {
      const report = await this.#search(entry, seed, "property/*");
      problems.push(...failures(report).map((failure) => `seed ${seed}: ${failure}`));
    }
    return problems;
  }

  /** Plays properties. Mutants may keep state in the module, so each seed gets a new module. */
  async #search(entry: Entry, seed: number, only: string): Promise<Report> {
    const options = { seed, runs: DEFAULT_RUNS, selection: { only: [only] } };
    return run(this.contract, PROPERTIES, await this.open(entry), options);
  }
}

function seedsTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

/**
 * Plays tests on a mutant until each rule that it breaks is found violated.
 * @param violatedIn returns the IDs of the rules that a report shows to be violated
 */
async function judgeMutant(
  { breaks }: Mutant,
  plays: readonly (() => Promise<Report>)[],
  violatedIn: (report: Report) => readonly string[],
): Promise<Problems> {
  let missed = breaks;
  let instead: string | undefined;
  for (const play of plays) {
    const report = await play();
    const violated = violatedIn(report);
    missed = missed.filter((id) => !violated.includes(id));
    if (missed.length === 0) return [];
    instead = failures(report)[0] ?? instead;
  }
  return [`${missed.join(", ")} not violated; ${instead ?? "nothing else failed"}`];
}

function violatedRules({ verdict }: Report): readonly string[] {
  return verdict.rules.filter(({ outcome }) => outcome === "violated").map(({ rule }) => rule.id);
}

function rulesOfFailedTests({ results }: Report): readonly string[] {
  return results.flatMap(({ outcome, vector }) => (outcome === "failed" ? vector.rules : []));
}

/** Splits tests into batches of 8, 16, 32, and so on, because most mutants fail an early one. */
function batches<Test>(tests: readonly Test[]): readonly (readonly Test[])[] {
  const split: (readonly Test[])[] = [];
  for (let start = 0; start < tests.length; start = 2 * start + 8)
    split.push(tests.slice(start, 2 * start + 8));
  return split;
}

function namesRule({ rules, steps }: Vector, rule: string): boolean {
  return rules.includes(rule) || allSteps(steps).some((step) => step.rules.includes(rule));
}

/** Lists findings, errors, unexpected readings, and required rules that were not tested. */
function variantProblems(contract: Contract, variant: ConformingVariant, report: Report): readonly string[] {
  const notTested = report.verdict.rules.filter(
    ({ rule, outcome }) => rule.level === "required" && outcome === "not-tested",
  );
  return [
    ...failures(report),
    ...readingProblems(contract, variant, report),
    ...(variant.hasUnusualStores
      ? []
      : notTested.map(({ rule, reason }) => `${rule.id} not tested: ${reason}`)),
  ];
}

/** Lists the open points whose readings are not the variant's or, by default, the reference's. */
function readingProblems(
  { openPoints }: Contract,
  { choices, hasUnusualStores }: ConformingVariant,
  { results }: Report,
): readonly string[] {
  const inOrder = (readings: Iterable<string>) => [...readings].sort().join(" | ");
  const observed = observedReadings(results);
  const points = [...openPoints.values()].filter(
    ({ id }) => !(hasUnusualStores && id.startsWith("CAPACITY-")),
  );
  return points.flatMap(({ id, reference }) => {
    const expected = inOrder((choices[id] ?? reference).split(" | "));
    const got = inOrder(observed.get(id) ?? (choices[id] === undefined ? [reference] : []));
    return got === expected ? [] : [`${id}: expected ${expected}, got ${got || "no reading"}`];
  });
}

/** Lists findings and errors, one line each. */
function failures({ results }: Report): readonly string[] {
  return results.flatMap(({ vector, outcome, reason, findings }) => [
    ...findings.map(
      ({ step, rules, expected, got }) =>
        `${vector.id}, step ${step}: ${rules.join(", ")}: expected ${expected}, got ${got}`,
    ),
    ...(outcome === "error" ? [`${vector.id}: error: ${reason}`] : []),
  ]);
}

/** Reads the TypeScript files of a folder, without tests. */
export function readSources(folder: string): Sources {
  const names = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Folder for edited programs: below `node_modules`, so that they can import packages. */
const BUILD_FOLDER = join(PROGRAM_FOLDER, "..", "node_modules", ".cache", "mutants");
let builds = 0;

/**
 * Writes sources and imports them as new modules.
 * @param entry name of the source that has the exports of the program
 * @throws if the sources do not compile or the module cannot be loaded
 */
async function importModule<Module>(sources: Sources, entry: string): Promise<Module> {
  builds += 1;
  const folder = join(BUILD_FOLDER, `${process.pid}-${builds}`);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of sources) writeFileSync(join(folder, name), text);
  try {
    return (await import(pathToFileURL(join(folder, entry)).href)) as Module;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
