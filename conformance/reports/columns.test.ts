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

test("what is wide in a terminal counts as that, and what has no width does not", () => {
  assert.deepEqual(
    columns([
      ["漢字", "x"],
      ["abc", "y"],
      ["\u001b[31me\u0301\u001b[39m", "z"],
    ]),
    ["漢字  x", "abc   y", "\u001b[31me\u0301\u001b[39m     z"],
  );
});
