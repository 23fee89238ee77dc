/** Frequent mistakes of real services, and how findings show them. */
import type { DataFile } from "./data-file.ts";
import { unknown } from "./schema-check.ts";

/** A frequent mistake. Fits a finding that violates one of the rules and matches the patterns. */
export interface Pitfall {
  /** IDs of rules (default: any rule). */
  readonly rules?: ReadonlySet<string>;
  readonly expected?: RegExp;
  readonly got?: RegExp;
  /** The likely cause, and what to do, in one sentence. */
  readonly hint: string;
}

interface PitfallEntry {
  readonly rules?: readonly string[];
  readonly expected?: string;
  readonly got?: string;
  readonly hint: string;
}

/**
 * Reads the pitfalls in a file that matches its schema.
 * @throws {DataError} with all faults: unknown rules, and patterns that are not regular expressions
 */
export function readPitfalls(source: DataFile, rules: ReadonlyMap<string, unknown>): readonly Pitfall[] {
  const { pitfalls } = source.value as { readonly pitfalls: readonly PitfallEntry[] };
  const read = pitfalls.map(({ rules: ids, expected, got, hint }, index): Pitfall => {
    const pattern = (name: string, text: string): RegExp => {
      try {
        return new RegExp(text, "i");
      } catch (error) {
        source.addFault(["pitfalls", index, name], String((error as Error).message));
        return /$./;
      }
    };
    for (const [position, id] of (ids ?? []).entries())
      if (!rules.has(id))
        source.addFault(["pitfalls", index, "rules", position], unknown("rule", id, rules.keys()));
    return {
      ...(ids && { rules: new Set(ids) }),
      ...(expected !== undefined && { expected: pattern("expected", expected) }),
      ...(got !== undefined && { got: pattern("got", got) }),
      hint,
    };
  });
  source.throwFaults();
  return read;
}

/** The part of a finding that pitfalls look at. */
export interface Symptom {
  readonly rules: readonly string[];
  readonly expected: string;
  /** The wrong value, or the status and code. */
  readonly got: string;
  /** The whole response. */
  readonly received?: string;
}

/** Returns the hint of the first pitfall that fits a finding, or undefined. */
export function hintFor(
  pitfalls: readonly Pitfall[],
  { rules, expected, got, received = "" }: Symptom,
): string | undefined {
  return pitfalls.find(
    (pitfall) =>
      (pitfall.rules === undefined || rules.some((rule) => pitfall.rules?.has(rule))) &&
      (pitfall.expected?.test(expected) ?? true) &&
      (pitfall.got === undefined || pitfall.got.test(got) || pitfall.got.test(received)),
  )?.hint;
}
