import assert from "node:assert/strict";
import { test } from "node:test";
import { fileDrift } from "./differences.ts";

const made = new Map([
  ["index.json", '{"fixtures":[{"sha256":"1"},{"sha256":"2"}],"facts":{"x":1}}'],
  ["one.json", '{"steps":[{"nowMs":1},{"response":{"body":{"a":1,"b":[1,2]}}}]}'],
  ["two.json", '{"title":"two"}'],
]);

/** The lines about files as they are, but for some texts; undefined for a file that is not there. */
function drift(changed: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const entries = Object.entries({ ...Object.fromEntries(made), ...changed });
  const found = new Map(
    entries.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])),
  );
  return Object.fromEntries(fileDrift(found, made).map(({ file, line }) => [file, line]));
}

test("the same bytes are no drift", () => {
  assert.deepEqual(drift({}), {});
});

test("a value is told with its step and place, and how many more there are", () => {
  assert.deepEqual(
    drift({ "one.json": '{"steps":[{"nowMs":1},{"response":{"body":{"a":2,"b":[1,3,4]}}}]}' }),
    {
      "one.json": "step 2, response.body.a: was 2, is 1 (and 2 more)",
    },
  );
});

test("a step or member that is not there is absent", () => {
  assert.deepEqual(
    drift({ "one.json": '{"steps":[{"nowMs":1}]}', "two.json": '{"title":"two","more":null}' }),
    {
      "one.json": 'step 2: was absent, is {"response":{"body":{"a":1,"b":[1,2]}}}',
      "two.json": "more: was null, is absent",
    },
  );
});

test("other bytes for the same values, no JSON, a file too many and one missing are told apart", () => {
  const found = {
    "one.json": undefined,
    "two.json": '{"title": "two"}',
    "more.json": "{}",
    "zero.json": "{",
  };
  assert.deepEqual(drift(found), {
    "more.json": "no flow makes it any more",
    "one.json": "is missing",
    "two.json": "the same values, written otherwise",
    "zero.json": "no flow makes it any more",
  });
  assert.deepEqual(drift({ "two.json": "{" }), { "two.json": "is no JSON" });
});

test("the index is told of where it drifted by itself, and not for the digests of files that did", () => {
  const digest = '{"fixtures":[{"sha256":"1"},{"sha256":"x"}],"facts":{"x":1}}';
  assert.deepEqual(Object.keys(drift({ "index.json": digest, "two.json": "{}" })), ["two.json"]);
  assert.deepEqual(drift({ "index.json": digest }), {
    "index.json": 'fixtures.1.sha256: was "x", is "2"',
  });
  const facts = digest.replace('"x":1', '"x":2');
  assert.deepEqual(Object.keys(drift({ "index.json": facts, "two.json": "{}" })), ["index.json", "two.json"]);
});

test("what a file holds cannot break the line", () => {
  const [line = ""] = Object.values(
    drift({ "two.json": JSON.stringify({ title: "a\nb\u001b[2J\u202e".repeat(100) }) }),
  );
  assert.match(line, /^[ -~…]+$/);
  assert.ok(line.length < 320);
});
