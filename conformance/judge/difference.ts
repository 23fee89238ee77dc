import type { Exchange } from "../contract/exchange.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { WrongValue } from "../contract/response-schemas.ts";
import type { Json } from "../data/json.ts";
import type { Tally } from "../suite/vector.ts";

/** A measurement, or the behavior of a client, that is wrong. */
export interface WrongBehavior {
  readonly kind: "behavior";
  readonly expected: string;
  readonly got: string;
}

/** The difference between an expected and an actual result, as values. The report makes sentences of them. */
export type Difference =
  /** A response has none of the expected outcomes. */
  | {
      readonly kind: "outcome";
      readonly expected: readonly Outcome[];
      /** Circumstance that makes these outcomes the expected ones. */
      readonly note?: string;
      /** Whether the response has an expected outcome, but is a retry that got another draft. */
      readonly isOtherDraft?: boolean;
    }
  /** The numbers of responses differ from each of these tallies or, for `at-most`, exceed the tally. */
  | {
      readonly kind: "tally" | "at-most";
      readonly expected: readonly Tally[];
      readonly got: readonly Exchange[];
    }
  /** Values of a response are wrong. The note states why these values are expected. */
  | { readonly kind: "values"; readonly values: readonly WrongValue[]; readonly note?: string }
  /** A value of earlier responses does not have the specified relation to another value. */
  | {
      readonly kind: "comparison";
      readonly template: Json;
      readonly relation: "equals" | "differs-from";
      readonly expected: unknown;
      readonly got: unknown;
    }
  | WrongBehavior;

/** @param note circumstance that makes these outcomes the expected ones */
export function wrongOutcome(expected: readonly Outcome[], note?: string): Difference {
  return { kind: "outcome", expected, ...(note !== undefined && { note }) };
}

/** Returns the paths of the wrong values in a response. Empty if the difference is about something else. */
export function pathsOf({ difference }: { readonly difference: Difference }): readonly string[] {
  return difference.kind === "values" ? difference.values.map(({ path }) => path) : [];
}
