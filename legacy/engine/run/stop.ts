import type { AdapterFault } from "../../adapters/adapter.ts";
import { endedBy, FaultInStep, findingOf } from "../play/breakage.ts";
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

/** After so many faults in a row that end the connection, the rest is not tried. */
export const MOST_FAULTS = 3;
/** As many, where each came of a request: what was asked may be the reason, and the next is asked something else. */
export const MOST_FAULTS_IN_STEPS = 12;
/** After so many of one kind, though others went well in between: each costs a new start, and teaches nothing more. */
const MOST_OF_A_KIND = 10;

/** Counts the faults of an implementation that is started anew after each, until it is not worth another start. */
export class FaultCount {
  #inARow = 0;
  #atStart = 0;
  readonly #ofKind = new Map<string, number>();

  /** Takes note of a vector that came to its end. */
  wentWell(): void {
    this.#inARow = 0;
    this.#atStart = 0;
  }

  /** Takes note of a fault. @returns why nothing more is to be tried, if that is so */
  note(fault: AdapterFault): string | undefined {
    this.#inARow += 1;
    if (!(fault instanceof FaultInStep)) this.#atStart += 1;
    const ofKind = (this.#ofKind.get(fault.message) ?? 0) + 1;
    this.#ofKind.set(fault.message, ofKind);
    if (this.#atStart >= MOST_FAULTS || this.#inARow >= MOST_FAULTS_IN_STEPS)
      return `the adapter broke ${this.#inARow} times in a row`;
    return ofKind >= MOST_OF_A_KIND
      ? `the adapter broke ${MOST_OF_A_KIND} times in one way: ${fault.message}`
      : undefined;
  }
}
