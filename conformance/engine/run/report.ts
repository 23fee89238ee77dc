import type { ImplementationInfo } from "../../adapters/adapter.ts";
import type { Contract } from "../contract.ts";
import type { Advice } from "../play/judgement.ts";
import type { Result, ResultOutcome } from "../play/result.ts";
import type { Timekeeping } from "../play/timekeeping.ts";
import type { RuleBook } from "../rule-book.ts";
import { type Choice, choicesOf } from "./choices.ts";
import type { Shard } from "./shard.ts";
import { type Judged, judgeRules, judgeRun, type RuleReport, type Verdict } from "./verdict.ts";

/** The kit's name, as its package has it. */
const KIT_NAME = "launch-draft-conformance";

/** Everything that a run found out: what reporters print and `--reporter json` writes (report.schema.json). */
export interface Report {
  readonly kit: { readonly name: string; readonly version: string };
  readonly contract: string;
  readonly implementation: { readonly name: string; readonly version: string; readonly language?: string };
  /** Transport through which the implementation was reached. */
  readonly adapter: string;
  readonly seed: number;
  /** Sets the people of the run apart from those of others, where the service may remember them. */
  readonly salt?: string;
  /** Random cases that each property tried. */
  readonly runs: number;
  readonly verdict: Verdict;
  readonly exitStatus: number;
  readonly totals: Readonly<Record<ResultOutcome, number>>;
  readonly durationMs: number;
  readonly results: readonly Result[];
  readonly rules: readonly RuleReport[];
  /** Required rules that were not tried, and of which the user accepted that. */
  readonly allowedUntried: readonly string[];
  /** What was expected to run, and what ran. */
  readonly suite: {
    readonly version: string;
    readonly digest: string;
    readonly expected: number;
    readonly executed: number;
  };
  readonly choices: readonly Choice[];
  /** How long things were measured to live, where time could be moved. */
  readonly lifetimes?: readonly LifetimeFacts[];
  readonly advice: readonly Advice[];
  /** What an exhaustive search tried, where one was asked for. */
  readonly search?: SearchFacts;
  /** What was chosen to run, where that was not everything. */
  readonly selection?: Selection;
  /** Which part of a run this is, where the work is shared: `merge` puts the parts together, and judges. */
  readonly shard?: ShardFacts;
}

/** A choice among the vectors and properties. */
export interface Selection {
  /** Globs over ids, as the user gave them. */
  readonly only: readonly string[];
  /** How many were chosen, and among how many. */
  readonly chosen: number;
  readonly of: number;
}

/** A part of a run. */
export interface ShardFacts extends Shard {
  /** Results that all parts have together. */
  readonly expected: number;
  /** Options that reach the implementation, quoted for a shell, so that a failure can be run again. */
  readonly options: readonly string[];
}

/** How much an exhaustive search tried. */
export interface SearchFacts {
  /** Commands of a sequence. */
  readonly depth: number;
  /** Sequences of which every step was played, those of which one had to be left out, and how many there are. */
  readonly sequences: number;
  readonly leftOut: number;
  readonly ofSequences: number;
  /** Requests, clock steps and restarts. */
  readonly steps: number;
  readonly durationMs: number;
}

/** How long what begins with an operation was measured to live. */
export interface LifetimeFacts {
  readonly operation: string;
  readonly told: string;
  /** The step of the clock that keeps it, in ms; 1 where none fits. */
  readonly stepMs: number;
  /** How much it may end too early and too late by that, in ms; null where it was never seen to end. */
  readonly earlyMs: number;
  readonly lateMs: number | null;
}

/** What a report says of the run itself. */
export interface RunFacts {
  readonly kitVersion: string;
  readonly info: Pick<ImplementationInfo, "implementation">;
  readonly adapter: string;
  readonly seed: number;
  readonly salt?: string;
  readonly runs: number;
  readonly durationMs: number;
  readonly digest: string;
  readonly accepted: ReadonlySet<string>;
  readonly search?: SearchFacts;
  readonly lifetimes?: readonly LifetimeFacts[];
  readonly selection?: Selection;
  readonly shard?: ShardFacts;
}

