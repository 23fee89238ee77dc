import type { ClientVector } from "../../engine/client/client-vector.ts";
import type { Result } from "../../engine/play/result.ts";
import { attributeFailures } from "../../engine/run/attribute-failures.ts";
import { rankFailures } from "../../engine/run/rank-failures.ts";
import { BAILED } from "../../engine/run/stop.ts";
import type { FirstFailure } from "../judge-entry.ts";

/** Which vectors to play a client, and whether to stop at the first that fails. */
export interface Chosen {
  readonly vectors: readonly ClientVector[];
  readonly bail: boolean;
}

/** The vectors that are about one of these rules. */
export function vectorsNaming(
  rules: readonly string[],
  vectors: readonly ClientVector[],
): readonly ClientVector[] {
  return vectors.filter((vector) => rules.some((rule) => vector.rules.includes(rule)));
}

/** The failure that a report on some results begins with; undefined where nothing fails. */
export function firstOf(results: readonly Result[]): FirstFailure | undefined {
  const [first] = rankFailures(attributeFailures(results));
  if (first === undefined) return undefined;
  const { rule, expected, got } = first.failure;
  return { id: first.result.id, rule, expected, got };
}

/**
 * The failure that a report on everything would begin with. Of the vectors that are not played yet only those are that
 * could come before it.
 * @param known what came of some vectors
 * @param vectors all there are, in the order in which failures are told
 * @param play plays the client some of them
 */
export async function firstFailure(
  known: readonly Result[],
  vectors: readonly ClientVector[],
  play: (chosen: Chosen) => Promise<readonly Result[]>,
): Promise<FirstFailure | undefined> {
  const byId = new Map<string, Result>();
  const note = (results: readonly Result[]) => {
    for (const result of results) if (result.reason !== BAILED.reason) byId.set(result.id, result);
  };
  note(known);
  for (;;) {
    const inOrder = vectors.flatMap(({ id }) => byId.get(id) ?? []);
    const [first] = rankFailures(attributeFailures(inOrder));
    // What was met on the way is told where it was met first, unless a vector about it fails.
    const isByTheWay = first?.result.incidental.includes(first.failure) === true;
    const about = isByTheWay ? vectorsNaming([first.failure.rule], vectors) : [];
    const isLast = first === undefined || first.failure.aside === true;
    const before = isLast ? vectors : vectors.slice(0, placeOf(first.result, vectors));
    const open = [about, before].map((some) => some.filter(({ id }) => !byId.has(id)));
    const next = open.find((some) => some.length > 0);
    if (next === undefined) return firstOf(inOrder);
    note(await play({ vectors: next, bail: next === open[1] }));
  }
}

function placeOf({ id }: Result, vectors: readonly ClientVector[]): number {
  return vectors.findIndex((vector) => vector.id === id);
}
