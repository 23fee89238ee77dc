/** Judges a mutant suite in worker processes. */
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import picomatch from "picomatch";
import { DataError } from "../engine/data/data-error.ts";
import { overlap, type Span, spansOf } from "./edits.ts";
import type { MutantOutcome, SearchExtent, VariantOutcome, Verdict } from "./judge.ts";
import { performAll } from "./pool.ts";
import type { Program } from "./program.ts";
import type { ConformingVariant, Mutant, MutantSuite, Side } from "./suite.ts";

/** Conforming variants that are put into one service. */
export interface Combination {
  /** `combination/1`, and so on. */
  readonly id: string;
  readonly entries: readonly ConformingVariant[];
}

/** What was to be judged, and the outcomes by id. */
export interface JudgedSuite {
  readonly side: Side;
  readonly broken: readonly Mutant[];
  readonly legal: readonly ConformingVariant[];
  readonly combinations: readonly Combination[];
  readonly mutantOutcomes: ReadonlyMap<string, MutantOutcome>;
  readonly variantOutcomes: ReadonlyMap<string, VariantOutcome>;
}

export interface JudgeSuiteOptions {
  readonly side: Side;
  readonly suite: MutantSuite;
  /** What the suite's edits are made to; all of them apply. */
  readonly program: Program;
  /** Globs over ids; none chooses all. */
  readonly only: readonly string[];
  readonly seed: number;
  /** How many combinations of conforming services to draw. */
  readonly combinations: number;
  readonly extent: SearchExtent;
  /** Number of worker processes. */
  readonly workers: number;
  readonly onProgress: (done: number, total: number) => void;
}

/** One program for a worker to make and judge; `variant` with several entries is a combination. */
export type Job = { readonly side: Side; readonly id: string } & (
  | { readonly kind: "mutant" }
  | { readonly kind: "variant"; readonly entries: readonly string[]; readonly extent: SearchExtent }
  | { readonly kind: "verdict" }
);

/** What a worker answers. */
export type JobOutcome =
  | { readonly kind: "mutant"; readonly outcome: MutantOutcome }
  | { readonly kind: "variant"; readonly outcome: VariantOutcome }
  | { readonly kind: "verdict"; readonly outcome: Verdict };

const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));

/** Every run of all vectors takes less time. */
const TIME_LIMIT_MS = 180_000;

/**
 * Makes the programs of a suite and judges each.
 * @throws {DataError} for an empty selection
 */
export async function judgeSuite(options: JudgeSuiteOptions): Promise<JudgedSuite> {
  const { side, suite, program, extent, seed, workers, onProgress } = options;
  const isChosen = chosenBy(options.only);
  const broken = suite.broken.filter(isChosen);
  const legal = suite.legal.filter(isChosen);
  const count = side === "services" ? options.combinations : 0;
  const combinations = drawCombinations(suite.legal, program, { seed, count }).filter(isChosen);
  // What takes longest comes first, so that no worker is left alone with it at the end.
  const jobs: readonly Job[] = [
    ...legal.map(({ id }) => ({ side, kind: "variant", id, entries: [id], extent }) as const),
    ...combinations.map(({ id, entries }) => {
      return { side, kind: "variant", id, entries: entries.map((entry) => entry.id), extent } as const;
    }),
    ...broken.map(({ id }) => ({ side, kind: "mutant", id }) as const),
  ];
  if (jobs.length === 0) throw new DataError("--only", "matches no entry");
  const mutantOutcomes = new Map<string, MutantOutcome>();
  const variantOutcomes = new Map<string, VariantOutcome>();
  await perform(jobs, workers, ({ kind, outcome }) => {
    if (kind === "mutant") mutantOutcomes.set(outcome.id, outcome);
    else if (kind === "variant") variantOutcomes.set(outcome.id, outcome);
    onProgress(mutantOutcomes.size + variantOutcomes.size, jobs.length);
  });
  return { side, broken, legal, combinations, mutantOutcomes, variantOutcomes };
}

/** Judges whole entries by every vector, and reports each verdict as it comes, in no particular order. */
export async function judgeVerdicts(
  { side, suite, only, workers }: Pick<JudgeSuiteOptions, "side" | "suite" | "only" | "workers">,
  onVerdict: (verdict: Verdict, total: number) => void,
): Promise<void> {
  const chosen = [...suite.broken, ...suite.legal].filter(chosenBy(only));
  const jobs = chosen.map(({ id }) => ({ side, kind: "verdict", id }) as const);
  await perform(jobs, workers, ({ kind, outcome }) => {
    if (kind === "verdict") onVerdict(outcome, jobs.length);
  });
}

function chosenBy(only: readonly string[]): (entry: { readonly id: string }) => boolean {
  const patterns = only.map((glob) => picomatch([glob, `${glob}/**`]));
  return ({ id }) => patterns.length === 0 || patterns.some((matches) => matches(id));
}

async function perform(
  jobs: readonly Job[],
  workers: number,
  onOutcome: (outcome: JobOutcome) => void,
): Promise<void> {
  const fault = "its process ended, or took too long";
  const lost = (job: Job) => faultOutcome(job, fault);
  await performAll({ program: WORKER, jobs, workers, timeLimitMs: TIME_LIMIT_MS, lost, onOutcome });
}

/** The outcome of a job of which nothing can be said. */
export function faultOutcome({ kind, id }: Job, fault: string): JobOutcome {
  switch (kind) {
    case "mutant":
      return { kind, outcome: { id, caughtBy: {}, fault } };
    case "variant":
      return { kind, outcome: { id, conforms: false, choices: {}, complaints: [fault] } };
    case "verdict":
      return { kind, outcome: { id, verdict: fault, failed: [], notTested: [] } };
  }
}

const FEWEST = 4;
const MOST = 12;

/**
 * Draws combinations of conforming services that touch different text and do not contradict each other. The same seed
 * and suite give the same ones.
 */
export function drawCombinations(
  entries: readonly ConformingVariant[],
  program: Program,
  { seed, count }: { readonly seed: number; readonly count: number },
): readonly Combination[] {
  if (count === 0) return [];
  // What too little capacity leaves untested would hide what the others do.
  const roomy = entries.filter(({ untried }) => untried === undefined);
  const spans = new Map(roomy.map((entry) => [entry, spansOf(program, entry.edits)]));
  const order = fc.shuffledSubarray(roomy, { minLength: roomy.length });
  const size = fc.integer({ min: FEWEST, max: MOST });
  return fc
    .sample(fc.record({ order, size }), { seed, numRuns: count })
    .map(({ order: drawn, size: most }, index) => ({
      id: `combination/${index + 1}`,
      entries: compatible(drawn, most, spans),
    }));
}

type Spans = ReadonlyMap<ConformingVariant, readonly Span[]>;

/** Returns the first entries of the order that go together, at most `most`. */
function compatible(order: readonly ConformingVariant[], most: number, spans: Spans) {
  const together: ConformingVariant[] = [];
  for (const entry of order) {
    if (together.length === most) break;
    if (together.every((other) => goTogether(entry, other, spans))) together.push(entry);
  }
  return together;
}

function goTogether(one: ConformingVariant, other: ConformingVariant, spans: Spans): boolean {
  const contradict = one.apart?.includes(other.id) || other.apart?.includes(one.id);
  return !contradict && !overlap(spans.get(one) ?? [], spans.get(other) ?? []);
}
