/** Judges one mutant or conforming variant by the kit, and reduces what the kit said to what its suite promises. */
import { inProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import type { ClientData } from "../contract/client/client-data.ts";
import type { KitData } from "../contract/kit-data.ts";
import type { SiteHost } from "../engine/client/client-door.ts";
import { clientRunOutcome } from "../engine/client/client-run.ts";
import type { ClientVector } from "../engine/client/client-vector.ts";
import type { RealTime } from "../engine/play/real-time.ts";
import type { Result } from "../engine/play/result.ts";
import { attributeFailures } from "../engine/run/attribute-failures.ts";
import { rankFailures } from "../engine/run/rank-failures.ts";
import { makeReport, type Report } from "../engine/run/report.ts";
import { run } from "../engine/run/run.ts";
import { BAILED } from "../engine/run/stop.ts";
import { DEFAULT_DEPTH, DEFAULT_RUNS } from "../engine/search/default-runs.ts";
import type { Step, Vector } from "../engine/vectors/vector.ts";
import { type ClientModule, clientInThread } from "./client-in-thread.ts";
import type { ConformingVariant, Mutant } from "./suite.ts";

/** What the kit said of a mutant. */
export interface MutantOutcome {
  readonly id: string;
  /** For every rule that the mutant breaks, the vectors that name it and the property, as far as they failed for it. */
  readonly caughtBy: Readonly<Record<string, readonly string[]>>;
  /** The failure that a run of everything would report first; absent where nothing fails. */
  readonly first?: FirstFailure;
  /** Required rules that fail in a run of everything, where everything was run. */
  readonly allBroken?: readonly string[];
  /** Why nothing can be said: the program did not load, or broke the adapter. */
  readonly fault?: string;
}

/** The failure that a report shows first. */
export interface FirstFailure {
  /** Id of the vector or property. */
  readonly id: string;
  readonly rule: string;
  readonly expected: string;
  readonly got: string;
}

/** What the kit said of a conforming variant, or of several combined. */
export interface VariantOutcome {
  readonly id: string;
  readonly conforms: boolean;
  /** Open points on which it was seen to differ from the bundled program, with what was seen. */
  readonly choices: Readonly<Record<string, string>>;
  /** One line for each failure, or for what was not tested. */
  readonly complaints: readonly string[];
}

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

/** Random cases that each property tries, and the length of the sequences of which every one is tried, if any. */
export interface SearchExtent {
  readonly runs: number;
  readonly exhaustive?: number;
}

/** A few cases of each property find what is wrong with the kit's own model in many services; the vectors cover the rest. */
export const BRIEFLY: SearchExtent = { runs: 3 };

/** The searches of a usual run. */
export const THOROUGHLY: SearchExtent = { runs: DEFAULT_RUNS, exhaustive: DEFAULT_DEPTH };

/** A vector of either side, as far as its choice takes. */
interface AnyVector {
  readonly id: string;
  readonly rules: readonly string[];
  readonly steps?: readonly Step[];
}

/** What to run. */
export interface Selection {
  /** Ids of vectors; all by default. */
  readonly ids?: ReadonlySet<string>;
  readonly search?: SearchExtent & { readonly only?: readonly string[] };
  /** Rules that may stay untested. */
  readonly accepted?: ReadonlySet<string>;
  /** Whether to stop at the first failure that is not met on the way to something else. */
  readonly bail?: boolean;
}

/** A program under judgement: every vector that there is for it, in the order of reports, and how to run some. */
export interface Judged {
  readonly vectors: readonly AnyVector[];
  /** Whether a rule counts that fails in a vector about something else: a client keeps what it learnt of earlier services. */
  readonly keepsState: boolean;
  run(selection: Selection): Promise<Report>;
}

/** A service to judge in process. */
export function judgedService(service: ServiceModule, { contract, suites }: KitData): Judged {
  return {
    vectors: suites.vectors,
    keepsState: false,
    run: ({ ids, search, accepted = new Set(), bail = false }) =>
      run({
        contract,
        suites: { vectors: chosen<Vector>(suites.vectors, ids), digest: "" },
        adapter: inProcessAdapter(service, { name: "mutant" }),
        kitVersion: "",
        seed: 1,
        only: search?.only ?? [],
        bail,
        runs: search?.runs ?? 0,
        ...(search?.exhaustive === undefined ? {} : { exhaustive: search.exhaustive }),
        maxWaitMs: 0,
        accepted,
        time: { now: () => 0, sleep: async () => {} },
      }),
  };
}

/** What clients are judged with. */
export interface ClientTrial {
  readonly kit: ClientData;
  /** Where those that talk HTTP find the service. */
  readonly sites: SiteHost;
  /** Waits in real time: for what does not end by itself. */
  readonly sleep: RealTime["sleep"];
}

/** Real time that a task may take, in ms: a client waits by the clock of the kit, and so takes a few at most. */
const LIMIT_MS = 5_000;

/** A client to judge in this thread. */
export function judgedClient(
  client: ClientModule,
  over: "http" | undefined,
  { kit: { contract, suites }, sites, sleep }: ClientTrial,
): Judged {
  return {
    vectors: suites.vectors,
    keepsState: true,
    run: async ({ ids, search, accepted = new Set(), bail = false }) => {
      const outcome = await clientRunOutcome({
        contract,
        suites: { vectors: chosen<ClientVector>(suites.vectors, ids), digest: "" },
        door: clientInThread(client, over === "http"),
        sites: over === "http" ? sites : NOWHERE,
        kitVersion: "",
        seed: 1,
        only: [],
        runs: search?.runs ?? 0,
        bail,
        accepted,
        limitMs: LIMIT_MS,
        // Time stands still except for the waits of the client: a busy machine is not taken for patience.
        time: { now: () => 0, sleep },
      });
      return makeReport(contract, outcome);
    },
  };
}

let opened = 0;

/** Unused addresses, each another: a client may remember by them what it knows of a service. */
const NOWHERE: SiteHost = {
  open: async () => {
    opened = (opened + 1) % 60_000;
    return `http://127.0.0.1:${1024 + opened}`;
  },
  close: async () => {},
};

function chosen<Some extends AnyVector>(vectors: readonly Some[], ids: ReadonlySet<string> | undefined) {
  return ids === undefined ? vectors : vectors.filter(({ id }) => ids.has(id));
}

/** Cases that a property tries to find a service that only it can find; most are found much earlier. */
const SEARCH_RUNS = 1_000;

/**
 * Runs the vectors that name a rule of the mutant, and the property that has to find it; and all vectors, where one of
 * its rules is not seen to fail or the mutant says that no other rule does.
 */
export async function judgeMutant(
  { id, breaks, property, alone }: Mutant,
  judged: Judged,
): Promise<MutantOutcome> {
  const { vectors } = judged;
  const naming = vectors.filter((vector) => breaks.some((rule) => names(vector, rule)));
  const named = naming.length === 0 || alone ? [] : (await judged.run({ ids: idsOf(naming) })).results;
  const searched = property === undefined ? [] : (await search(judged, property)).results;
  const caughtIn = (results: readonly Result[], about: readonly AnyVector[]) =>
    Object.fromEntries(
      breaks.map((rule) => {
        const checks = idsOf(judged.keepsState ? about : about.filter((vector) => names(vector, rule)));
        return [rule, failing(rule, results).filter((check) => check === property || checks.has(check))];
      }),
    );
  const isCaught = (seen: MutantOutcome["caughtBy"]) => breaks.every((rule) => seen[rule]?.length !== 0);
  const byNamed = caughtIn([...named, ...searched], naming);
  const all = isCaught(byNamed) ? undefined : await judged.run({});
  const results = all?.results ?? named;
  const caughtBy = all === undefined ? byNamed : caughtIn([...results, ...searched], vectors);
  const first = await firstFailure(results, judged, searched);
  const broken = results.find(({ outcome, failures }) => outcome === "error" && failures.length === 0);
  return {
    id,
    caughtBy,
    ...(all === undefined ? {} : { allBroken: required(all, "failed") }),
    ...(first === undefined ? {} : { first }),
    ...(broken === undefined || isCaught(caughtBy) ? {} : { fault: `${broken.id}: ${broken.reason}` }),
  };
}

function search(judged: Judged, property: string): Promise<Report> {
  return judged.run({ ids: new Set(), search: { runs: SEARCH_RUNS, only: [property] } });
}

function idsOf(vectors: readonly AnyVector[]): ReadonlySet<string> {
  return new Set(vectors.map(({ id }) => id));
}

function names({ rules, steps = [] }: AnyVector, rule: string): boolean {
  const inSteps = (some: readonly Step[]): boolean =>
    some.some((step) => step.rules?.includes(rule) || ("steps" in step && inSteps(step.steps)));
  return rules.includes(rule) || inSteps(steps);
}

function failing(rule: string, results: readonly Result[]): readonly string[] {
  return results
    .filter(({ failures }) => failures.some(({ rules }) => rules.includes(rule)))
    .map(({ id }) => id);
}

/**
 * The failure that a report on everything would begin with. Only vectors that could come before it are run.
 * @param known results of some vectors
 * @param searched what a property showed: told after all vectors
 */
export async function firstFailure(
  known: readonly Result[],
  { vectors, run: runSome }: Pick<Judged, "vectors" | "run">,
  searched: readonly Result[] = [],
): Promise<FirstFailure | undefined> {
  const byId = new Map<string, Result>();
  const note = (results: readonly Result[]) => {
    for (const result of results) if (result.reason !== BAILED.reason) byId.set(result.id, result);
  };
  note(known);
  for (;;) {
    const inOrder = vectors.flatMap(({ id }) => byId.get(id) ?? []);
    const [first] = rankFailures(attributeFailures(inOrder));
    // What was met on the way is told where it was met first, unless a vector about it fails.
    const isByTheWay = first?.result.incidental.includes(first.failure) === true;
    const about = isByTheWay ? vectors.filter(({ rules }) => rules.includes(first.failure.rule)) : [];
    const isLast = first === undefined || first.failure.aside === true;
    const end = isLast ? vectors.length : vectors.findIndex(({ id }) => id === first.result.id);
    const open = [about, vectors.slice(0, end)].map((some) => some.filter(({ id }) => !byId.has(id)));
    const next = open.find((some) => some.length > 0);
    if (next === undefined) return firstOf([...attributeFailures(inOrder), ...searched]);
    note((await runSome({ ids: idsOf(next), bail: next === open[1] })).results);
  }
}

function firstOf(results: readonly Result[]): FirstFailure | undefined {
  const [first] = rankFailures(results);
  if (first === undefined) return undefined;
  const { rule, expected, got } = first.failure;
  return { id: first.result.id, rule, expected, got };
}

/**
 * Runs every vector, and the searches.
 * @param searched how much of the searches to run
 * @param untried rules that are expected to stay untested
 */
export async function judgeVariant(
  id: string,
  judged: Judged,
  searched: SearchExtent | undefined,
  untried: readonly string[] = [],
): Promise<VariantOutcome> {
  const accepted = new Set(untried);
  const report = await judged.run({ accepted, ...(searched === undefined ? {} : { search: searched }) });
  const differing = report.choices.filter(
    ({ observed, reference }) => observed !== reference && observed !== "not seen",
  );
  const { results } = report;
  const failures = results.flatMap((result) =>
    [...result.failures, ...result.incidental].map(
      ({ rules, expected, got }) => `${result.id}: ${rules.join(", ")}: expected ${expected}, got ${got}`,
    ),
  );
  const errors = results.filter(({ outcome }) => outcome === "error");
  const untested = required(report, "untried");
  const complaints = new Set([
    ...failures,
    ...errors.map((result) => `${result.id}: ${result.reason}`),
    ...untested.filter((rule) => !accepted.has(rule)).map((rule) => `${rule} was not tried`),
    ...untried.filter((rule) => !untested.includes(rule)).map((rule) => `${rule} was tried`),
  ]);
  return {
    id,
    conforms: complaints.size === 0,
    choices: Object.fromEntries(differing.map(({ point, observed }) => [point, observed])),
    complaints: [...complaints],
  };
}

/** Runs every vector, and no search. */
export async function judgeWhole(id: string, judged: Judged): Promise<Verdict> {
  const report = await judged.run({});
  const [first] = rankFailures(report.results);
  return {
    id,
    verdict: report.verdict ?? "none",
    failed: required(report, "failed"),
    notTested: required(report, "untried"),
    ...(first === undefined ? {} : { first: { id: first.result.id, rule: first.failure.rule } }),
  };
}

/** Lists where a conforming variant was seen to choose otherwise than it says, one line each. */
export function unexpectedChoices(
  { choices }: ConformingVariant,
  seen: VariantOutcome["choices"],
): readonly string[] {
  const points = [...new Set([...Object.keys(choices), ...Object.keys(seen)])].sort();
  return points
    .filter((point) => choices[point] !== seen[point])
    .map(
      (point) =>
        `${point}: ${seen[point] ?? "as the reference"} was seen, not ${choices[point] ?? "expected"}`,
    );
}

function required({ rules }: Report, wanted: "failed" | "untried"): readonly string[] {
  return rules.filter(({ level, outcome }) => level === "required" && outcome === wanted).map(({ id }) => id);
}
