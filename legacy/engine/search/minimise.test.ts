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

test("two that need each other go together", async () => {
  const fails = async (items: readonly string[]) =>
    items.includes("x") && items.includes("open") === items.includes("shut");
  assert.deepEqual(await minimise(["open", "a", "x", "b", "shut"], fails, () => []), ["x"]);
});

test("one goes that a simpler form of a later one does without", async () => {
  const fails = async (items: readonly number[]) => items.at(-1) === items.length - 1;
  assert.deepEqual(await minimise([7, 7, 7, 3], fails, smaller), [0]);
});

test("equal ones come to stand side by side where their order does not matter", async () => {
  const fails = async (items: readonly string[]) => [...items].sort().join("") === "aaab";
  assert.deepEqual(await minimise([..."aaba"], fails, () => []), [..."aaab"]);
});
