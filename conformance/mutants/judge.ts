/** Builds the service of an entry and judges it by vectors or properties. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { InProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import { type Contract, readContract } from "../contract/contract.ts";
import { PROPERTIES } from "../properties/index.ts";
import { toResultData } from "../report/data.ts";
import { groupFailures } from "../report/groups.ts";
import { DEFAULT_RUNS, type Report, run } from "../run/run.ts";
import { observedReadings } from "../run/verdict.ts";
import { loadVectors } from "../suite/load.ts";
import type { Step, Vector } from "../suite/vector.ts";
import { Program, type Sources } from "./edits.ts";
import { type ConformingVariant, type Entry, type Mutant, PROGRAM_FOLDER } from "./entries.ts";

/** What vectors or properties showed about an entry. */
export interface Judgment {
  /** What is wrong, one line each. Empty for a mutant that is caught and a variant that is accepted. */
  readonly problems: readonly string[];
  /** Number of the rules named by a mutant that were found violated. */
  readonly violatedRules: number;
  /** Number of groups of failures, if they were counted. */
  readonly groups?: number;
}

/** Seeds of the search for a mutant that names a property, until one finds it. */
const DEFAULT_SEEDS = 3;

/** Judges entries by vectors or properties. */
export class EntryJudge {
  readonly vectors: readonly Vector[];
  readonly #program = new Program(readSources(PROGRAM_FOLDER));
  readonly contract: Contract;

  /** @param dataFolder folder with `contract` and `suites` */
  constructor(dataFolder: string) {
    this.contract = readContract(join(dataFolder, "contract"));
    this.vectors = loadVectors(join(dataFolder, "suites"), this.contract);
  }

  /** Builds the service of an entry. @throws {Error} if it cannot be built */
  async open(entry: Entry): Promise<InProcessAdapter> {
    return new InProcessAdapter(await importService(entry.edit(this.#program)));
  }

  /**
   * Builds the service of an entry and plays tests on it: all properties if the number of seeds is given, the
   * property that a mutant names, or else vectors.
   * @param seeds number of seeds, from 1
   * @throws {Error} if the service cannot be built
   */
  async judge(entry: Entry, seeds?: number): Promise<Judgment> {
    if (seeds !== undefined) return this.#judgeByProperties(entry, seeds);
    if (entry.kind === "mutant" && entry.property !== undefined) return this.#judgeHidden(entry);
    const adapter = await this.open(entry);
    const play = (vectors: readonly Vector[]) => run(this.contract, vectors, adapter);
    return judgeEntry(this.contract, this.vectors, entry, play);
  }

  /** Plays properties. Mutants may keep state in the module, so each seed has a new one. */
  async #search(entry: Entry, seed: number, only: string): Promise<Report> {
    const adapter = await this.open(entry);
    return run(this.contract, PROPERTIES, adapter, { seed, runs: DEFAULT_RUNS, selection: { only: [only] } });
  }

  /** A variant must pass with each seed, and a mutant must fail with each. */
  async #judgeByProperties(entry: Entry, seeds: number): Promise<Judgment> {
    const problems: string[] = [];
    for (let seed = 1; seed <= seeds; seed++) {
      const report = await this.#search(entry, seed, "property/*");
      const found = failures(report).map((failure) => `seed ${seed}: ${failure}`);
      if (entry.kind === "variant") problems.push(...found);
      else if (found.length === 0) problems.push(`seed ${seed}: nothing failed`);
    }
    return { problems, violatedRules: problems.length < seeds ? 1 : 0 };
  }

  async #judgeHidden(mutant: Mutant): Promise<Judgment> {
    const { breaks, property } = mutant;
    const missed = new Set(breaks);
    const instead: string[] = [];
    for (let seed = 1; seed <= DEFAULT_SEEDS && missed.size > 0; seed++) {
      const report = await this.#search(mutant, seed, `property/${property}`);
      for (const rule of violatedRules(report)) missed.delete(rule);
      for (const { outcome, vector } of report.results)
        if (outcome === "failed") for (const rule of vector.rules) missed.delete(rule);
      instead.push(...failures(report));
    }
    const problem = `${[...missed].join(", ")} not violated; ${instead[0] ?? "nothing else failed"}`;
    return { problems: missed.size > 0 ? [problem] : [], violatedRules: breaks.length - missed.size };
  }

