import { DataError } from "../data/data-error.ts";
import type { Vector } from "../vectors/model.ts";
import { select } from "./plan.ts";

/**
 * The vectors that globs over ids choose; none chooses all.
 * @throws {DataError} where one matches nothing: a run that looks at nothing must not look like a pass
 */
export function choose(vectors: readonly Vector[], only: readonly string[]): readonly Vector[] {
  const { chosen, unmatched } = select(vectors, only);
  if (unmatched.length > 0 || chosen.length === 0) {
    throw new DataError(
      "--only",
      `${unmatched.join(", ") || "the selection"} matches no vector; \`list\` shows their ids`,
    );
  }
  return chosen;
}
