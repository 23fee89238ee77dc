import { DataError } from "../data/data-error.ts";
import { select } from "./plan.ts";

/** What a run looks at. */
export interface Chosen<Item> {
  readonly vectors: readonly Item[];
  /** Ids of properties. */
  readonly properties: ReadonlySet<string>;
}

/**
 * The vectors and properties that globs over ids choose; none chooses all.
 * @throws {DataError} where one matches nothing: a run that looks at nothing must not look like a pass
 */
export function choose<Item extends { readonly id: string }>(
  vectors: readonly Item[],
  properties: readonly string[],
  only: readonly string[],
): Chosen<Item> {
  const { chosen, unmatched } = select<{ readonly id: string }>(
    [...vectors, ...properties.map((id) => ({ id }))],
    only,
  );
  if (unmatched.length > 0 || chosen.length === 0) {
    throw new DataError(
      "--only",
      `${unmatched.join(", ") || "the selection"} matches no vector and no property; \`list\` shows their ids`,
    );
  }
  const ids = new Set(chosen.map(({ id }) => id));
  return {
    vectors: vectors.filter(({ id }) => ids.has(id)),
    properties: new Set(properties.filter((id) => ids.has(id))),
  };
}
