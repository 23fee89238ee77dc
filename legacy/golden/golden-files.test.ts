import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { DataError } from "../engine/data/data-error.ts";
import { PATHS } from "../paths.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { readGolden } from "./golden-files.ts";

/** What reading says of the kit's fixtures once a text in one file is another; the name of the folder left out. */
function complaint(context: TestContext, name: string, change: (text: string) => string): string {
  const folder = temporaryDirectory(context);
  for (const file of readdirSync(PATHS.golden)) {
    const text = readFileSync(join(PATHS.golden, file), "utf8");
    writeFileSync(join(folder, file), file === name ? change(text) : text);
  }
  try {
    readGolden(folder);
  } catch (error) {
    assert.ok(error instanceof DataError, String(error));
    return error.message.replace(`${folder}/`, "");
  }
  assert.fail("it was read");
}

const replaced = (from: string, to: string) => (text: string) => {
  assert.ok(text.includes(from), from);
  return text.replace(from, () => to);
};

test("what is no fixture is one line with the file and the place in it", (context) => {
  const happy = (from: string, to: string) => complaint(context, "happy-path.json", replaced(from, to));
  assert.match(happy("{", ""), /^happy-path\.json: no JSON \(.*\)$/);
  assert.match(
    happy('"kind": "exchange"', '"kind": "exhcange"'),
    /^happy-path\.json: no golden file: steps\.0/,
  );
  assert.match(happy('"nowMs"', '"now"'), /^happy-path\.json: no golden file: steps\.0/);
  assert.match(happy('"varies": "run"', '"varies": "never"'), /matchers\.0\.varies: /);
  assert.match(
    happy('"name": "happy-path"', '"name": "other"'),
    /: it is named other, and in the index happy-path$/,
  );
  assert.match(
    happy('"^[a-f0-9]{48}$"', '"("'),
    /^happy-path\.json: step 2, matcher of \/id: Invalid regular expression: .*$/,
  );
});

test("an index can name no file outside of its folder", (context) => {
  const change = replaced('"file": "retry.json"', '"file": "../retry.json"');
  assert.match(
    complaint(context, "index.json", change),
    /^index\.json: no golden file: fixtures\.\d+\.file: /,
  );
});

test("a missing file, another contract and text of another kind are told", (context) => {
  const missing = replaced('"file": "retry.json"', '"file": "retried.json"');
  assert.equal(complaint(context, "index.json", missing), "retried.json: cannot be read (ENOENT)");
  const other = replaced('"contract": "partner-preview-1"', '"contract": "partner-preview-2"');
  assert.match(complaint(context, "index.json", other), /^index\.json: no golden file: contract/);
  assert.match(
    complaint(context, "index.json", () => "[\u001b[2J\n]"),
    /^index\.json: no JSON [ -~]+$/,
  );
});
