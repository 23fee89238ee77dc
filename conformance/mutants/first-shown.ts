import type { BrokenEntry } from "./entry.ts";
import type { BrokenOutcome } from "./judge-entry.ts";

/** Of so many broken services, or clients, at least a report must begin with a rule that they break. */
const LEAST_SHARE = 0.95;

/** What was judged, and which of it was looked at. */
export interface Looked {
  readonly broken: readonly Pick<BrokenEntry, "id" | "breaks">[];
  /** One in so many was looked at for what a report would show first. */
  readonly firstOf: number;
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
export function firstShown({ broken, firstOf, brokenOutcomes, kind = "services" }: Looked): FirstShown {
  const looked = broken.filter((_, index) => index % firstOf === 0);
  const misled = looked.flatMap(({ id, breaks }) => {
    const first = brokenOutcomes.get(id)?.first;
    if (first !== undefined && breaks.includes(first.rule)) return [];
    const shown =
      first === undefined
        ? "nothing"
        : `${first.rule} by ${first.id}: expected ${first.expected}, got ${first.got}`;
    return [`  ${id}, which breaks ${breaks.join(", ")} and begins with ${shown}`];
  });
  const right = looked.length - misled.length;
  const share = looked.length === 0 ? 1 : right / looked.length;
  const percent = (Math.floor(share * 1000) / 10).toFixed(1);
  const others = misled.length === 0 ? "" : "; not for";
  return {
    text: [
      `the report begins with a rule of the entry for ${right} of ${looked.length} broken ${kind} (${firstOf === 1 ? "" : `one in ${firstOf}: `}${percent} %, and at least ${LEAST_SHARE * 100} % must)${others}`,
      ...misled,
    ].join("\n"),
    good: share >= LEAST_SHARE,
  };
}
