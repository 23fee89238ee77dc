import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFile } from "../../testing/temporary-file.ts";
import { displayPath, parseYaml, readYaml } from "./yaml-source.ts";

const TEXT = "first:\n  - a\n  - b: 1\n    c: 2\n";

test("every value and every key has a line and a column", () => {
  const source = parseYaml(TEXT, "file.yaml");
  assert.deepEqual(source.value, { first: ["a", { b: 1, c: 2 }] });
  assert.deepEqual(source.position(["first", 1, "c"]), { line: 4, column: 8 });
  assert.deepEqual(source.keyPosition(["first", 1, "c"]), { line: 4, column: 5 });
  assert.deepEqual(source.keyPosition(["first", 0]), { line: 2, column: 5 });
});

test("a quoted text begins at its quote, a block at its indicator, an empty value at its key", () => {
  const source = parseYaml("a:\n  - 'x'\n  - \"y\"\nb: |\n  text\nc:\nd: &n [1]\ne: *n\n", "file.yaml");
  assert.deepEqual(source.value, { a: ["x", "y"], b: "text\n", c: null, d: [1], e: [1] });
  assert.deepEqual(source.position(["a", 0]), { line: 2, column: 5 });
  assert.deepEqual(source.position(["a", 1]), { line: 3, column: 5 });
  assert.equal(source.position(["b"]).line, 4);
  assert.deepEqual(source.position(["c"]), { line: 6, column: 1 });
  assert.deepEqual(source.position(["d", 0]), { line: 7, column: 8 });
  assert.deepEqual(source.position(["e", 0]), { line: 8, column: 4 });
});

test("a file holds one document", () => {
  assert.equal(parseYaml("\n", "file.yaml").value, null);
  assert.throws(() => parseYaml("a: 1\n---\nb: 2\n", "file.yaml"), {
    name: "DataError",
    message: "file.yaml: holds more than one YAML document",
  });
});

test("a place that does not exist is that of the nearest value above it", () => {
  const source = parseYaml(TEXT, "file.yaml");
  assert.equal(source.error(["first", 1, "zzz"], "odd").message, "file.yaml:3:5: odd");
  assert.equal(source.error(["first", 9, "zzz", 4], "odd").message, "file.yaml:2:3: odd");
  assert.equal(source.error(["nothing"], "odd").message, "file.yaml:1:1: odd");
});

for (const [what, text, message] of [
  ["no YAML", "a: [1", "file.yaml:1:6: unexpected end of the stream within a flow collection"],
  ["a key given twice", "a: 1\nb: 2\na: 3\n", "file.yaml:3:1: duplicated mapping key"],
  ["a tag that nobody knows", "a: !thing 1\n", "file.yaml:1:4: unknown scalar tag !<!thing>"],
  ["an anchor that is not there", "a: *b\n", 'file.yaml:1:5: unidentified alias "b"'],
  [
    "more aliases than any honest file has",
    `a: &a [x]\nb: &b [${"*a, ".repeat(20)}]\nc: [${"*b, ".repeat(20)}]\n`,
    "file.yaml:3:54: aliases exceeded maxAliases (32)",
  ],
] as const) {
  test(`${what} is one line with its place`, () => {
    assert.throws(() => parseYaml(text, "file.yaml"), { name: "DataError", message });
  });
}

test("a file that cannot be read is one line", () => {
  assert.throws(() => readYaml("/no/such/file.yaml"), {
    name: "DataError",
    message: "/no/such/file.yaml: cannot be read (ENOENT)",
  });
});

test("files are named as people would: below the working directory by a relative path", (context) => {
  assert.equal(displayPath(`${process.cwd()}/vectors/x.yaml`), "vectors/x.yaml");
  const elsewhere = temporaryFile(context, "x.yaml", "a: 1");
  assert.equal(readYaml(elsewhere).file, elsewhere);
});
