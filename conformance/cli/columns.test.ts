import assert from "node:assert/strict";
import { test } from "node:test";
import { columns } from "./columns.ts";

test("columns are as wide as their longest text, and no line ends in spaces", () => {
  assert.deepEqual(
    columns(
      [
        ["a", "bb", "c"],
        ["aaa", "b", ""],
      ],
      2,
    ),
    ["  a    bb  c", "  aaa  b"],
  );
});

test("rows of other lengths stand beside each other, and no rows make no lines", () => {
  assert.deepEqual(columns([["alone"], ["a", "b"]]), ["alone", "a      b"]);
  assert.deepEqual(columns([]), []);
});
