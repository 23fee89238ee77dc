import assert from "node:assert/strict";
import { test } from "node:test";
import { cutText, errorText, escapeLine, escapeText, safeJson } from "./text.ts";

test("characters that could control a terminal become escapes", () => {
  const hostile = "a\u0000\u001b[31m\u009b2J\u202e\u2066\u200b\ufeff\u2028\r\n\t\ud800\uffff\ufdd0b é 😀";
  const escaped =
    "a\\u{0}\\u{1b}[31m\\u{9b}2J\\u{202e}\\u{2066}\\u{200b}\\u{feff}\\u{2028}\\r\\n\\t\\u{d800}\\u{ffff}\\u{fdd0}b é 😀";
  assert.equal(escapeText(hostile), escaped);
  assert.equal(escapeText(escaped), escaped);
});

test("truncation splits neither a character nor an escape sequence", () => {
  assert.equal(escapeText("x😀y", 2), "x…");
  assert.equal(escapeText("x😀y", 3), "x😀…");
  for (const escaped of ["a\\u{1b}b", "a\\u001bb", "a\\nb"])
    for (let length = 1; length < escaped.length; length++)
      assert.match(cutText(escaped, length), /^a(?:…|\\u\{1b\}…|\\u001b…|\\n…)$/);
});

test("an escaped line is not a workflow command", () => {
  for (const [line, escaped] of [
    ["::error::no", "\\::error::no"],
    ["  ::set-output name=x::y", "  \\::set-output name=x::y"],
    ["\u00a0::stop-commands::x", "\u00a0\\::stop-commands::x"],
    ["got ##[error]no", "got #\\#[error]no"],
    ["##vso[task.complete]", "#\\#vso[task.complete]"],
    ["a::b ## heading", "a::b ## heading"],
  ] as const) {
    assert.equal(escapeLine(line), escaped);
    assert.equal(escapeLine(escaped), escaped);
  }
});

test("safe JSON has the same value, and neither a workflow command nor a character that needs an escape", () => {
  const value = { "##[error]\u202e": ["##vso[x]", "\u2028\uffff\u{e0001}\u001b", "é 😀"] };
  const json = safeJson(value);
  assert.deepEqual(JSON.parse(json), value);
  assert.doesNotMatch(json, /##|[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Noncharacter_Code_Point}]/u);
  assert.match(json, /"é 😀"/);
});

test("every thrown value has an error text", () => {
  assert.equal(errorText(new Error("first\nsecond")), "first");
  assert.equal(errorText(new TypeError()), "TypeError");
  assert.equal(errorText(undefined), "undefined");
  assert.equal(errorText(Object.create(null)), "(a value that cannot be shown)");
});
