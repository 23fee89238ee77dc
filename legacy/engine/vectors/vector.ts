/** The kit's picture of a vector after loading: everything that can be known before a service is driven. */

import type { Outcome } from "../outcome.ts";
import type { Need } from "./need.ts";

/** A value in a vector: JSON, with `$name.path`, `${name.path}` and `{ $function: … }` still to be filled in. */
export type Template =
  | null
  | boolean
  | number
  | string
  | readonly Template[]
  | { readonly [key: string]: Template };

/** A place in a vector file, for failures and editors. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
}

/** An accepted outcome and, for an open point, the reading that it shows. */
export interface AcceptedOutcome extends Outcome {
  readonly reading?: string;
}

/** What a step's answer is held against. */
export interface Expectation {
  /** Whether any answer will do, as where something else judges it. */
  readonly anything?: true;
  readonly accepted: readonly AcceptedOutcome[];
  /** The open point on which the accepted outcomes differ. */
  readonly open?: string;
  /** Members of the answer's body (dotted path -> template), each compared by value. */
  readonly body?: Readonly<Record<string, Template>>;
  /** A capture whose answer this one must equal, to the last byte of its JSON. */
  readonly sameAs?: Template;
  /** With any other of the accepted outcomes the vector ends here: what it goes on with hangs on this one. */
  readonly endsUnless?: Outcome;
}

/** How often each outcome must occur among the answers of requests in flight together. */
export type Tally = readonly { readonly outcome: Outcome; readonly count: number }[];

/** What stands in every step, whatever its verb. */
interface StepBase {
  readonly place: SourcePlace;
  /** Name under which later steps refer to this one's exchange. */
  readonly as?: string;
  /** The rule that a failure of this step breaks, where that is not all of the vector's. */
  readonly rules?: readonly string[];
  readonly expect?: Expectation;
}

/** Members by their names, each still to be filled in. */
export type Fields = Readonly<Record<string, Template>>;

/** A request of one of the contract's operations. */
export interface OperationStep extends StepBase {
  readonly kind: "operation";
  readonly verb: string;
  readonly fields: Fields;
}
/** The clock moves on. */
export interface AdvanceStep extends StepBase {
  readonly kind: "advance";
  readonly advance: Template;
}
/** The service begins anew, with empty state. */
export interface RestartStep extends StepBase {
  readonly kind: "restart";
}
/** Steps that are played several times over. */
export interface RepeatStep extends StepBase {
  readonly kind: "repeat";
  readonly times: Template;
  readonly steps: readonly Step[];
  /** How often each of these outcomes may occur in all rounds, the kit's own preparations included. */
  readonly atMost: readonly { readonly outcome: Outcome; readonly count: Template }[];
}
/** Requests that are in flight together. */
export interface TogetherStep extends StepBase {
  readonly kind: "together";
  readonly times: number;
  readonly steps: readonly Step[];
  /** The ways in which the answers may fall out, whatever the order: one of them must be theirs. */
  readonly tallies: readonly Tally[];
}
/** A step of a verb that only the contract understands. */
export interface CustomStep extends StepBase {
  readonly kind: "custom";
  readonly verb: string;
  readonly value: Fields;
  /** The open point that it shows a reading of. */
  readonly open?: string;
}
/** Two values that are held against each other. */
export interface CompareStep extends StepBase {
  readonly kind: "compare";
  readonly value: Template;
  readonly relation: "equals" | "differs-from" | "contains";
  readonly other: Template;
}
/** Which reading of an open point was seen. */
export interface ClassifyStep extends StepBase {
  readonly kind: "classify";
  readonly open: string;
  readonly readings: readonly { readonly reading: string; readonly when: Fields }[];
}
/** One step of a vector. */
export type Step =
  | OperationStep
  | AdvanceStep
  | RestartStep
  | RepeatStep
  | TogetherStep
  | CustomStep
  | CompareStep
  | ClassifyStep;

/** Where the virtual clock stands when the vector begins: at such an instant, or at one moment (ISO 8601, UTC). */
export type ClockStart = "between-seconds" | "whole-second" | "whole-minute" | "year-end" | MomentText;
/** A moment in UTC, to the millisecond: `2038-01-19T03:14:07.137Z`. */
export type MomentText = `${number}-${string}Z`;

/** One scenario, ready to be played: a row of `cases` is a vector of its own. */
export interface Vector {
  /** `suite/vector` or `suite/vector/case`. */
  readonly id: string;
  readonly suite: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly place: SourcePlace;
  readonly clock: ClockStart;
  readonly needs: ReadonlySet<Need>;
  /** Time that its steps let pass, in ms, for the choice of what a real clock is worth; 0 where they wait for nothing. */
  readonly totalWaitMs: number;
  /** The row of `cases` that `$case` stands for. */
  readonly row: Fields;
  readonly steps: readonly Step[];
}
