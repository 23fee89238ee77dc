import assert from "node:assert/strict";
import { test } from "node:test";
import { contract, schemas } from "../../testing/contract-data.ts";
import { CONTEXT, exchangeOf, GOOD, judged } from "../../testing/exchanges.ts";
import { judgeExchange } from "./judge.ts";

/** What no honest service answers, and what must neither stop the judge nor please it. */
const HOSTILE: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  "a number out of range": Number.POSITIVE_INFINITY,
  "a fraction": 0.5,
  "a negative number": -1,
  "an empty text": "",
  "a great many digits": "9".repeat(100_000),
  "a great many colons": "12:".repeat(33_333),
  "half a surrogate pair": "\ud800",
  "an empty list": [],
  "an empty object": {},
  "an object that is no text and no number": { toString: 1, valueOf: 1, toJSON: 1 },
  "a list of such objects": [
    { toString: 1, valueOf: 1 },
    { join: 1, toString: 1 },
  ],
  "an object with members of every object": JSON.parse('{"__proto__":1,"constructor":2,"hasOwnProperty":3}'),
};

/** Every place of a JSON value, each as a path from the root. */
function places(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, member]) => places(member, [...path, key]))];
}

/** A copy of the value with another one at the place. */
function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy: Record<string, unknown> = Array.isArray(value)
    ? ([...value] as never)
    : { ...(value as object) };
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

for (const [operation, good] of Object.entries(GOOD)) {
  for (const [what, value] of Object.entries(HOSTILE)) {
    test(`${what} anywhere in an answer to ${operation} is judged`, () => {
      for (const place of places(good.envelope)) {
        const exchange = exchangeOf(good.request, replaced(good.envelope, place, value));
        const { mismatches, observations } = judged(exchange);
        for (const { rule, expected, got } of mismatches) {
          assert.ok(contract.rules.has(rule), `${place.join(".")} breaks the unknown rule ${rule}`);
          assert.ok(expected.length + got.length < 1_500, `${place.join(".")} is told at length`);
        }
        for (const { point, reading } of observations) {
          const known = contract.points.get(point)?.readings.map(({ id }) => id) ?? [];
          assert.ok(known.includes(reading), `${point} has no reading ${reading}`);
        }
      }
    });
  }
}

test("a hostile profile does not stop the judging of what follows", () => {
  for (const value of Object.values(HOSTILE)) {
    const fields = Object.fromEntries(Object.keys(GOOD.platform.body).map((field) => [field, value]));
    for (const good of Object.values(GOOD)) {
      assert.doesNotThrow(() => judgeExchange(good, schemas, { ...CONTEXT, profile: fields }));
    }
  }
});

test("an answer nested deeper than anybody reads is judged", () => {
  let deep: unknown = [];
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  for (const good of Object.values(GOOD)) {
    for (const place of places(good.envelope)) {
      const { mismatches } = judged(exchangeOf(good.request, replaced(good.envelope, place, deep)));
      assert.notDeepEqual(mismatches, []);
    }
  }
});
