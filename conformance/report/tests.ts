/** A report as the tests of a test runner, which JUnit and TAP print. */
import { formatVerdict } from "./console.ts";
import { contextOf, type ReportData, type ResultData } from "./data.ts";
import { failureLines } from "./failure.ts";
import { mainFailure } from "./groups.ts";

export interface RunnerTest {
  readonly name: string;
  readonly outcome: ResultData["outcome"] | "known";
  readonly durationMs: number;
  /** Why it was skipped, or the first line of a failure. */
  readonly reason: string;
  /** The part of a failure or an error to print. */
  readonly lines: readonly string[];
}

const WIDTH = 100;

/** Returns the tests by suite. The last test is the verdict: a run that tested too little must not pass. */
export function testsBySuite(data: ReportData): ReadonlyMap<string, readonly RunnerTest[]> {
  const context = contextOf(data);
  const suites = new Map<string, RunnerTest[]>();
  for (const result of data.results) {
    const suite = result.id.split("/", 1)[0] ?? "";
    const failure = mainFailure(result);
    const lines = failure === undefined ? [] : failureLines(failure, context, WIDTH);
    const rule = failure?.finding?.rules[0];
    const reason =
      rule === undefined ? (result.reason ?? "") : `${rule}: ${context.rules.get(rule)?.statement}`;
    const test = { name: result.id, durationMs: result.durationMs, lines };
    suites.set(suite, [
      ...(suites.get(suite) ?? []),
      result.known === undefined
        ? { ...test, outcome: result.outcome, reason }
        : { ...test, outcome: "known", reason: `known failure: ${result.known.reason}` },
    ]);
  }
  const verdict = formatVerdict(data);
  const isGood = data.verdict.exitStatus === 0;
  const problems = (data.policies ?? []).flatMap((policy) => policy.problems.map(({ message }) => message));
  const outcome = isGood ? "passed" : "failed";
  suites.set("run", [
    {
      name: "run/verdict",
      outcome,
      durationMs: 0,
      reason: verdict,
      lines: isGood ? [] : [verdict, ...problems],
    },
  ]);
  return suites;
}
