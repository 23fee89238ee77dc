import type { Advice, Mismatch, Observation } from "../judge/judgement.ts";
import type { SourcePlace } from "../vectors/model.ts";

/** Exactly one of these, never mixed. */
export type ResultOutcome = "passed" | "failed" | "skipped" | "error";

/** A request or an answer as a report shows it. */
export type Shown = unknown;

/** One exchange of a vector, in the order in which they took place. */
export interface TraceEntry {
  /** `3` or `2.1` for a step of the vector; `1 (prepared)` for what the kit did on its behalf. */
  readonly step: string;
  readonly place: SourcePlace;
  /** Milliseconds since the vector began, on the service's clock. */
  readonly clockMs: number;
  readonly request: Shown;
  readonly response: Shown;
}

/** One way in which a service broke a rule, with all that is needed to see it again. */
export interface Failure {
  /** The rule that is broken, and all that the step stands for. */
  readonly rule: string;
  readonly rules: readonly string[];
  readonly message: string;
  readonly step: string;
  readonly place: SourcePlace;
  readonly clockMs: number;
  readonly request?: Shown;
  readonly response?: Shown;
  readonly expected: string;
  readonly got: string;
  /** Every difference at once. */
  readonly differences: readonly Omit<Mismatch, "rule">[];
}

/** What came of one vector or property. */
export interface Result {
  readonly id: string;
  readonly kind: "vector" | "property";
  readonly title: string;
  readonly rules: readonly string[];
  readonly outcome: ResultOutcome;
  /** Why it was skipped, or what broke. */
  readonly reason?: string;
  readonly source?: SourcePlace;
  readonly failures: readonly Failure[];
  /**
   * Rules that are not this result's own but were seen broken on the way. They fail the run; they fail this result
   * only where no other result speaks for the rule (see `settle`).
   */
  readonly incidental: readonly Failure[];
  readonly observations: readonly Observation[];
  readonly advice: readonly Advice[];
  /** The exchanges, kept where something failed. */
  readonly trace: readonly TraceEntry[];
  /** A vector that shows the failure again, as YAML (properties). */
  readonly vector?: string;
}
