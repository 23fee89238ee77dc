/** Frequent mistakes of real services, and how findings show them. */
import type { DataFile } from "../data/data-file.ts";
import { checkKnown } from "../data/schema-check.ts";

/** A mistake. It fits a finding if the finding is about one of `rules` and matches both patterns. */
export interface Pitfall {
  /** IDs of rules (default: any rule). */
  readonly rules?: readonly string[];
  /** Case-insensitive regular expressions (default: any text). */
  readonly expected?: string;
  readonly got?: string;
  /** The likely cause, and what to do, in one sentence. */
  readonly hint: string;
}

/** Reads pitfalls. @throws {DataError} with all unknown rules and invalid patterns */
export function readPitfalls(source: DataFile, rules: ReadonlyMap<string, unknown>): readonly Pitfall[] {
  const { pitfalls } = source.value as { readonly pitfalls: readonly Pitfall[] };
  for (const [index, pitfall] of pitfalls.entries()) {
    for (const [position, id] of (pitfall.rules ?? []).entries())
      checkKnown(source, ["pitfalls", index, "rules", position], "rule", id, rules.keys());
    for (const name of ["expected", "got"] as const)
      try {
        matches(pitfall[name], "");
      } catch (error) {
        source.addFault(["pitfalls", index, name], (error as Error).message);
      }
  }
  source.throwFaults();
  return pitfalls;
}

/**
 * Returns the hint of the first pitfall that fits a finding, or undefined.
 * @param finding `got` is the wrong value, or the status and code; `received` is the whole response
 */
export function hintFor(
  pitfalls: readonly Pitfall[],
  finding: {
    readonly rules: readonly string[];
    readonly expected: string;
    readonly got: string;
    readonly received?: string | undefined;
  },
): string | undefined {
  return pitfalls.find(
    ({ rules, expected, got }) =>
      (rules === undefined || finding.rules.some((rule) => rules.includes(rule))) &&
      matches(expected, finding.expected) &&
      (matches(got, finding.got) || matches(got, finding.received ?? "")),
  )?.hint;
}

function matches(pattern = "", text: string): boolean {
  return new RegExp(pattern, "i").test(text);
}
