import type { Result } from "../../engine/play/result.ts";

/** Results that one cause left without a judgement: the first, and those like it. */
export type ErrorGroup = readonly [Result, ...Result[]];

/** A request in front of a reason, as HTTP has it. */
const REQUEST = /^[A-Z]+ \/\S*: /;

/** Errors in their order, those of one cause together. */
export function groupErrors(results: readonly Result[]): readonly ErrorGroup[] {
  const groups = new Map<string, [Result, ...Result[]]>();
  for (const result of results) {
    if (result.outcome !== "error") continue;
    const { reason = "", breakage } = result;
    // A service that is gone answers no request, whichever it is.
    const cause = breakage?.alive === false ? reason.replace(REQUEST, "") : reason;
    const key = JSON.stringify([cause, breakage?.kind, breakage?.alive]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [result]);
    else group.push(result);
  }
  return [...groups.values()];
}
