import type { Result } from "../engine/play/result.ts";
import { type Failed, rankFailures } from "../engine/run/rank-failures.ts";

/** Failures of one kind: the first, and those like it. */
export type FailureGroup = readonly [Failed, ...Failed[]];

/** Ids of the results that the failures are of, each once; the first is that of the first failure. */
export function testsOf(group: FailureGroup): readonly string[] {
  return [...new Set(group.map(({ result }) => result.id))];
}

/** Failures in their order, those that got the same wrong answer to the same request together. */
export function groupFailures(results: readonly Result[]): readonly FailureGroup[] {
  const groups = new Map<string, [Failed, ...Failed[]]>();
  for (const { result, failure } of rankFailures(results)) {
    const { method, path } = (failure.request ?? {}) as { method?: unknown; path?: unknown };
    const key = JSON.stringify([method, path, failure.expected, failure.got]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [{ result, failure }]);
    else group.push({ result, failure });
  }
  return [...groups.values()];
}
