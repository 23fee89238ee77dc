import type { Outcome } from "../../engine/outcome.ts";

/** Something about a request, or about the state that it meets, for which the contract lets a service refuse it. */
export interface Fault {
  /** The answers that fit it. */
  readonly outcomes: readonly Outcome[];
  /** Rules that are broken where this fault stands alone and the answer is another. */
  readonly rules: readonly string[];
  /** Whether the service must refuse; where not, it is an open point whether this is a fault at all. */
  readonly certain: boolean;
  /** The open point that decides on the code, or on whether it is a fault. */
  readonly point?: string;
}

/** Codes for a field that is missing, too many, of a wrong type or malformed, on any endpoint (contract, "Errors"). */
export const FIELD_CODES = [
  "INVALID_FIELDS",
  "INVALID_DEMO_TERMS_OR_FIELDS",
  "CREATOR_BINDING_OR_FIELDS",
] as const;

/**
 * Codes for a body whose members are not those of the request, or not of their types: a reader that decodes into a
 * typed form finds out while it reads, and may call the body itself invalid.
 */
export const SHAPE_CODES = [...FIELD_CODES, "INVALID_JSON_BODY"] as const;

/** Codes for a metadata address, by its host or by its form. */
export const METADATA_CODES = ["METADATA_URL", "METADATA_HOST"] as const;

/** One outcome of status 400 with any of the codes. */
export function badRequest(...codes: readonly string[]): Outcome {
  return { status: 400, codes };
}

/** Any code for a launch request of another shape. */
export const LAUNCH_SHAPE: Outcome = badRequest(
  ...SHAPE_CODES,
  "CANONICAL_BUILD_REJECTED",
  "INVALID_CREATOR",
  ...METADATA_CODES,
);

/** A fault that must be refused. */
export function certain(rule: string, outcome: Outcome, point?: string): Fault {
  return { outcomes: [outcome], rules: [rule], certain: true, ...(point === undefined ? {} : { point }) };
}

/** What a service may refuse and may also let pass: every reading is legal. */
export function uncertain(point: string, ...outcomes: readonly Outcome[]): Fault {
  return { outcomes, rules: [], certain: false, point };
}
