import assert from "node:assert/strict";
import { test } from "node:test";
import { Known } from "./ledger.ts";

test("what is old is forgotten, and of what is too much what came first", () => {
  const known = new Known<number>();
  for (const value of [1, 2, 3, 4]) known.set(`${value}`, value, 10 * value);
  known.forget(20);
  assert.deepEqual([known.get("1"), known.get("2")], [undefined, 2]);
  known.keep(2);
  assert.deepEqual([known.get("2"), known.get("3"), known.get("4")], [undefined, 3, 4]);
});
