import { startOf } from "../data/start-of.ts";

/** One way in which an answer departs from the contract. */
export interface Mismatch {
  readonly rule: string;
  /** Where in the answer: `status`, `code`, `members.2.name`. */
  readonly path: string;
  readonly expected: string;
  readonly got: string;
  /** Whether a member is missing, or of another type: what asks for such an answer has not got one. */
  readonly shape?: true;
}

/** Differences of one answer that a report lists for one rule; a list of a thousand bad entries breaks it no more. */
const MOST_DIFFERENCES = 12;

/** Mismatches by the rule that they break, each rule once. */
export function differencesByRule(
  mismatches: readonly Mismatch[],
): ReadonlyMap<string, readonly Omit<Mismatch, "rule" | "shape">[]> {
  const byRule = new Map<string, Omit<Mismatch, "rule" | "shape">[]>();
  for (const { rule, shape: _, ...difference } of mismatches) {
    const differences = byRule.get(rule) ?? [];
    byRule.set(rule, differences);
    if (differences.length < MOST_DIFFERENCES) differences.push(difference);
  }
  return byRule;
}

/** The reading of an open point that an answer showed. */
export interface Observation {
  readonly point: string;
  readonly reading: string;
}

/** Something legal, yet unsafe or hard on clients. */
export interface Advice {
  readonly rule: string;
  readonly message: string;
}

/** What one exchange showed. */
export interface Judgement {
  readonly mismatches: readonly Mismatch[];
  readonly observations: readonly Observation[];
  readonly advice: readonly Advice[];
}

/** A value as it stands in a failure: JSON, cut to a readable length. */
export function show(value: unknown, most = 200): string {
  if (value === undefined) return "absent";
  const text = safeJson(value);
  return text.length <= most ? text : `${startOf(text, most)}… (${text.length} characters)`;
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "(a value that cannot be shown)";
  }
}
