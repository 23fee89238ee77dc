import type { Operations } from "../contract.ts";
import type { Template } from "../vectors/vector.ts";
import type { Exchange } from "./exchange.ts";
import { type Mismatch, show } from "./judgement.ts";

/** Whether two JSON values are the same value; the order of members is none of it (RFC 8259, section 4). */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  const [one, other] = [a as JsonObject, b as JsonObject];
  for (const name of names) {
    if (!Object.hasOwn(b, name) || !sameJson(one[name], other[name])) return false;
  }
  return true;
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Every difference between an answer and what a vector says of its body, or an earlier answer that it must repeat: in
 * the members that the contract names, for whether there are others is open, and so is what they hold.
 */
export function compareAnswer(
  { operation, status, body }: Exchange,
  expected: readonly (readonly [path: string, value: Template])[],
  same: Exchange | undefined,
  operations: Pick<Operations, "named">,
): readonly Omit<Mismatch, "rule">[] {
  const found = expected.flatMap(([path, value]) => {
    const got = path
      .split(".")
      .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], body);
    return sameJson(got, value) ? [] : [{ path, expected: show(value), got: show(got) }];
  });
  if (same === undefined || sameJson(same.body, body)) return found;
  const held = (one: Exchange["body"]) => (status === 200 ? operations.named(operation, one) : one);
  return [...found, ...changedMembers(held(same.body), held(body))];
}

/** The members of an answer that are not as they were. */
export function changedMembers(
  before: Exchange["body"],
  after: Exchange["body"],
): readonly Omit<Mismatch, "rule">[] {
  if (sameJson(before, after)) return [];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !sameJson(before[name], after[name]))
    .map((path) => ({ path, expected: `as before, ${show(before[path])}`, got: show(after[path]) }));
}
