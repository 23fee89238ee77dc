/** Which mutants, vectors and properties stand behind each rule. */
import { readFileSync } from "node:fs";
import { SEARCHES } from "../contract/searches.ts";
import { PREPARED } from "../engine/data/prepared.ts";
import type { OpenPoint, RuleBook } from "../engine/rule-book.ts";
import { propertyId } from "../engine/search/property-result.ts";
import type { Suites } from "../engine/vectors/load.ts";
import { allSteps } from "../engine/vectors/needs.ts";
import type { Vector } from "../engine/vectors/vector.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import type { JudgedSuite } from "./judge-suite.ts";
import { loadMutants, type MutantSuite, yamlFiles } from "./suite.ts";

/** What stands behind a rule: how it is tried, and how we know that the trial can fail. */
export interface RuleTrace {
  readonly vectors: readonly string[];
  readonly properties: readonly string[];
  /** Mutants of services that break the rule, its own ones first. */
  readonly mutants: readonly string[];
}

/** Rule id -> what stands behind it. */
export function traceRules(contract: RuleBook, suites: Suites): ReadonlyMap<string, RuleTrace> {
  const mutants = byRule(loadMutants("services", contract).broken);
  return new Map(
    [...contract.rules.keys()].map((id) => [
      id,
      {
        vectors: suites.vectors.filter(({ rules }) => rules.includes(id)).map((vector) => vector.id),
        properties: SEARCHES.properties.filter(({ rules }) => rules.includes(id)).map(propertyId),
        mutants: mutants.get(id) ?? [],
      },
    ]),
  );
}

/** The vectors that are about an open point; one that none is about is seen in passing, in the answers of others. */
export function vectorsOfPoint({ id }: OpenPoint, suites: Suites): readonly Vector[] {
  return suites.vectors.filter(({ steps }) =>
    allSteps(steps).some((step) => {
      if (step.kind === "classify" || step.kind === "custom") return step.open === id;
      return step.expect?.open === id;
    }),
  );
}

/** Required rules that a test can show, and that no mutant has for its own. */
export function rulesWithoutMutant(
  contract: RuleBook,
  { broken }: Pick<MutantSuite, "broken">,
): readonly string[] {
  const own = new Set(broken.map(({ breaks }) => breaks[0]));
  return [...contract.rules.values()]
    .filter(({ id, level, observable }) => level === "required" && observable && !own.has(id))
    .map(({ id }) => id);
}

/** A mutant, by what it breaks. */
export interface Breaks {
  /** `area/entry`. */
  readonly id: string;
  /** Its own rule, then others that it cannot but break. */
  readonly breaks: readonly string[];
}

/** Ids of the mutants that break each rule, those of which it is the own rule first. */
export function byRule(broken: readonly Breaks[]): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  const add = (rule: string, id: string) => index.set(rule, [...(index.get(rule) ?? []), id]);
  for (const { id, breaks } of broken) if (breaks[0] !== undefined) add(breaks[0], id);
  for (const { id, breaks } of broken) for (const rule of breaks.slice(1)) add(rule, id);
  return index;
}

/** Name under which the build prepares {@link scanBreaks}. */
export const PREPARED_BREAKS = "breaks";

/** Files that it is read from. */
export function breaksSources(): readonly string[] {
  return yamlFiles("services", "broken");
}

/**
 * What the mutants of services break, and nothing else of them: parsing and checking the whole suite takes longer than
 * writing every report. {@link loadMutants} holds the files to the form that is expected here, and a test compares the two.
 */
export function scanBreaks(): readonly Breaks[] {
  const prepared = PREPARED.value(PREPARED_BREAKS, breaksSources) as readonly Breaks[] | undefined;
  return (
    prepared ??
    breaksSources().flatMap((file) => {
      const text = readFileSync(file, "utf8");
      const area = /^area: (\S+)$/m.exec(text)?.[1];
      const entries = text.matchAll(/^ {2}- id: (\S+)$(?:\n(?! {2}-).*)*?\n {4}breaks: \[([^\]]*)\]/gm);
      return [...entries].map(([, id, breaks = ""]) => ({
        id: `${area}/${id}`,
        breaks: breaks.split(",").map((rule) => rule.trim()),
      }));
    })
  );
}

/**
 * The report with, for each rule, the broken services that show its tests failing; the tests themselves are its results.
 */
export function tracedReport(report: GatedReport): GatedReport {
  const index = byRule(scanBreaks());
  const rules = report.rules.map((rule) => {
    const mutants = index.get(rule.id);
    return mutants === undefined ? rule : { ...rule, mutants };
  });
  return { ...report, rules };
}

/** Suites and properties that no broken service needs, with the reason why they are there. */
const EXCUSED: ReadonlyMap<string, string> = new Map([
  [
    "property/races",
    "races as in the vectors with `together`, in other sizes and in every order; what breaks one breaks the other",
  ],
  [
    "property/stateful",
    "what it alone finds waits for several things to happen together: `npm run hidden-faults` hunts such services",
  ],
  [
    "over-http",
    "what only a server shows, while the suite is judged in process: legacy/cli/over-http.test.ts tries it",
  ],
]);

/** The broken services of which a suite or property is the unique killer: nothing else catches them. */
export interface UniqueKillers {
  /** Suite or property -> ids of services of which a rule survives without it. */
  readonly services: ReadonlyMap<string, readonly string[]>;
  /** Suites and properties that could be deleted without a service surviving, and that give no reason for themselves. */
  readonly needless: readonly string[];
  /** The same with their reasons. */
  readonly excused: ReadonlyMap<string, string>;
}

/**
 * Finds out what would be noticed if it were deleted.
 * @param suites names of all suites
 * @param properties ids of all properties
 */
export function uniqueKillers(
  { broken, mutantOutcomes }: Pick<JudgedSuite, "broken" | "mutantOutcomes">,
  suites: readonly string[],
  properties: readonly string[],
): UniqueKillers {
  const services = new Map<string, string[]>([...suites, ...properties].map((check) => [check, []]));
  for (const { id, breaks } of broken) {
    const caughtBy = mutantOutcomes.get(id)?.caughtBy ?? {};
    const killers = new Set(breaks.flatMap((rule) => onlyOne((caughtBy[rule] ?? []).map(checkOf))));
    for (const check of killers) services.get(check)?.push(id);
  }
  const idle = [...services].filter(([, ids]) => ids.length === 0).map(([check]) => check);
  return {
    services,
    needless: idle.filter((check) => !EXCUSED.has(check)),
    excused: new Map(idle.flatMap((check) => [...EXCUSED].filter(([id]) => id === check))),
  };
}

function onlyOne(checks: readonly string[]): readonly string[] {
  const distinct = [...new Set(checks)];
  return distinct.length === 1 ? distinct : [];
}

/** The suite of a vector; a property is a check by itself. */
function checkOf(id: string): string {
  const [first = ""] = id.split("/");
  return first === "property" ? id : first;
}
