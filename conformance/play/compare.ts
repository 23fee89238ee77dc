import { isDeepStrictEqual } from "node:util";
import type { Exchange } from "../judge/exchange.ts";
import { type Mismatch, show } from "../judge/judgement.ts";
import type { Template } from "../vectors/model.ts";

/** Whether two JSON values are the same value; the order of members is none of it (RFC 8259, section 4). */
export function sameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b);
}

/** Every difference between an answer and what a vector says of its body, or an earlier answer that it must repeat. */
export function compareAnswer(
  { body }: Exchange,
  expected: readonly (readonly [path: string, value: Template])[],
  same: Exchange | undefined,
): readonly Omit<Mismatch, "rule">[] {
  const found = expected.flatMap(([path, value]) => {
    const got = path
      .split(".")
      .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], body);
    return sameJson(got, value) ? [] : [{ path, expected: show(value), got: show(got) }];
  });
  if (same === undefined) return found;
  const names = new Set([...Object.keys(same.body), ...Object.keys(body)]);
  const changed = [...names].filter((name) => !sameJson(same.body[name], body[name]));
  return [
    ...found,
    ...changed.map((name) => ({
      path: name,
      expected: `as before, ${show(same.body[name])}`,
      got: show(body[name]),
    })),
  ];
}
