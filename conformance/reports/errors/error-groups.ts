import type { Breakage, Result } from "../../engine/play/result.ts";

/** How a system says that nobody listens. */
const REFUSED = /\bECONNREFUSED\b/;

/** Results that one cause left without a judgement: the first, and those like it. */
export type ErrorGroup = readonly [Result, ...Result[]];

/** Errors in their order, those of one cause together. */
export function groupErrors(results: readonly Result[]): readonly ErrorGroup[] {
  const groups = new Map<string, [Result, ...Result[]]>();
  for (const result of results) {
    if (result.outcome !== "error") continue;
    const key = causeOf(result);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [result]);
    else if (tellsMore(result, group[0])) group.unshift(result);
    else group.push(result);
  }
  return [...groups.values()];
}

/** A service that is gone answers no request, whichever it is. */
function causeOf({ reason, breakage }: Result): string {
  const { kind, alive } = breakage ?? {};
  return JSON.stringify(isGone(breakage) ? ["gone"] : [reason, kind, alive]);
}

/** Of a service that is gone, the request in which it went says more than those that found nobody. */
function tellsMore({ breakage, reason = "" }: Result, first: Result): boolean {
  return isGone(breakage) && REFUSED.test(first.reason ?? "") && !REFUSED.test(reason);
}

function isGone(breakage: Breakage | undefined): boolean {
  return breakage?.kind === "lost" && breakage.alive === false;
}
