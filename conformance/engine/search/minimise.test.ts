import assert from "node:assert/strict";
import { test } from "node:test";
import { minimise } from "./minimise.ts";

const smaller = (value: number) => (value > 0 ? [0, value - 1] : []);

test("what is not needed goes, and what is needed becomes small", async () => {
  const fails = async (items: readonly number[]) => items.filter((item) => item >= 3).length >= 2;
  assert.deepEqual(await minimise([9, 1, 0, 4, 2, 7, 7, 1], fails, smaller), [3, 3]);
});

test("the order of what is needed stays", async () => {
  const fails = async (items: readonly string[]) => /a.*b.*c/.test(items.join(""));
  assert.deepEqual(await minimise([..."xaxybyzzcx"], fails, () => []), ["a", "b", "c"]);
});
