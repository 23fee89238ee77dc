import type { Result } from "../engine/play/result.ts";
import { type Failed, rankFailures } from "../engine/run/rank-failures.ts";
import { askedIn, linksOf, type OperationOf } from "./failure-links.ts";

/** Failures of one kind: the first, and those like it. */
export type FailureGroup = readonly [Failed, ...Failed[]];

/** Ids of the results that the failures are of, each once; the first is that of the first failure. */
export function testsOf(group: FailureGroup): readonly string[] {
  return [...new Set(group.map(({ result }) => result.id))];
}

/** The rules that the failures break, the one that most tests name first. */
export function rulesOf(group: readonly Failed[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { failure } of group) {
    for (const id of failure.rules) times.set(id, (times.get(id) ?? 0) + 1);
  }
  return [...times].sort(([, a], [, b]) => b - a).map(([id]) => id);
}

/** What was asked, as method and path, each once; the first is that of the first failure. */
export function requestsOf(group: FailureGroup): readonly string[] {
  const asked = group.flatMap(({ failure }) => askedIn(failure.request)?.join(" ") ?? []);
  return [...new Set(asked)];
}

/**
 * Failures in their order, those of one cause together: about the same operation, or about requests that are none, they
 * got the same wrong answer where the same was wanted, however much else of it varies.
 */
export function groupFailures(results: readonly Result[], operationOf: OperationOf): readonly FailureGroup[] {
  const all = rankFailures(results);
  const groups: [Failed, ...Failed[]][] = [];
  /** Under each link the place of a group, and for each group that was put into an earlier one, where that is. */
  const linked = new Map<string, number>();
  const into: number[] = [];
  const found = (start: number): number => {
    let place = start;
    for (let next = into[place]; next !== undefined && next !== place; next = into[place]) place = next;
    return place;
  };
  const placed = all.map((failed) => {
    const links = linksOf(failed.failure, failed.result.id, operationOf);
    const known = links.flatMap((link) => linked.get(link) ?? []).map(found);
    const place = known.length === 0 ? into.length : Math.min(...known);
    into[place] ??= place;
    for (const other of known) into[other] = place;
    for (const link of links) linked.set(link, place);
    return place;
  });
  const byPlace = new Map<number, [Failed, ...Failed[]]>();
  for (const [index, failed] of all.entries()) {
    const place = found(placed[index] ?? 0);
    const group = byPlace.get(place);
    if (group !== undefined) group.push(failed);
    else {
      const made: [Failed, ...Failed[]] = [failed];
      byPlace.set(place, made);
      groups.push(made);
    }
  }
  return groups;
}
