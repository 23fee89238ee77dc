import type { JudgedBank } from "./judge-bank.ts";

/** Of so many broken services at least a report must begin with a rule that the service breaks. */
const LEAST_SHARE = 0.95;

/** What the reports on broken services begin with. */
export interface FirstShown {
  readonly text: string;
  /** Whether they begin with a rule of the entry's own often enough. */
  readonly good: boolean;
}

/** How often the first failure that is shown of a broken service is of a rule that its entry names, and which it is not. */
export function firstShown({
  broken,
  firstOf,
  brokenOutcomes,
}: Pick<JudgedBank, "broken" | "firstOf" | "brokenOutcomes">): FirstShown {
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
      `the report begins with a rule of the entry for ${right} of ${looked.length} broken services (${firstOf === 1 ? "" : `one in ${firstOf}: `}${percent} %, and at least ${LEAST_SHARE * 100} % must)${others}`,
      ...misled,
    ].join("\n"),
    good: share >= LEAST_SHARE,
  };
}
