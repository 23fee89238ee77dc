import type { ImplementationInfo } from "../../adapters/adapter.ts";
import type { Contract } from "../contract.ts";
import type { Advice } from "../play/judgement.ts";
import type { Result, ResultOutcome } from "../play/result.ts";
import type { Timekeeping } from "../play/timekeeping.ts";
import type { RuleBook } from "../rule-book.ts";
import { acceptsUntried, namingIn } from "./accepts-untried.ts";
import type { TimeFacts } from "./activity.ts";
import { type Choice, choicesOf } from "./choices.ts";
import type { Shard } from "./shard.ts";
import { isUntried, type Judged, judgeRules, judgeRun, type RuleReport, type Verdict } from "./verdict.ts";

/** The kit's name, as its package has it. */
const KIT_NAME = "launch-draft-conformance";

/** Everything that a run found out: what reporters print and `--reporter json` writes (report.schema.json). */
export interface Report {
  readonly kit: { readonly name: string; readonly version: string };
  readonly contract: string;
  /** Which side of the contract was judged, where it was not the service. */
  readonly side?: "client";
  /** What was judged: a service, or a client. */
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
  /** What the time of the run went on. With every member whose name ends in `Ms` it differs from run to run. */
  readonly time?: TimeFacts;
  readonly results: readonly Result[];
  readonly rules: readonly RuleReport[];
  /** Required rules that were not tried, and of which the user accepted that. */
  readonly allowedUntried: readonly string[];
  /** What the user named to that end, where anything: ids of rules, and capabilities such as `capability:restart`. */
  readonly accepted?: readonly string[];
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
  /** Why less was searched than usual, where the implementation is slow. */
  readonly slow?: SlowFacts;
  /** What an exhaustive search tried, where one was asked for. */
  readonly search?: SearchFacts;
  /** What was chosen to run, where that was not everything. */
  readonly selection?: JudgedSelection;
  /** Whether the run was stopped before its end. */
  readonly stopped?: true;
  /** Which part of a run this is, where the work is shared: `merge` puts the parts together, and judges. */
  readonly shard?: ShardFacts;
}

/** What is left out of the searches of a slow implementation. */
export interface SearchShare {
  /** How much of the usual searches is tried: a half, a quarter and so on, so that it seldom differs from run to run. */
  readonly share: number;
  /** What a request was seen to take, in ms: a measure of time, which differs from run to run. */
  readonly requestMs: number;
}

/** Why less was searched than usual. */
export interface SlowFacts extends SearchShare {
  /** Random cases that each property tries in a usual run. */
  readonly usualRuns: number;
}

/** A choice among the vectors and properties. */
export interface Selection {
  /** Globs over ids, as the user gave them. */
  readonly only: readonly string[];
  /** How many were chosen, and among how many. */
  readonly chosen: number;
  readonly of: number;
}

/** A selection, and what came of it: no verdict, since it says nothing of what was left out. */
export interface JudgedSelection extends Selection {
  /** `passed` where something of it was tried and nothing went wrong; `undecided` where nothing was, or not all was run. */
  readonly outcome: "passed" | "failed" | "undecided";
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
  /** Which side of the contract was judged, where it was not the service. */
  readonly side?: "client";
  readonly adapter: string;
  readonly seed: number;
  readonly salt?: string;
  readonly runs: number;
  readonly durationMs: number;
  readonly time?: TimeFacts;
  readonly slow?: SlowFacts;
  readonly digest: string;
  readonly accepted: ReadonlySet<string>;
  readonly search?: SearchFacts;
  readonly lifetimes?: readonly LifetimeFacts[];
  readonly selection?: Selection;
  /** Whether the run was stopped before its end. */
  readonly stopped?: true;
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
  const { shard, seed, runs, digest, selection } = facts;
  const count = (outcome: ResultOutcome) => results.filter((result) => result.outcome === outcome).length;
  const totals = {
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    error: count("error"),
  };
  const rules = judgeRules(contract, results);
  const naming = namingIn(results);
  const judged = asFarAsRun(judgeRun(contract, results, facts.accepted, rules), facts, totals);
  const allowed = (rule: RuleReport) =>
    isUntried(rule) && acceptsUntried(facts.accepted, rule.id, naming(rule));
  return {
    kit: { name: KIT_NAME, version: facts.kitVersion },
    contract: contract.id,
    ...(facts.side === undefined ? {} : { side: facts.side }),
    implementation: facts.info.implementation,
    adapter: facts.adapter,
    seed,
    ...(facts.salt === undefined ? {} : { salt: facts.salt }),
    runs,
    ...judged,
    totals,
    durationMs: facts.durationMs,
    ...(facts.time === undefined ? {} : { time: facts.time }),
    results: shard === undefined ? results.map(withoutIdleTrace) : results,
    rules,
    allowedUntried: rules.filter(allowed).map(({ id }) => id),
    ...(facts.accepted.size === 0 ? {} : { accepted: [...facts.accepted] }),
    suite: {
      version: facts.kitVersion,
      digest,
      expected: results.filter(isExpected).length,
      executed: results.filter((result) => isExpected(result) && isJudged(result)).length,
    },
    choices: choicesOf(contract.points, results),
    ...(facts.lifetimes === undefined ? {} : { lifetimes: facts.lifetimes }),
    advice: distinct(results.flatMap(({ advice }) => advice)),
    ...(facts.slow === undefined ? {} : { slow: facts.slow }),
    ...(facts.search === undefined ? {} : { search: facts.search }),
    ...(selection === undefined ? {} : { selection: judgedSelection(selection, judged, facts) }),
    ...(facts.stopped === undefined ? {} : { stopped: facts.stopped }),
    ...(shard === undefined ? {} : { shard }),
  };
}

