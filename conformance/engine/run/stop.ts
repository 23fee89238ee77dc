import type { AdapterFault } from "../../adapters/adapter.ts";
import { endedBy, findingOf } from "../play/breakage.ts";
import type { PlayOutcome } from "../play/play.ts";
import type { Result } from "../play/result.ts";
import type { Vector } from "../vectors/vector.ts";

/** Why vectors are no longer played, and what becomes of them: where the adapter broke it is no mere skip. */
export interface Stop {
  readonly outcome: "skipped" | "error";
  readonly reason: string;
  /** See `Result`. */
  readonly lacks?: readonly string[];
}

/** Why the rest is left out after a failure, where the user wants it so. */
export const BAILED: Stop = { outcome: "skipped", reason: "not run: stopped at the first failure (--bail)" };

/** The rest is left out, since the adapter broke. */
export function broken(why: string): Stop {
  return { outcome: "error", reason: `not run: ${why}` };
}

/** Why nothing more is asked of a service that answers nothing. */
export function whyGone(fault: AdapterFault): Stop | undefined {
  const finding = findingOf(fault)?.finding;
  if (finding?.alive !== false) return undefined;
  const how = finding.kind === "hang" ? "the service stands still" : "the service is gone";
  return broken(`${how}: ${fault.message}`);
}

/** The result of a vector that is left out. */
export function notPlayed(
  vector: Pick<Vector, "id" | "title" | "rules" | "place">,
  { outcome, reason, lacks }: Stop,
): Result {
  return {
    id: vector.id,
    kind: "vector",
    title: vector.title,
    rules: vector.rules,
    outcome,
    reason,
    ...(lacks === undefined ? {} : { lacks }),
    source: vector.place,
    failures: [],
    incidental: [],
    observations: [],
    advice: [],
    trace: [],
  };
}

/** What came of a vector for which no service could even be started. */
export function notStarted(
  vector: Vector,
  fault: AdapterFault,
): PlayOutcome & { readonly fault: AdapterFault } {
  return { fault, result: { ...notPlayed(vector, broken("")), ...endedBy(fault) } };
}
