import type { GatedReport } from "../policies/gated-report.ts";

/** What a run came to: a verdict, or that a selection passed, which is none. */
export type Headline =
  | GatedReport["verdict"]
  | "selection-passed"
  | "selection-undecided"
  | "nothing-found"
  | "nothing-judged";

/** What a report says at its top. A selection can show that a service does not conform, and never that it does. */
export function headlineOf({
  verdict,
  selection,
  audit,
}: Pick<GatedReport, "verdict" | "selection" | "audit">): Headline {
  if (audit !== undefined && verdict !== "does-not-conform")
    return audit.judged > 0 ? "nothing-found" : "nothing-judged";
  if (selection === undefined || verdict === "does-not-conform") return verdict;
  return selection.outcome === "passed" ? "selection-passed" : "selection-undecided";
}

/** {@link headlineOf}, as people read it: `does not conform`, `selection passed`. */
export function headlineText(report: Pick<GatedReport, "verdict" | "selection" | "audit">): string {
  return headlineOf(report).replaceAll("-", " ");
}
