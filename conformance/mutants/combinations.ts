import fc from "fast-check";
import { overlap, spansOf } from "./apply-edits.ts";
import type { LegalEntry } from "./entry.ts";
import type { Span } from "./find-text.ts";
import type { Program } from "./reference-program.ts";

/** Legal entries that are put into one service. */
export interface Combination {
  /** `combination/1`, and so on. */
  readonly id: string;
  readonly entries: readonly LegalEntry[];
}

const FEWEST = 4;
const MOST = 12;

/**
 * Draws combinations of legal entries that touch different text and do not contradict each other. The same seed and
 * bank give the same ones.
 */
export function drawCombinations(
  entries: readonly LegalEntry[],
  program: Program,
  { seed, count }: { readonly seed: number; readonly count: number },
): readonly Combination[] {
  // What too little room leaves untried would hide what the others do.
  const roomy = entries.filter(({ untried }) => untried === undefined);
  const spans = new Map(roomy.map((entry) => [entry, spansOf(program, entry.edits)]));
  const order = fc.shuffledSubarray(roomy, { minLength: roomy.length });
  const size = fc.integer({ min: FEWEST, max: MOST });
  return fc
    .sample(fc.record({ order, size }), { seed, numRuns: count })
    .map(({ order: drawn, size: most }, index) => ({
      id: `combination/${index + 1}`,
      entries: compatible(drawn, most, spans),
    }));
}

type Spans = ReadonlyMap<LegalEntry, readonly Span[]>;

/** The first entries of the order that go together, at most so many. */
function compatible(order: readonly LegalEntry[], most: number, spans: Spans): readonly LegalEntry[] {
  const chosen: LegalEntry[] = [];
  for (const entry of order) {
    if (chosen.length === most) break;
    if (chosen.every((other) => goTogether(entry, other, spans))) chosen.push(entry);
  }
  return chosen;
}

function goTogether(one: LegalEntry, other: LegalEntry, spans: Spans): boolean {
  const contradict = one.apart.includes(other.id) || other.apart.includes(one.id);
  return !contradict && !overlap(spans.get(one) ?? [], spans.get(other) ?? []);
}
