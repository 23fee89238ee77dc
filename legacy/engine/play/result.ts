import type { SourcePlace } from "../vectors/vector.ts";
import type { Advice, Mismatch, Observation } from "./judgement.ts";

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
  /** The rule that the answer belongs to which came, where it is none of those that are broken. */
  readonly received?: string;
  /** Whether it was met on the way to what the result is about. */
  readonly aside?: true;
}

/** What is known of a request that was not answered, besides that. */
export interface Finding {
  /**
   * `slow`: answered after the limit. `hang`: not answered as long as it was awaited. `lost`: the way to the service
   * broke, or what came back was no answer.
   */
  readonly kind: "slow" | "hang" | "lost";
  /** Whether the service answered anything at all afterwards; absent where nobody asked it. */
  readonly alive?: boolean;
  /** How long the answer was awaited, in ms, where none came. */
  readonly awaitedMs?: number;
  /** How long a slow answer took, in ms: a measure of time, which differs from run to run. */
  readonly answeredAfterMs?: number;
}

/** What broke under a result, where that is neither its rules nor its vector. */
export interface Breakage extends Partial<Finding> {
  /** Where in the vector, and on its clock, the request was sent that was not answered. */
  readonly step?: string;
  readonly place?: SourcePlace;
  readonly clockMs?: number;
  readonly request?: Shown;
  /** The end of what the implementation wrote for people. */
  readonly log?: string;
}

/** What a baseline says of a failure that it knows. */
export interface Known {
  readonly reason: string;
  readonly link?: string;
  /** Last day on which it is waived, `YYYY-MM-DD`. */
  readonly expires?: string;
}

/** How deep a search looked. */
export interface Looked {
  readonly sequences: number;
  readonly requests: number;
  /** Distinct states of the contract's model that it led to, as far as it was led by them. */
  readonly states: number;
}

/** What came of one vector or property. */
export interface Result {
  readonly id: string;
  readonly kind: "vector" | "property" | "probe";
  readonly title: string;
  readonly rules: readonly string[];
  readonly outcome: ResultOutcome;
  /** Why it was skipped, or what broke. */
  readonly reason?: string;
  /** All that the implementation lacks for it, where it was skipped for that: `capability:restart`, `fact:operatorKey`. */
  readonly lacks?: readonly string[];
  /** Whether the adapter broke after something had failed: a baseline does not waive that. */
  readonly broke?: true;
  /** What broke, where the outcome is an error, or the adapter broke after something had failed. */
  readonly breakage?: Breakage;
  readonly source?: SourcePlace;
  readonly failures: readonly Failure[];
  /**
   * Rules that are not this result's own but were seen broken on the way. They fail the run; they fail this result
   * only where no other result speaks for the rule (see `attributeFailures`).
   */
  readonly incidental: readonly Failure[];
  readonly observations: readonly Observation[];
  readonly advice: readonly Advice[];
  /** The exchanges, kept where something failed. */
  readonly trace: readonly TraceEntry[];
  /** A vector that shows the failure again, as YAML (properties). */
  readonly vector?: string;
  /** How deep it looked (properties that are led by the model). */
  readonly looked?: Looked;
  /** Why it fails, where the user's baseline knows that it does. */
  readonly known?: Known;
}
