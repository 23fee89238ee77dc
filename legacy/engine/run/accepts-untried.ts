import type { Result } from "../play/result.ts";

/** Of all results, those that name a rule, by the ids that a report has of them. */
export function namingIn(
  results: readonly Result[],
): (rule: { readonly results: readonly string[] }) => readonly Result[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  return ({ results: ids }) => ids.flatMap((id) => byId.get(id) ?? []);
}

/** Of the results that name a rule, what says why it was not tried. */
export type Naming = Pick<Result, "outcome" | "lacks">;

/**
 * Whether the user accepts that a rule was not tried: by its id, or by the names of all capabilities for want of which it
 * was not. A rule that was left out for any other reason besides is not accepted with them.
 * @param accepted ids of rules, and names of capabilities (`capability:restart`)
 * @param naming the results that name the rule
 */
export function acceptsUntried(
  accepted: ReadonlySet<string>,
  rule: string,
  naming: readonly Naming[],
): boolean {
  if (accepted.has(rule)) return true;
  const lacking = lackedBy(naming);
  return lacking?.every((name) => accepted.has(name)) ?? false;
}

/**
 * All that an implementation lacks for a rule, in alphabetical order, where that alone kept it from being tried. What lacks
 * more than another that tries the rule adds nothing: with less, the rule would be tried.
 */
export function lackedBy(naming: readonly Naming[]): readonly string[] | undefined {
  const wants = naming.map(({ outcome, lacks = [] }) => (outcome === "skipped" ? lacks : []));
  if (wants.length === 0 || wants.some((lacks) => lacks.length === 0)) return undefined;
  const least = wants.filter(
    (lacks) =>
      !wants.some((other) => other.length < lacks.length && other.every((name) => lacks.includes(name))),
  );
  return [...new Set(least.flat())].sort();
}
