import assert from "node:assert/strict";
import { test } from "node:test";
import { columns, hanging, someOf } from "./text-layout.ts";

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

const room = (width: number, verbose = false) => ({ width, indent: 4, verbose });

test("as many names are told as fit on a line, one at least, and the rest is counted", () => {
  const names = ["a/one", "a/two", "a/three", "a/four"];
  assert.equal(someOf(names, room(80)), "a/one, a/two, a/three and 1 more");
  assert.equal(someOf(names, room(30)), "a/one, a/two and 2 more");
  assert.equal(someOf(names, room(5)), "a/one and 3 more");
  assert.equal(someOf(names.slice(0, 2), room(80)), "a/one, a/two");
});

test("of names with different stems, each stem's first is told before any other", () => {
  assert.equal(someOf(["a/1", "a/2", "a/3", "b/1", "c/1"], room(80)), "a/1, b/1, c/1 and 2 more");
});

test("where all are wanted, all are told, wrapped below each other", () => {
  assert.equal(someOf(["a/one", "a/two", "a/three"], room(24, true)), "a/one, a/two,\n    a/three");
  assert.equal(hanging("some words that are wrapped", 24, 4), "some words that are\n    wrapped");
});
