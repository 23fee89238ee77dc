import type { Result } from "../play/result.ts";
import type { OpenPoint } from "../rule-book.ts";

/** The reading of an open point that an implementation takes, beside the reference's. */
export interface Choice {
  readonly point: string;
  /** Readings seen, in alphabetical order, joined by ` | ` where there were several; `not seen` where none. */
  readonly observed: string;
  readonly reference: string;
}

/** Collects what the results showed of each observable open point, in the order of the points. */
export function choicesOf(
  points: ReadonlyMap<string, OpenPoint>,
  results: readonly Result[],
): readonly Choice[] {
  const seen = new Map<string, Set<string>>();
  for (const { observations } of results) {
    for (const { point, reading } of observations) {
      const readings = seen.get(point) ?? new Set();
      seen.set(point, readings.add(reading));
    }
  }
  return [...points.values()]
    .filter(({ observable }) => observable)
    .map(({ id, reference }) => ({
      point: id,
      observed: [...(seen.get(id) ?? [])].sort().join(" | ") || NOT_SEEN,
      reference,
    }));
}

/** Stands for a reading where nothing showed one. */
export const NOT_SEEN = "not seen";
