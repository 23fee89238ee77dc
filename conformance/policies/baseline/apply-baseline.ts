import { suggestion } from "../../engine/data/schema.ts";
import type { Result } from "../../engine/play/result.ts";
import type { Baseline, KnownFailure } from "./baseline.ts";

/** What a run showed of the known failures. */
export interface BaselineReport {
  readonly file: string;
  /** Results whose failure is waived. */
  readonly known: readonly string[];
  /** Entries that no failure answers to any more, or that no failure could. They fail the run. */
  readonly stale: readonly { readonly id: string; readonly why: string }[];
  /** Entries whose day has passed while the failure is still there. They waive nothing. */
  readonly expired: readonly { readonly id: string; readonly expires: string }[];
  /** Entries that know a failure, yet not for these rules. They waive nothing. */
  readonly otherRules: readonly { readonly id: string; readonly rules: readonly string[] }[];
}

/** A baseline, and what it takes to hold a run to it. */
export interface BaselineGate {
  readonly baseline: Baseline;
  /** Today in UTC, `YYYY-MM-DD`. */
  readonly today: string;
  /** Every id that the kit has, whether selected or not. */
  readonly ids: ReadonlySet<string>;
}

/** How far the results of a run speak for what is not among them. */
export interface Reach {
  /** Whether this is all that was to run: a part of a run calls no entry stale. */
  readonly whole: boolean;
  /** Whether properties tried what they usually try: where they did not, a pass says little. */
  readonly usualCases: boolean;
}

/**
 * Marks the results whose failure is known, and tells what of the baseline holds no more. A baseline waives judged
 * failures alone, never an error of the adapter; entries about what was not run are left alone.
 * @param results with every failure attributed
 */
export function applyBaseline(
  { baseline, today, ids }: BaselineGate,
  results: readonly Result[],
  reach: Reach,
): { readonly results: readonly Result[]; readonly report: BaselineReport } {
  const byId = new Map(results.map((result) => [result.id, result]));
  const waived = new Map<string, KnownFailure>();
  const stale: BaselineReport["stale"][number][] = [];
  const expired: BaselineReport["expired"][number][] = [];
  const otherRules: BaselineReport["otherRules"][number][] = [];
  for (const entry of baseline.known) {
    const { id, expires } = entry;
    const result = byId.get(id);
    if (!ids.has(id)) {
      const why = `there is no such vector or property${suggestion(id, ids)}`;
      if (reach.whole) stale.push({ id, why });
    } else if (result?.outcome === "passed") {
      if (reach.whole && (result.kind !== "property" || reach.usualCases))
        stale.push({ id, why: "it passes now" });
    } else if (result?.outcome === "failed") {
      const rules = unknownRules(entry, result);
      if (expires !== undefined && today > expires) expired.push({ id, expires });
      else if (rules.length > 0) otherRules.push({ id, rules });
      else waived.set(id, entry);
    }
  }
  return {
    results: results.map((result) => marked(result, waived.get(result.id))),
    report: { file: baseline.file, known: [...waived.keys()], stale, expired, otherRules },
  };
}

/** Rules that the result fails for and the entry does not name. */
function unknownRules({ rules }: KnownFailure, { failures }: Result): readonly string[] {
  if (rules === undefined) return [];
  return [...new Set(failures.map(({ rule }) => rule))].filter((rule) => !rules.includes(rule));
}

/** The result with what is known of its failure; an earlier mark goes. */
function marked({ known: _, ...result }: Result, entry: KnownFailure | undefined): Result {
  if (entry === undefined) return result;
  const { reason, link, expires } = entry;
  const known = {
    reason,
    ...(link === undefined ? {} : { link }),
    ...(expires === undefined ? {} : { expires }),
  };
  return { ...result, known };
}
