/** Frequent mistakes of real services, and how findings show them. */
import type { DataFile } from "../data/data-file.ts";
import { valueAt } from "../data/json.ts";
import { checkKnown } from "../data/schema-check.ts";
import type { Exchange } from "./exchange.ts";
import type { WrongValue } from "./response-schemas.ts";

/** A mistake. It fits a finding if all its conditions are true. */
export interface Pitfall {
  /** IDs of rules, one of which the finding violates. */
  readonly rules?: readonly string[];
  /** Regular expression for the ID of the test. */
  readonly test?: string;
  /** Status and code of the response. */
  readonly status?: number;
  readonly code?: string;
  /** Case-insensitive regular expressions for the JSON text of the body and of a wrong value. */
  readonly body?: string;
  readonly value?: string;
  /** Maximum number of ms by which a time is wrong. */
  readonly "off-by-ms"?: number;
  /** The likely cause, and what to do, in one sentence. */
  readonly hint: string;
}

/** Reads pitfalls. @throws {DataError} with all unknown rules and invalid patterns */
export function readPitfalls(source: DataFile, rules: ReadonlyMap<string, unknown>): readonly Pitfall[] {
  const { pitfalls } = source.value as { readonly pitfalls: readonly Pitfall[] };
  for (const [index, pitfall] of pitfalls.entries()) {
    for (const [position, id] of (pitfall.rules ?? []).entries())
      checkKnown(source, ["pitfalls", index, "rules", position], "rule", id, rules.keys());
    for (const name of ["test", "body", "value"] as const)
      try {
        matches(pitfall[name], "");
      } catch (error) {
        source.addFault(["pitfalls", index, name], (error as Error).message);
      }
  }
  source.throwFaults();
  return pitfalls;
}

/** Returns the hint of the first pitfall that fits a finding, or undefined. */
export function hintFor(
  pitfalls: readonly Pitfall[],
  finding: {
    readonly test: string;
    readonly rules: readonly string[];
    readonly exchange?: Pick<Exchange, "status" | "envelope"> | undefined;
    readonly values: readonly WrongValue[];
  },
): string | undefined {
  const { exchange, values } = finding;
  const body = valueAt(exchange?.envelope, ["body"]);
  const code = values.length > 0 ? undefined : valueAt(body, ["code"]);
  return pitfalls.find(
    (one) =>
      (one.rules === undefined || finding.rules.some((rule) => one.rules?.includes(rule))) &&
      (one.test === undefined || matches(one.test, finding.test)) &&
      (one.status === undefined || exchange?.status === one.status) &&
      (one.code === undefined || code === one.code) &&
      (one.body === undefined || matches(one.body, JSON.stringify(body))) &&
      (one.value === undefined || values.some(({ got }) => matches(one.value, JSON.stringify(got)))) &&
      (one["off-by-ms"] === undefined ||
        values.some(({ offMs = Infinity }) => Math.abs(offMs) <= Number(one["off-by-ms"]))),
  )?.hint;
}

function matches(pattern = "", text: string): boolean {
  return new RegExp(pattern, "i").test(text);
}
