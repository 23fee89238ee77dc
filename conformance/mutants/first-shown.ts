import type { BrokenEntry } from "./entry.ts";
import type { BrokenOutcome } from "./judge-entry.ts";

/** Of so many broken services, or clients, at least a report must begin with a rule that they break. */
const LEAST_SHARE = 0.95;

/** Mutants, and how each was judged. */
export interface Looked {
  readonly broken: readonly Pick<BrokenEntry, "id" | "breaks">[];
  readonly brokenOutcomes: ReadonlyMap<string, BrokenOutcome>;
  /** What they are, in the plural: services, unless told. */
  readonly kind?: string;
}

/** What the reports on broken services, or clients, begin with. */
export interface FirstShown {
  readonly text: string;
  /** Whether they begin with a rule of the entry's own often enough. */
  readonly good: boolean;
}

/** How often the first failure that is shown of each is of a rule that its entry names, and of which it is not. */
export function firstShown({ broken, brokenOutcomes, kind = "services" }: Looked): FirstShown {
  const misled = broken.flatMap(({ id, breaks }) => {
    const first = brokenOutcomes.get(id)?.first;
    if (first !== undefined && breaks.includes(first.rule)) return [];
    const shown =
      first === undefined
        ? "nothing"
        : `${first.rule} by ${first.id}: expected ${first.expected}, got ${first.got}`;
    return [`  ${id}, which breaks ${breaks.join(", ")} and begins with ${shown}`];
  });
  const right = broken.length - misled.length;
  const share = broken.length === 0 ? 1 : right / broken.length;
  const percent = (Math.floor(share * 1000) / 10).toFixed(1);
  const others = misled.length === 0 ? "" : "; not for";
  return {
    text: [
      `the report begins with a rule of the entry for ${right} of ${broken.length} broken ${kind} (${percent} %, and at least ${LEAST_SHARE * 100} % must)${others}`,
      ...misled,
    ].join("\n"),
    good: share >= LEAST_SHARE,
  };
}
