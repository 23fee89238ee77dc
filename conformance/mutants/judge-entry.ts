import { inProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import type { KitData } from "../contract/kit-data.ts";
import type { Result } from "../engine/play/result.ts";
import { attributeFailures } from "../engine/run/attribute-failures.ts";
import { rankFailures } from "../engine/run/rank-failures.ts";
import type { Report } from "../engine/run/report.ts";
import { run } from "../engine/run/run.ts";
import { DEFAULT_DEPTH, DEFAULT_RUNS } from "../engine/search/default-runs.ts";
import type { Step, Vector } from "../engine/vectors/vector.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import type { BrokenEntry, LegalEntry } from "./entry.ts";

/** What the kit said of a broken service. */
export interface BrokenOutcome {
  readonly id: string;
  /** For every rule that the entry breaks, the vectors that name it and the property, as far as they failed for it. */
  readonly caughtBy: Readonly<Record<string, readonly string[]>>;
  /** What a run of everything would tell first; absent where it fails nothing. */
  readonly first?: FirstFailure;
  /** Where a rule of the entry was not seen to fail: the required rules that fail in a run of everything. */
  readonly allBroken?: readonly string[];
  /** Why nothing could be said: the service did not load, or broke the adapter. */
  readonly fault?: string;
}

/** The failure that a report shows first. */
export interface FirstFailure {
  /** Id of the vector or property. */
  readonly id: string;
  /** The rule that is told first. */
  readonly rule: string;
  readonly expected: string;
  readonly got: string;
}

/** What the kit said of a legal service, or of several put together. */
export interface LegalOutcome {
  readonly id: string;
  readonly conforms: boolean;
  /** Open points on which it was seen to differ from the reference, with what was seen. */
  readonly choices: Readonly<Record<string, string>>;
  /** One line for each failure, or for what was not tried. */
  readonly complaints: readonly string[];
}

/** Cases that a property tries to find a service that is its to find; most are found much earlier. */
const SEARCH_RUNS = 1_000;

/** Result of a run of every vector: what one version of the kit is compared with another by. */
export interface Verdict {
  readonly id: string;
  /** The run's verdict, or the reason why there is none. */
  readonly verdict: string;
  /** Required rules that failed, in the order of the rule book. */
  readonly failed: readonly string[];
  /** Required rules that were not tested. */
  readonly notTested: readonly string[];
  /** Vector and rule of the failure that the report begins with. */
  readonly first?: Pick<FirstFailure, "id" | "rule">;
}

/** How much of the searches a legal service is put through, besides every vector. */
export interface LegalExtent {
  /** Cases that each property tries. */
  readonly runs: number;
  /** Length of the sequences of which every one is tried; no such search where it is absent. */
  readonly exhaustive?: number;
}

/** A few cases of each property find what is wrong with the kit's own model in many services; it is the vectors that cover all. */
export const BRIEFLY: LegalExtent = { runs: 3 };

/** The searches of a usual run. */
export const THOROUGHLY: LegalExtent = { runs: DEFAULT_RUNS, exhaustive: DEFAULT_DEPTH };

/**
 * Runs the vectors that name a rule of the entry, and the property that has to find it; and all vectors, where one of
 * its rules is not seen to fail.
 */
export async function judgeBroken(
  entry: BrokenEntry,
  service: ServiceModule,
  kit: KitData,
): Promise<BrokenOutcome> {
  const { id, breaks, property } = entry;
  const naming = kit.suites.vectors.filter((vector) => breaks.some((rule) => names(vector, rule)));
  const results = naming.length === 0 ? [] : (await judge(service, kit, { vectors: naming })).results;
  const found = property === undefined ? [] : await search(property, service, kit);
  const seen = [...results, ...found];
  const caughtBy = Object.fromEntries(
    breaks.map((rule) => {
      const about = new Set(naming.filter((vector) => names(vector, rule)).map((vector) => vector.id));
      return [rule, failing(rule, seen).filter((check) => check === property || about.has(check))];
    }),
  );
  const fault = seen.find(({ outcome }) => outcome === "error")?.reason;
  const first = await firstFailure(service, kit, { vectors: results, found });
  const outcome = {
    id,
    caughtBy,
    ...(first === undefined ? {} : { first }),
    ...(fault === undefined ? {} : { fault }),
  };
  if (Object.values(caughtBy).every((checks) => checks.length > 0)) return outcome;
  const all = await judge(service, kit, { vectors: kit.suites.vectors });
  return { ...outcome, allBroken: failedRules(all) };
}

/** What is known already of a service. */
interface Known {
  readonly vectors: readonly Result[];
  /** What a property showed. */
  readonly found: readonly Result[];
}

/**
 * The failure that a report on everything would show first. Of the vectors that are not judged yet only those are that
 * could come before the first which is known to fail.
 */
async function firstFailure(
  service: ServiceModule,
  kit: KitData,
  { vectors: known, found }: Known,
): Promise<FirstFailure | undefined> {
  const byId = new Map(known.map((result) => [result.id, result]));
  const { vectors } = kit.suites;
  const end = vectors.findIndex(({ id }) => isToldFirst(byId.get(id)));
  const before = (end < 0 ? vectors : vectors.slice(0, end)).filter(({ id }) => !byId.has(id));
  const others =
    before.length === 0 ? [] : (await judge(service, kit, { vectors: before, bail: true })).results;
  for (const result of others) byId.set(result.id, result);
  const inOrder = vectors.flatMap(({ id }) => byId.get(id) ?? []);
  const [first] = rankFailures([...attributeFailures(inOrder), ...found]);
  if (first === undefined) return undefined;
  const { rule, expected, got } = first.failure;
  return { id: first.result.id, rule, expected, got };
}

/** Whether something fails that is told before all that later results can show. */
function isToldFirst(result: Result | undefined): boolean {
  return result?.failures.some(({ aside }) => aside === undefined) ?? false;
}

/** What a property shows of a service that is its to find. */
async function search(id: string, service: ServiceModule, kit: KitData): Promise<readonly Result[]> {
  const { results } = await judge(service, kit, { vectors: [], runs: SEARCH_RUNS, only: [id] });
  return results;
}

function names({ rules, steps }: Vector, rule: string): boolean {
  const inSteps = (some: readonly Step[]): boolean =>
    some.some((step) => step.rules?.includes(rule) || ("steps" in step && inSteps(step.steps)));
  return rules.includes(rule) || inSteps(steps);
}

/**
 * Runs every vector, and the searches.
 * @param untried rules that are not expected to be tried
 */
export async function judgeLegal(
  id: string,
  service: ServiceModule,
  kit: KitData,
  searched: LegalExtent,
  untried: readonly string[] = [],
): Promise<LegalOutcome> {
  const extent = { ...searched, vectors: kit.suites.vectors, accepted: new Set(untried) };
  const report = await judge(service, kit, extent);
  const differing = report.choices.filter(
    ({ observed, reference }) => observed !== reference && observed !== "not seen",
  );
  const tried = untried.filter((rule) => !untriedRules(report).includes(rule));
  const complaints = [
    ...(report.exitStatus === 0 ? [] : complaintsOf(report, untried)),
    ...tried.map((rule) => `${rule} was tried`),
  ];
  return {
    id,
    conforms: complaints.length === 0,
    choices: Object.fromEntries(differing.map(({ point, observed }) => [point, observed])),
    complaints,
  };
}

/** Where a legal entry was seen to choose otherwise than it says, one line each. */
export function unexpectedChoices({ choices }: LegalEntry, seen: LegalOutcome["choices"]): readonly string[] {
  const points = [...new Set([...Object.keys(choices), ...Object.keys(seen)])].sort();
  return points
    .filter((point) => choices[point] !== seen[point])
    .map(
      (point) =>
        `${point}: ${seen[point] ?? "as the reference"} was seen, not ${choices[point] ?? "expected"}`,
    );
}

/** Runs every vector, and no search. */
export async function judgeWhole(id: string, service: ServiceModule, kit: KitData): Promise<Verdict> {
  return verdictOf(id, await judge(service, kit, { vectors: kit.suites.vectors }));
}

/** Reduces a report to what versions of the kit are compared by. */
export function verdictOf(id: string, report: Report): Verdict {
  const [first] = rankFailures(report.results);
  return {
    id,
    verdict: report.verdict ?? "none",
    failed: failedRules(report),
    notTested: untriedRules(report),
    ...(first === undefined ? {} : { first: { id: first.result.id, rule: first.failure.rule } }),
  };
}

interface Extent {
  readonly vectors: readonly Vector[];
  /** Cases that each property tries; 0, for vectors alone, unless told. */
  readonly runs?: number;
  readonly exhaustive?: number;
  /** Globs over ids; none chooses all. */
  readonly only?: readonly string[];
  /** Rules of which it is accepted that they are not tried. */
  readonly accepted?: ReadonlySet<string>;
  /** Whether to stop at the first failure that is not met on the way to something else. */
  readonly bail?: boolean;
}

async function judge(
  service: ServiceModule,
  { contract }: KitData,
  { vectors, runs = 0, exhaustive, only = [], accepted = new Set(), bail = false }: Extent,
): Promise<GatedReport> {
  return run({
    contract,
    suites: { vectors, digest: "" },
    adapter: inProcessAdapter(service, { name: "mutant" }),
    kitVersion: "",
    seed: 1,
    only,
    bail,
    runs,
    ...(exhaustive === undefined ? {} : { exhaustive }),
    maxWaitMs: 0,
    accepted,
    time: { now: () => 0, sleep: async () => {} },
  });
}

function failing(rule: string, results: readonly Result[]): readonly string[] {
  return results
    .filter(({ failures }) => failures.some(({ rules }) => rules.includes(rule)))
    .map(({ id }) => id);
}

function failedRules({ rules }: Pick<Report, "rules">): readonly string[] {
  return rules
    .filter(({ level, outcome }) => level === "required" && outcome === "failed")
    .map(({ id }) => id);
}

function complaintsOf(report: GatedReport, accepted: readonly string[]): readonly string[] {
  const { results } = report;
  const failures = results.flatMap(({ id, failures }) =>
    failures.map(
      (failure) => `${id}: ${failure.rules.join(", ")}: expected ${failure.expected}, got ${failure.got}`,
    ),
  );
  const errors = results.flatMap(({ id, outcome, reason }) =>
    outcome === "error" ? [`${id}: ${reason}`] : [],
  );
  const untried = untriedRules(report).filter((id) => !accepted.includes(id));
  return [...failures, ...errors, ...untried.map((id) => `${id} was not tried`)];
}

function untriedRules({ rules }: Pick<Report, "rules">): readonly string[] {
  return rules
    .filter(({ level, outcome }) => level === "required" && outcome === "untried")
    .map(({ id }) => id);
}
