import type { RuleBook } from "../engine/rule-book.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { requiredRules } from "./required-rules.ts";

/** What a run shows of one area of the contract. */
export interface AreaRow {
  readonly title: string;
  /** Observable required rules that the report speaks of, and how many of them came out which way. */
  readonly required: number;
  readonly kept: number;
  readonly failed: number;
  readonly untried: number;
  /** Results that name a rule of the area. */
  readonly results: number;
  /** Observable open points. */
  readonly points: number;
}

/** One row for each area, in the contract's order; of a selection, only those that it is about. */
export function areaRows(report: GatedReport, contract: RuleBook): readonly AreaRow[] {
  const spokenOf = requiredRules(report);
  const rows = [...contract.areas].map(([area, title]) => {
    const rules = [...contract.rules.values()].filter((rule) => rule.area === area);
    const ids = new Set(rules.map(({ id }) => id));
    const required = spokenOf.filter(({ id }) => ids.has(id));
    const count = (wanted: string) => required.filter(({ outcome }) => outcome === wanted).length;
    return {
      title,
      required: required.length,
      kept: count("passed"),
      failed: count("failed"),
      untried: count("untried"),
      results: report.results.filter((result) => result.rules.some((id) => ids.has(id))).length,
      points: [...contract.points.values()].filter((point) => point.area === area && point.observable).length,
    };
  });
  return report.selection === undefined ? rows : rows.filter(({ results, failed }) => results + failed > 0);
}
