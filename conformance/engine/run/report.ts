import type { ImplementationInfo } from "../../adapters/adapter.ts";
import {
  applyBaseline,
  type BaselineGate,
  type BaselineReport,
} from "../../policies/baseline/apply-baseline.ts";
import { type HeldChoices, holdChoices } from "../../policies/choices/hold-choices.ts";
import type { SavedChoices } from "../../policies/choices/saved-choices.ts";
import { countThen, type FrozenGate, type FrozenReport } from "../../policies/releases/counted.ts";
import type { Advice } from "../play/judgement.ts";
import type { Result, ResultOutcome } from "../play/result.ts";
import type { Contract } from "../rule-book.ts";
import { DEFAULT_RUNS, DEFAULT_SEED } from "../search/default-runs.ts";
import { attributeFailures } from "./attribute-failures.ts";
import { type Choice, choicesOf } from "./choices.ts";
import type { Shard } from "./shard.ts";
import { type Judged, judgeRules, judgeRun, type RuleReport, type Verdict } from "./verdict.ts";

/** Everything that a run found out: what reporters print and `--reporter json` writes (report.schema.json). */
export interface Report {
  readonly kit: { readonly name: string; readonly version: string };
  readonly contract: string;
  readonly implementation: { readonly name: string; readonly version: string; readonly language?: string };
  /** Transport through which the implementation was reached. */
  readonly adapter: string;
  readonly seed: number;
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
  readonly advice: readonly Advice[];
  /** What an exhaustive search tried, where one was asked for. */
  readonly search?: SearchFacts;
  /** What was chosen to run, where that was not everything. */
  readonly selection?: Selection;
  /** Which part of a run this is, where the work is shared: `merge` puts the parts together, and judges. */
  readonly shard?: ShardFacts;
  /** What became of the failures that the user knows of, where a file names them. */
  readonly baseline?: BaselineReport;
  /** How the choices compare with those that the implementation is held to, where a file names them. */
  readonly heldChoices?: HeldChoices;
  /** The frozen set that the verdict is about, where one was asked for; all else in the report is of today. */
  readonly frozen?: FrozenReport;
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

/** What a run is held to besides the contract. */
export interface Gates {
  readonly baseline?: BaselineGate;
  readonly choices?: SavedChoices;
  readonly frozen?: FrozenGate;
}

/** How much an exhaustive search tried. */
export interface SearchFacts {
  /** Letters of a sequence. */
  readonly depth: number;
  readonly sequences: number;
  /** Requests, clock steps and restarts. */
  readonly steps: number;
  readonly durationMs: number;
}

/** What a report says of the run itself. */
export interface RunFacts {
  readonly kitVersion: string;
  readonly info: Pick<ImplementationInfo, "implementation">;
  readonly adapter: string;
  readonly seed: number;
  readonly runs: number;
  readonly durationMs: number;
  readonly digest: string;
  readonly accepted: ReadonlySet<string>;
  readonly search?: SearchFacts;
  readonly selection?: Selection;
  readonly shard?: ShardFacts;
  readonly gates?: Gates;
}

/**
 * Puts a report together. Pure: the same results give the same report.
 * @param given with every failure attributed, but for a part of a run: another part may speak for what this one saw on
 *   the way
 */
export function makeReport(contract: Contract, given: readonly Result[], facts: RunFacts): Report {
  const { shard, gates = {}, seed, runs, digest } = facts;
  const attribute = shard === undefined ? attributeFailures : (results: readonly Result[]) => results;
  const frozen = gates.frozen && countThen(gates.frozen, contract, given, attribute);
  const held = gates.baseline && applyBaseline(gates.baseline, frozen?.all ?? given, reachOf(facts));
  const results = held?.results ?? frozen?.all ?? given;
  const count = (outcome: ResultOutcome) => results.filter((result) => result.outcome === outcome).length;
  const executed = count("passed") + count("failed");
  const rules = judgeRules(contract, results);
  const choices = choicesOf(contract.points, results);
  const heldChoices =
    gates.choices && holdChoices(gates.choices, choices, { suite: digest, seed, runs, executed });
  const judged =
    frozen === undefined
      ? judgeRun(contract, results, facts.accepted, rules)
      : judgeRun(frozen.contract, countedOf(frozen.results, results), facts.accepted);
  const { verdict, exitStatus } = withGates(judged, held?.report, heldChoices, shard);
  return {
    kit: { name: "launch-draft-conformance", version: facts.kitVersion },
    contract: "partner-preview-1",
    implementation: facts.info.implementation,
    adapter: facts.adapter,
    seed,
    runs,
    verdict,
    exitStatus,
    totals: {
      passed: count("passed"),
      failed: count("failed"),
      skipped: count("skipped"),
      error: count("error"),
    },
    durationMs: facts.durationMs,
    results: shard === undefined ? results.map(withoutIdleTrace) : results,
    rules,
    allowedUntried: rules
      .filter(
        ({ id, level, outcome }) => level === "required" && outcome === "untried" && facts.accepted.has(id),
      )
      .map(({ id }) => id),
    suite: {
      version: facts.kitVersion,
      digest,
      expected: results.length,
      executed,
    },
    choices,
    advice: distinct(results.flatMap(({ advice }) => advice)),
    ...(facts.search === undefined ? {} : { search: facts.search }),
    ...(facts.selection === undefined ? {} : { selection: facts.selection }),
    ...(shard === undefined ? {} : { shard }),
    ...(held === undefined ? {} : { baseline: held.report }),
    ...(heldChoices === undefined ? {} : { heldChoices }),
    ...(frozen === undefined ? {} : { frozen: frozen.report }),
  };
}

/** A run of fewer or other random cases than usual may miss what a usual one finds. */
function reachOf({ shard, seed, runs }: RunFacts) {
  return { whole: shard === undefined, usualCases: seed === DEFAULT_SEED && runs >= DEFAULT_RUNS };
}

/** The results that count, with what the baseline knows of them. */
function countedOf(counted: readonly Result[], marked: readonly Result[]): readonly Result[] {
  const known = new Map(marked.map((result) => [result.id, result.known]));
  return counted.map((result) => {
    const mark = known.get(result.id);
    return mark === undefined ? result : { ...result, known: mark };
  });
}

/** What a baseline or a choice that no longer holds makes of the exit status, and what a part of a run cannot say. */
function withGates(
  { verdict, exitStatus }: Judged,
  baseline: BaselineReport | undefined,
  choices: HeldChoices | undefined,
  shard: Shard | undefined,
): Judged {
  const stale = baseline !== undefined && baseline.stale.length + baseline.expired.length > 0;
  const changed = choices !== undefined && choices.changed.length > 0;
  if (stale || changed) return { verdict, exitStatus: 1 };
  if (shard === undefined) return { verdict, exitStatus };
  return {
    verdict: verdict === "conforms" ? "undecided" : verdict,
    exitStatus: exitStatus === 4 ? 0 : exitStatus,
  };
}

/** A trace is kept where it tells of a failure. Until all parts of a run are together, any may come to be one's. */
function withoutIdleTrace(result: Result): Result {
  const idle = result.failures.length === 0 && result.outcome !== "error" && result.trace.length > 0;
  return idle ? { ...result, trace: [] } : result;
}

function distinct(advice: readonly Advice[]): readonly Advice[] {
  const seen = new Set<string>();
  return advice.filter(({ rule, message }) => {
    const key = `${rule} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
}
