import assert from "node:assert/strict";
import { test } from "node:test";
import { startOf } from "./start-of.ts";

test("the beginning of a text keeps every unit, halves of pairs too", () => {
  assert.equal(startOf("abc", 2), "ab");
  assert.equal(startOf("abc", 9), "abc");
  assert.equal(startOf("\u{1f600}x", 1), "\ud83d");
});