  /**
   * Plays all vectors on a mutant, and counts the groups of failures. The rule of the first group must be one
   * that the mutant names.
   * @throws {Error} if the service cannot be built
   */
  async judgeGroups(mutant: Mutant): Promise<Judgment> {
    const { results } = await run(this.contract, this.vectors, await this.open(mutant));
    const context = { kit: "", contract: this.contract };
    const groups = groupFailures({ results: results.map((result) => toResultData(result, context)) });
    const rule = groups[0]?.first.finding?.rules[0] ?? "no rule";
    const isNamed = mutant.breaks.includes(rule);
    const problems = isNamed ? [] : [`the first group shows ${rule}, not ${mutant.breaks.join(" or ")}`];
    return { problems, violatedRules: Number(isNamed), groups: groups.length };
  }
}

function violatedRules({ verdict }: Report): ReadonlySet<string> {
  const violated = verdict.rules.filter(({ outcome }) => outcome === "violated");
  return new Set(violated.map(({ rule }) => rule.id));
}

/** @param play plays tests on the program of the entry */
export async function judgeEntry<Test extends Vector>(
  contract: Contract,
  tests: readonly Test[],
  entry: Entry,
  play: (tests: readonly Test[]) => Promise<Report>,
): Promise<Judgment> {
  if (entry.kind === "mutant") return judgeMutant(entry, tests, play);
  return { problems: variantProblems(contract, entry, await play(tests)), violatedRules: 0 };
}

/** Plays the tests that name a rule of the mutant, until each rule is violated, and all if none is. */
async function judgeMutant<Test extends Vector>(
  { breaks }: Mutant,
  tests: readonly Test[],
  play: (tests: readonly Test[]) => Promise<Report>,
): Promise<Judgment> {
  const naming = tests.filter((test) => breaks.some((rule) => namesRule(test, rule)));
  let missed = breaks;
  let instead = "nothing else failed";
  for (const batch of [...batches(naming), tests]) {
    const report = await play(batch);
    const violated = report.verdict.rules.filter(({ outcome }) => outcome === "violated");
    missed = missed.filter((id) => !violated.some(({ rule }) => rule.id === id));
    if (missed.length === 0) return { problems: [], violatedRules: breaks.length };
    instead = failures(report)[0] ?? instead;
  }
  const problems = [`${missed.join(", ")} not violated; ${instead}`];
  return { problems, violatedRules: breaks.length - missed.length };
}

/** Splits tests into batches of 8, 16, 32, and so on, because most mutants fail an early one. */
function batches<Test>(tests: readonly Test[]): readonly (readonly Test[])[] {
  const split: (readonly Test[])[] = [];
  for (let start = 0; start < tests.length; start = 2 * start + 8)
    split.push(tests.slice(start, 2 * start + 8));
  return split;
}

function namesRule({ rules, steps }: Vector, rule: string): boolean {
  const isNamedIn = (step: Step): boolean =>
    step.rules.includes(rule) || ("steps" in step && step.steps.some(isNamedIn));
  return rules.includes(rule) || steps.some(isNamedIn);
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

/** Lists the open points with other readings than the variant states, or else than the reference shows. */
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

/** Folder for built services: below `node_modules`, where they can import packages. */
const BUILD_FOLDER = join(PROGRAM_FOLDER, "..", "node_modules", ".cache", "mutants");
let builds = 0;

/**
 * Bundles sources and imports the result as a new module.
 * @throws if the sources do not compile or the module cannot be loaded
 */
function importService(sources: Sources): Promise<ServiceModule> {
  return importModule(sources, "service.ts");
}

/**
 * Bundles sources and imports the result as a new module.
 * @param entry name of the source that has the exports of the module
 * @throws if the sources do not compile or the module cannot be loaded
 */
export async function importModule<Module>(sources: Sources, entry: string): Promise<Module> {
  const bundle = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
    logLevel: "silent",
    plugins: [
      {
        name: "sources",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /.*/ }, ({ path }) =>
            path.endsWith(".ts")
              ? { path: path.replace(/^\.\//, ""), namespace: "sources" }
              : { path, external: true },
          );
          onLoad({ filter: /.*/, namespace: "sources" }, ({ path }) => ({
            contents: sources.get(path) ?? "",
            loader: "ts",
          }));
        },
      },
    ],
  });
  mkdirSync(BUILD_FOLDER, { recursive: true });
  builds += 1;
  const file = join(BUILD_FOLDER, `${process.pid}-${builds}.mjs`);
  writeFileSync(file, bundle.outputFiles[0]?.text ?? "");
  try {
    return (await import(pathToFileURL(file).href)) as Module;
  } finally {
    rmSync(file);
  }
}
