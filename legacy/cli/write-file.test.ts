import assert from "node:assert/strict";
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { writeWhole } from "./write-file.ts";

test("a file is made, and nothing beside it", (context) => {
  const directory = temporaryDirectory(context);
  writeWhole(join(directory, "a.json"), "{}");
  assert.deepEqual(
    [readdirSync(directory), readFileSync(join(directory, "a.json"), "utf8")],
    [["a.json"], "{}"],
  );
});

test("a file that stood there is replaced, with its rights; a link stays one", (context) => {
  const directory = temporaryDirectory(context);
  const [file, link] = [join(directory, "a.json"), join(directory, "latest.json")];
  writeFileSync(file, "old");
  chmodSync(file, 0o640);
  symlinkSync("a.json", link);
  writeWhole(link, "new");
  assert.equal(readFileSync(file, "utf8"), "new");
  assert.equal(statSync(file).mode & 0o777, 0o640);
  assert.equal(lstatSync(link).isSymbolicLink(), true);
  assert.deepEqual(readdirSync(directory).sort(), ["a.json", "latest.json"]);
});

test("a device is written to, and stays one", () => {
  assert.throws(() => writeWhole("/dev/full", "{}"), { code: "ENOSPC" });
  assert.equal(statSync("/dev/full").isCharacterDevice(), true);
  writeWhole("/dev/null", "{}");
});

test("what cannot be written leaves nothing behind", (context) => {
  const directory = temporaryDirectory(context);
  assert.throws(() => writeWhole(directory, "{}"), { code: "EISDIR" });
  assert.throws(() => writeWhole(join(directory, "no/such/a.json"), "{}"), { code: "ENOENT" });
  assert.throws(() => writeWhole(join(directory, `${"x".repeat(250)}.json`), "{}"), { code: "ENAMETOOLONG" });
  assert.deepEqual(readdirSync(directory), []);
});
