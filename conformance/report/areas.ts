import type { Contract } from "../contract/contract.ts";
import type { Report } from "../run/report.ts";

/** What a run shows of one area of the contract. */
export interface AreaRow {
  readonly title: string;
  /** Observable required rules, and how many of them came out which way. */
  readonly required: number;
  readonly kept: number;
  readonly failed: number;
  readonly untried: number;
  /** Results that name a rule of the area. */
  readonly results: number;
  /** Observable open points. */
  readonly points: number;
}

/** One row for each area, in the contract's order. */
export function areaRows(report: Report, contract: Contract): readonly AreaRow[] {
  const outcomes = new Map(report.rules.map(({ id, outcome }) => [id, outcome]));
  return [...contract.areas].map(([area, title]) => {
    const rules = [...contract.rules.values()].filter((rule) => rule.area === area);
    const required = rules.filter(({ level, observable }) => level === "required" && observable);
    const count = (wanted: string) => required.filter(({ id }) => outcomes.get(id) === wanted).length;
    const ids = new Set(rules.map(({ id }) => id));
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
}
