import assert from "node:assert/strict";
import { test } from "node:test";
import { oneLine, shown, thrownLine } from "./one-line.ts";

test("control characters, line ends and text direction marks become spaces", () => {
  assert.equal(oneLine("a\r\nb\u001b[31mc\u202ed\u2028e\ud800"), "a b [31mc d e");
});

test("a text past the limit is cut, without half a character at the end", () => {
  assert.equal(oneLine("abcdef", 4), "abc…");
  assert.equal(oneLine("ab\u{1f600}def", 4), "ab…");
  assert.equal(oneLine("x".repeat(10_000_000), 5), "xxxx…");
});

test("whatever is thrown gives a line", () => {
  assert.equal(thrownLine(new TypeError("bad\nthing")), "bad thing");
  assert.equal(thrownLine(new RangeError("")), "RangeError");
  assert.equal(thrownLine(Object.assign(new AggregateError([]), { code: "ECONNREFUSED" })), "ECONNREFUSED");
  assert.equal(thrownLine("text"), "text");
  assert.equal(thrownLine(undefined), "undefined");
  assert.equal(thrownLine(""), "(no message)");
  assert.equal(thrownLine(Object.create(null)), "(a value that cannot be shown)");
});

test("a value is shown as JSON where it has one", () => {
  assert.equal(shown({ a: "b" }), '{"a":"b"}');
  assert.equal(shown(undefined), "undefined");
  assert.equal(shown(1n), "(a bigint that cannot be shown)");
});
