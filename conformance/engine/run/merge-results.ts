import type { Looked, Result } from "../play/result.ts";
import { distinctSeen } from "../search/distinct-seen.ts";

/**
 * Puts the results of all parts of a run together, as one run would have given them before failures are
 * attributed.
 * @param parts the results of every shard, in the order of the shards
 * @param order every id that there is, in the order of one run
 */
export function mergeResults(
  parts: readonly (readonly Result[])[],
  order: readonly string[],
): readonly Result[] {
  const shares = new Map<string, Result[]>();
  for (const result of parts.flat()) {
    const { known: _, later: __, ...plain } = result;
    const own = shares.get(result.id);
    if (own === undefined) shares.set(result.id, [plain]);
    else own.push(plain);
  }
  return order.flatMap((id) => {
    const [first, ...rest] = shares.get(id) ?? [];
    return first === undefined ? [] : [mergeShares([first, ...rest])];
  });
}

/**
 * One result of those that the shards have of a property. Each tried a stretch of its cases, in order, and one run
 * would have ended at the first that did not pass: what came after is left out.
 */
export function mergeShares(shares: readonly [Result, ...Result[]]): Result {
  const end = shares.findIndex(({ outcome }) => outcome !== "passed");
  const tried = end < 0 ? shares : shares.slice(0, end + 1);
  const last = tried.at(-1) ?? shares[0];
  const judged = last.outcome === "passed" || last.outcome === "failed";
  return judged ? { ...last, ...distinctSeen(tried), ...lookedOf(tried) } : last;
}

/** How deep all of them looked. */
function lookedOf(shares: readonly Result[]): Pick<Result, "looked"> {
  const all = shares.flatMap(({ looked }) => looked ?? []);
  if (all.length === 0) return {};
  const sum = (count: keyof Looked) => all.reduce((total, looked) => total + looked[count], 0);
  return { looked: { sequences: sum("sequences"), requests: sum("requests"), states: sum("states") } };
}
