import type { Failure, Result } from "../engine/play/result.ts";

/** A failure of these rules, with the rest filled in. */
export function failureOf(rules: readonly string[], more: Partial<Failure> = {}): Failure {
  return {
    rule: rules[0] ?? "",
    rules,
    message: "the service does as it must",
    step: "1",
    place: { file: "vectors/suites/sample.yaml", line: 12 },
    clockMs: 0,
    expected: "200",
    got: "400 INVALID_FIELDS",
    differences: [{ path: "status", expected: "200", got: "400 INVALID_FIELDS" }],
    ...more,
  };
}

/** A result that passed, unless told otherwise. */
export function resultOf(id: string, rules: readonly string[], more: Partial<Result> = {}): Result {
  return {
    id,
    kind: "vector",
    title: "the service does as it must",
    rules,
    outcome: "passed",
    source: { file: "vectors/suites/sample.yaml", line: 7 },
    failures: [],
    incidental: [],
    observations: [],
    advice: [],
    trace: [],
    ...more,
  };
}

/** A result that failed for these rules. */
export function failedResult(id: string, rules: readonly string[], broken = rules): Result {
  return resultOf(id, rules, { outcome: "failed", failures: [failureOf(broken)] });
}
