import type { ImplementationInfo } from "../adapters/adapter.ts";
import type { Contract } from "../contract/contract.ts";
import type { Advice } from "../judge/judgement.ts";
import type { Result, ResultOutcome } from "../play/result.ts";
import { type Choice, choicesOf } from "./choices.ts";
import { judgeRun, type RuleReport, type Verdict } from "./verdict.ts";

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
}

/** Puts a report together. Pure: the same results give the same report. */
export function makeReport(contract: Contract, results: readonly Result[], facts: RunFacts): Report {
  const { verdict, rules, exitStatus } = judgeRun(contract, results, facts.accepted);
  const count = (outcome: ResultOutcome) => results.filter((result) => result.outcome === outcome).length;
  return {
    kit: { name: "launch-draft-conformance", version: facts.kitVersion },
    contract: "partner-preview-1",
    implementation: facts.info.implementation,
    adapter: facts.adapter,
    seed: facts.seed,
    runs: facts.runs,
    verdict,
    exitStatus,
    totals: {
      passed: count("passed"),
      failed: count("failed"),
      skipped: count("skipped"),
      error: count("error"),
    },
    durationMs: facts.durationMs,
    results,
    rules,
    allowedUntried: rules
      .filter(
        ({ id, level, outcome }) => level === "required" && outcome === "untried" && facts.accepted.has(id),
      )
      .map(({ id }) => id),
    suite: {
      version: facts.kitVersion,
      digest: facts.digest,
      expected: results.length,
      executed: count("passed") + count("failed"),
    },
    choices: choicesOf(contract.points, results),
    advice: distinct(results.flatMap(({ advice }) => advice)),
    ...(facts.search === undefined ? {} : { search: facts.search }),
  };
}

function distinct(advice: readonly Advice[]): readonly Advice[] {
  const seen = new Set<string>();
  return advice.filter(({ rule, message }) => {
    const key = `${rule} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
}
