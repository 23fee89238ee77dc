import type { Outcome } from "../../engine/outcome.ts";
import { type Expected, merge } from "../../engine/search/model.ts";
import type { RequestFault } from "./request-fault.ts";

/**
 * Puts the set together: of several faults any may be answered, since their order is open ("Which code precedes
 * which"), and success is allowed only where nothing must be refused.
 * @param success what a service without objection answers, with the rule that a refusal breaks
 * @param more what may be answered besides, none of it certain: asked for only where the rest does not explain an
 *   answer, and so at the latest before the model learns of it (see `weighed`)
 */
export function expectedOf(
  faults: readonly RequestFault[],
  success: { readonly outcome: Outcome; readonly rulesFor: Expected["rulesFor"] },
  more: () => readonly RequestFault[] = () => [],
): Expected {
  const first = faults.find((fault) => fault.certain);
  const usual = first === undefined ? [success.outcome] : first.outcomes;
  return {
    usual,
    get outcomes() {
      const outcomes = [...faults, ...more()].flatMap((fault) => fault.outcomes);
      return merge(first === undefined ? [success.outcome, ...outcomes] : outcomes);
    },
    get points() {
      const all = [...faults, ...more()].sort(uncertainFirst);
      return [...new Set(all.flatMap(({ point }) => (point === undefined ? [] : [point])))];
    },
    rulesFor: first === undefined ? success.rulesFor : () => first.rules,
  };
}

function uncertainFirst(a: RequestFault, b: RequestFault): number {
  return Number(a.certain) - Number(b.certain);
}
