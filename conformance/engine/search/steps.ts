import type { Expectation, Fields, OperationStep, OperationVerb } from "../vectors/vector.ts";

/** Any answer will do for the step itself: the model is what judges. */
export const ANYTHING: Expectation = {
  accepted: [200, 400, 401, 404, 409, 413, 429].map((status) => ({ status, codes: [] })),
};

/** The steps of one request each that a property sends, named by their place: `step1`, `step2`. */
export function stepsOf(
  entries: readonly (readonly [verb: OperationVerb, fields: Fields])[],
): readonly OperationStep[] {
  return entries.map(([verb, fields], index) => ({
    kind: "operation",
    verb,
    fields,
    as: `step${index + 1}`,
    expect: ANYTHING,
    place: { file: "sequence", line: index + 1 },
    path: ["steps", index],
  }));
}
