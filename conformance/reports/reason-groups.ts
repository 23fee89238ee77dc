import type { Result } from "../engine/play/result.ts";

/** Results that were not judged for one reason. */
export interface ReasonGroup {
  /** The reason; where they differ in how long something takes, from the shortest to the longest. */
  readonly reason: string;
  readonly results: readonly [Result, ...Result[]];
}

/** How long something takes, in a reason: `31.5 s`. */
const DURATION = /\d+(?:\.\d+)?(?= m?s\b)/g;

/** Results by why they were not judged, the reason that most share first; what differs in durations alone is one. */
export function groupByReason(results: readonly Result[]): readonly ReasonGroup[] {
  const groups = new Map<string, [Result, ...Result[]]>();
  for (const result of results) {
    const shape = reasonOf(result).replaceAll(DURATION, "N");
    const group = groups.get(shape);
    if (group === undefined) groups.set(shape, [result]);
    else group.push(result);
  }
  return [...groups.values()]
    .map((group) => ({ reason: commonReason(group), results: group }))
    .sort((a, b) => b.results.length - a.results.length);
}

function reasonOf({ reason }: Result): string {
  return reason ?? "no reason given";
}

/** One reason for all, each duration that is not the same in them a range. */
function commonReason(results: readonly [Result, ...Result[]]): string {
  const durations = results.map((result) => reasonOf(result).match(DURATION) ?? []);
  let index = 0;
  return reasonOf(results[0]).replaceAll(DURATION, (own) => {
    const sorted = durations.map((found) => found[index] ?? own).sort((a, b) => Number(a) - Number(b));
    index += 1;
    const [least = own, most = own] = [sorted[0], sorted.at(-1)];
    return Number(least) === Number(most) ? own : `${least} to ${most}`;
  });
}