/** Whether a result is one of those that a run is to have: probes tell something only where there is something to tell. */
export function isExpected({ kind }: Pick<Result, "kind">): boolean {
  return kind !== "probe";
}

function isJudged({ outcome }: Result): boolean {
  return outcome === "passed" || outcome === "failed";
}

/** What a report says of the lives that were measured; nothing where none was. */
export function lifetimeFacts({ lives }: Timekeeping): readonly LifetimeFacts[] {
  return lives.flatMap(({ operation, told, stepMs, earlyMs, lateMs }) =>
    told === undefined
      ? []
      : [{ operation, told, stepMs, earlyMs, lateMs: Number.isFinite(lateMs) ? lateMs : null }],
  );
}

/**
 * A part of a run can fail, and so can a selection; that all is well neither can say. A selection is at peace where
 * something of it passed, nothing went wrong and it was run to its end.
 */
function asFarAsRun(
  { verdict, exitStatus }: Judged,
  { shard, selection, stopped }: Pick<RunFacts, "shard" | "selection" | "stopped">,
  { passed }: Pick<Report["totals"], "passed">,
): Judged {
  if (shard === undefined && selection === undefined) return { verdict, exitStatus };
  if (exitStatus === 3) return { verdict, exitStatus };
  // Where every failure is known, what was not chosen for this run is all that is untried.
  if (verdict === "does-not-conform")
    return { verdict, exitStatus: exitStatus === 4 && !stopped ? 0 : exitStatus };
  const good = shard !== undefined || (passed > 0 && !stopped);
  return { verdict: "undecided", exitStatus: good ? 0 : 4 };
}

/** A selection with what came of it, as the run was judged in the end. */
export function judgedSelection(
  { only, chosen, of }: Selection,
  { verdict, exitStatus }: { readonly verdict: Verdict; readonly exitStatus: number },
  { shard }: Pick<RunFacts, "shard">,
): JudgedSelection {
  const failed = verdict === "does-not-conform" || exitStatus === 1;
  const passed = exitStatus === 0 && shard === undefined;
  return { only, chosen, of, outcome: failed ? "failed" : passed ? "passed" : "undecided" };
}

/** What a report says of its run, but for the part of a run that it may have been. */
export function factsIn(report: Report): Omit<RunFacts, "shard"> {
  const { kit, adapter, seed, runs, durationMs, suite, accepted = [] } = report;
  const { side, salt, search, slow, time, lifetimes, selection, stopped } = report;
  return {
    kitVersion: kit.version,
    info: report,
    ...(side === undefined ? {} : { side }),
    adapter,
    seed,
    ...(salt === undefined ? {} : { salt }),
    runs,
    durationMs,
    digest: suite.digest,
    accepted: new Set(accepted),
    ...(search === undefined ? {} : { search }),
    ...(slow === undefined ? {} : { slow }),
    ...(time === undefined ? {} : { time }),
    ...(lifetimes === undefined ? {} : { lifetimes }),
    ...(selection === undefined ? {} : { selection }),
    ...(stopped === undefined ? {} : { stopped }),
  };
}

/** A trace is kept where it tells of a failure. Until all parts of a run are together, any may come to be one's. */
function withoutIdleTrace(result: Result): Result {
  const idle = result.failures.length === 0 && result.outcome !== "error" && result.trace.length > 0;
  return idle ? { ...result, trace: [] } : result;
}

/** Each advice once. */
function distinct(advice: readonly Advice[]): readonly Advice[] {
  const seen = new Set<string>();
  return advice.filter((one) => {
    const key = adviceKey(one);
    return !seen.has(key) && seen.add(key);
  });
}

/** One for all advice that is the same: what differs only in a place, which is told as "byte 7", is so. */
function adviceKey({ rule, message }: Advice): string {
  return `${rule} ${message.replace(/\bbyte \d+/g, "byte")}`;
}
