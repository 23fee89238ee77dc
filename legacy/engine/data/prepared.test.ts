import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { temporaryDirectory } from "../../testing/temporary-file.ts";
import { digestOf, PREPARED_LIST, Prepared, type PreparedEntry } from "./prepared.ts";

/** A folder in which a value was prepared of two files. */
function preparedOf(context: TestContext) {
  const root = temporaryDirectory(context);
  const folder = join(root, "prepared");
  mkdirSync(folder);
  const files = ["one.yaml", "other.yaml"].map((name) => join(root, name));
  for (const file of files) writeFileSync(file, "a: 1\n");
  writeFileSync(join(folder, "value.json"), '{"a":1}');
  const entry: PreparedEntry = {
    file: "value.json",
    digest: digestOf('{"a":1}'),
    of: { "../one.yaml": digestOf("a: 1\n"), "../other.yaml": digestOf("a: 1\n") },
  };
  writeFileSync(join(folder, PREPARED_LIST), JSON.stringify({ thing: entry }));
  const value = (name = "thing", of = files) => new Prepared(folder).value(name, of);
  return { folder, files: files as [string, string], value };
}

test("what was prepared is given as long as its files are what they were", (context) => {
  const { files, value } = preparedOf(context);
  assert.deepEqual(value(), { a: 1 });
  writeFileSync(files[1], "a: 2\n");
  assert.equal(value(), undefined);
  writeFileSync(files[1], "a: 1\n");
  assert.deepEqual(value(), { a: 1 });
  rmSync(files[1]);
  assert.equal(value(), undefined);
});

test("what was made of fewer files, of more or of others does not count", (context) => {
  const { files, value } = preparedOf(context);
  const [one, other] = files;
  assert.equal(value("thing", [one]), undefined);
  assert.equal(value("thing", [one, other, one]), undefined);
  assert.equal(value("thing", [one, `${other}.bak`]), undefined);
  assert.equal(value("another thing"), undefined);
  assert.equal(value("toString"), undefined);
});

test("what is not whole does not count", (context) => {
  const { folder, value } = preparedOf(context);
  writeFileSync(join(folder, "value.json"), '{"a":');
  assert.equal(value(), undefined);
  rmSync(join(folder, "value.json"));
  assert.equal(value(), undefined);
  for (const list of ["", "[", "null", '{"thing":null}', '{"thing":{"file":"value.json"}}']) {
    writeFileSync(join(folder, PREPARED_LIST), list);
    assert.equal(value(), undefined, list);
  }
  rmSync(folder, { recursive: true });
  assert.equal(value(), undefined);
});

test("what a package has counts by itself, compressed, and no less than whole", (context) => {
  const folder = temporaryDirectory(context);
  const bytes = brotliCompressSync('{"a":1}');
  writeFileSync(join(folder, "value.json.br"), bytes);
  const list = { value: { file: "value.json.br", digest: digestOf(bytes) } };
  writeFileSync(join(folder, PREPARED_LIST), JSON.stringify(list));
  const never = () => assert.fail("nobody looks for files that a package does not hold");
  assert.deepEqual(new Prepared(folder).value("value", never), { a: 1 });
  writeFileSync(join(folder, "value.json.br"), bytes.subarray(1));
  assert.equal(new Prepared(folder).value("value", never), undefined);
});
