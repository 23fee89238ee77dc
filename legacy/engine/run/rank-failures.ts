import type { Failure, Result } from "../play/result.ts";

/** One failure of one result. */
export interface Failed {
  readonly result: Result;
  readonly failure: Failure;
}

/**
 * Every failure, in the order in which they tell most: as the results stand, but for what was met on the way to something
 * else, which comes after what was asked for.
 */
export function rankFailures(results: readonly Result[]): readonly Failed[] {
  const all = results.flatMap((result) => result.failures.map((failure) => ({ result, failure })));
  const isAside = ({ failure }: Failed) => failure.aside === true;
  return [...all.filter((failed) => !isAside(failed)), ...all.filter(isAside)];
}
