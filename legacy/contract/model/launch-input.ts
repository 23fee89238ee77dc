import { foldedText } from "../folded-text.ts";
import { requestFields } from "../request-fields.ts";

/** The five values of a launch request: the public input that a retry has to repeat (contract, "Idempotency" rule). */
export type LaunchInput = Readonly<Record<string, unknown>>;

/** Whether two inputs are the same canonical public input; `maybe` where they differ in what some would normalise. */
export type Sameness = "same" | "different" | "maybe";

/** The rule that a change of this field breaks when it goes unnoticed. */
const CHANGE_RULES: Readonly<Record<string, string>> = {
  creator: "IDEMPOTENCY-9",
  mint: "IDEMPOTENCY-9",
  name: "IDEMPOTENCY-10",
  symbol: "IDEMPOTENCY-11",
  uri: "IDEMPOTENCY-12",
};

/** Takes the five values out of a body; undefined where a member is missing. */
export function launchInput(members: Readonly<Record<string, unknown>>): LaunchInput {
  let input = inputs.get(members);
  if (input === undefined) {
    input = Object.fromEntries(requestFields("build").names.map((name) => [name, members[name]]));
    inputs.set(members, input);
  }
  return input;
}

/** Of bodies that were read before. */
const inputs = new WeakMap<Readonly<Record<string, unknown>>, LaunchInput>();

/** A retry that is refused although nothing changed is blamed as one with another mint would be. */
const SAME = { sameness: "same", rule: "IDEMPOTENCY-9" } as const;

/** Compares two inputs, and names the rule of the first change. */
export function compareInputs(
  a: LaunchInput,
  b: LaunchInput,
): { readonly sameness: Sameness; readonly rule: string } {
  if (a === b) return SAME;
  const changed = requestFields("build").names.filter((field) => a[field] !== b[field]);
  if (changed.length === 0) return SAME;
  const rule = CHANGE_RULES[changed[0] ?? ""] ?? "";
  const alike = changed.every((field) => isAlike(field, a[field], b[field]));
  return { sameness: alike ? "maybe" : "different", rule };
}

/** Whether a canonical form may have both as one. */
function isAlike(field: string, a: unknown, b: unknown): boolean {
  if (typeof a !== "string" || typeof b !== "string") return false;
  return foldedText(field, a) === foldedText(field, b);
}
