/** Builds the service of an entry and judges it by the vectors. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { InProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import { type Contract, readContract } from "../contract/contract.ts";
import { type Report, run } from "../run/run.ts";
import { observedReadings } from "../run/verdict.ts";
import { loadVectors } from "../suite/load.ts";
import type { Step, Vector } from "../suite/vector.ts";
import { Program, type Sources } from "./edits.ts";
import { type ConformingVariant, type Entry, type Mutant, PROGRAM_FOLDER } from "./entries.ts";

/** What the vectors showed about an entry. */
export interface Judgment {
  /** Why the entry is wrong: one line each. Empty for a mutant that is caught and a variant that is accepted. */
  readonly problems: readonly string[];
  /** Number of the rules that a mutant names and vectors found violated. */
  readonly found: number;
}

/** The vectors and the program, as all entries use them. */
export class EntryJudge {
  readonly #contract: Contract;
  readonly #vectors: readonly Vector[];
  readonly #program = new Program(readSources(PROGRAM_FOLDER));

  /** @param dataFolder folder with `contract` and `suites` */
  constructor(dataFolder: string) {
    this.#contract = readContract(join(dataFolder, "contract"));
    this.#vectors = loadVectors(join(dataFolder, "suites"), this.#contract);
  }

  get contract(): Contract {
    return this.#contract;
  }

  /** @throws if the service cannot be built */
  async judge(entry: Entry): Promise<Judgment> {
    const adapter = new InProcessAdapter(await importService(entry.edit(this.#program)));
    const play = (vectors: readonly Vector[]) => run(this.#contract, vectors, adapter);
    if (entry.kind === "mutant") return this.#judgeMutant(entry, play);
    const problems = variantProblems(this.#contract, entry, await play(this.#vectors));
    return { problems, found: 0 };
  }

  /** Plays the vectors that name a rule of the mutant. Plays all others only if those do not show each rule. */
  async #judgeMutant(
    { breaks }: Mutant,
    play: (vectors: readonly Vector[]) => Promise<Report>,
  ): Promise<Judgment> {
    const naming = this.#vectors.filter((vector) => breaks.some((rule) => namesRule(vector, rule)));
    let report = await play(naming);
    let missed = missedRules(breaks, report);
    if (missed.length > 0) {
      report = await play(this.#vectors);
      missed = missedRules(breaks, report);
    }
    const found = breaks.length - missed.length;
    if (missed.length === 0) return { problems: [], found };
    const others = failures(report);
    const instead = others.length === 0 ? "nothing else failed" : `instead ${others[0]}`;
    return { problems: [`${missed.join(", ")} not violated; ${instead}`], found };
  }
}

function missedRules(rules: readonly string[], { verdict }: Report): readonly string[] {
  const violated = new Set(
    verdict.rules.flatMap(({ rule, outcome }) => (outcome === "violated" ? rule.id : [])),
  );
  return rules.filter((rule) => !violated.has(rule));
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

/** Lists the open points whose observed readings are neither those of the variant nor those of the reference. */
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
function readSources(folder: string): Sources {
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
async function importService(sources: Sources): Promise<ServiceModule> {
  const bundle = await build({
    entryPoints: ["service.ts"],
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
    return (await import(pathToFileURL(file).href)) as ServiceModule;
  } finally {
    rmSync(file);
  }
}