/** What a run came to, before it is told. */
export interface RunOutcome {
  /** Every failure attributed to a result, but for a part of a run: another part may speak for what this one saw. */
  readonly results: readonly Result[];
  readonly facts: RunFacts;
}

/** Puts a report together. Pure: the same results give the same report. */
export function makeReport(
  contract: Pick<Contract, "id" | keyof RuleBook>,
  { results, facts }: RunOutcome,
): Report {
  const { shard, seed, runs, digest } = facts;
  const count = (outcome: ResultOutcome) => results.filter((result) => result.outcome === outcome).length;
  const totals = {
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    error: count("error"),
  };
  const rules = judgeRules(contract, results);
  const accepted = ({ id, level, outcome }: RuleReport) =>
    level === "required" && outcome === "untried" && facts.accepted.has(id);
  return {
    kit: { name: KIT_NAME, version: facts.kitVersion },
    contract: contract.id,
    implementation: facts.info.implementation,
    adapter: facts.adapter,
    seed,
    ...(facts.salt === undefined ? {} : { salt: facts.salt }),
    runs,
    ...asPart(judgeRun(contract, results, facts.accepted, rules), shard),
    totals,
    durationMs: facts.durationMs,
    results: shard === undefined ? results.map(withoutIdleTrace) : results,
    rules,
    allowedUntried: rules.filter(accepted).map(({ id }) => id),
    suite: {
      version: facts.kitVersion,
      digest,
      expected: results.length,
      executed: totals.passed + totals.failed,
    },
    choices: choicesOf(contract.points, results),
    ...(facts.lifetimes === undefined ? {} : { lifetimes: facts.lifetimes }),
    advice: distinct(results.flatMap(({ advice }) => advice)),
    ...(facts.search === undefined ? {} : { search: facts.search }),
    ...(facts.selection === undefined ? {} : { selection: facts.selection }),
    ...(shard === undefined ? {} : { shard }),
  };
}

/** What a report says of the lives that were measured; nothing where none was. */
export function lifetimeFacts({ lives }: Timekeeping): readonly LifetimeFacts[] {
  return lives.flatMap(({ operation, told, stepMs, earlyMs, lateMs }) =>
    told === undefined
      ? []
      : [{ operation, told, stepMs, earlyMs, lateMs: Number.isFinite(lateMs) ? lateMs : null }],
  );
}

/** A part of a run can fail; that all is well it cannot say. */
export function asPart({ verdict, exitStatus }: Judged, shard: Shard | undefined): Judged {
  if (shard === undefined) return { verdict, exitStatus };
  return {
    verdict: verdict === "conforms" ? "undecided" : verdict,
    exitStatus: exitStatus === 4 ? 0 : exitStatus,
  };
}

/** What a report says of its run, but for the part of a run that it may have been. */
export function factsIn(report: Report): Omit<RunFacts, "shard"> {
  const { kit, adapter, seed, runs, durationMs, suite, allowedUntried } = report;
  const { salt, search, lifetimes, selection } = report;
  return {
    kitVersion: kit.version,
    info: report,
    adapter,
    seed,
    ...(salt === undefined ? {} : { salt }),
    runs,
    durationMs,
    digest: suite.digest,
    accepted: new Set(allowedUntried),
    ...(search === undefined ? {} : { search }),
    ...(lifetimes === undefined ? {} : { lifetimes }),
    ...(selection === undefined ? {} : { selection }),
  };
}

/** A trace is kept where it tells of a failure. Until all parts of a run are together, any may come to be one's. */
function withoutIdleTrace(result: Result): Result {
  const idle = result.failures.length === 0 && result.outcome !== "error" && result.trace.length > 0;
  return idle ? { ...result, trace: [] } : result;
}

/** Each advice once; what differs only in a place, which is told as "byte 7", is one and the same. */
function distinct(advice: readonly Advice[]): readonly Advice[] {
  const seen = new Set<string>();
  return advice.filter(({ rule, message }) => {
    const key = `${rule} ${message.replace(/\bbyte \d+/g, "byte")}`;
    return !seen.has(key) && seen.add(key);
  });
}
