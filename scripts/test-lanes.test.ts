import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../legacy/paths.ts";
import { temporaryDirectory, temporaryFile } from "../legacy/testing/temporary-file.ts";

interface Lanes {
  readonly SLOW: Readonly<Record<string, number>>;
  dealt(files: readonly string[], count: number, weightOf: (file: string) => number): readonly string[][];
  writeLanes(folder: string, lanes: readonly (readonly string[])[]): readonly string[];
}

const lanes: Lanes = await import(new URL("test-lanes.mjs", import.meta.url).href);

test("every file is in one lane, and no lane has much more to do than another", () => {
  const weights: Readonly<Record<string, number>> = { a: 2, b: 1, c: 7, d: 3, e: 2 };
  const weightOf = (file: string) => weights[file] ?? 0;
  assert.deepEqual(lanes.dealt(Object.keys(weights), 2, weightOf), [
    ["c", "b"],
    ["d", "a", "e"],
  ]);
  assert.deepEqual(lanes.dealt(["a", "b"], 3, weightOf), [["a"], ["b"]]);
});

test("every file that is known to be slow is there", () => {
  const named = Object.keys(lanes.SLOW);
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter((file) => !existsSync(join(PATHS.root, file))),
    [],
  );
});

test("a failure says in which file it is, and keeps no other file from being run", (context) => {
  const failing = temporaryFile(
    context,
    "failing.mjs",
    'import { test } from "node:test";\ntest("fails", () => { throw new Error("out of luck"); });\n',
  );
  const broken = temporaryFile(context, "broken.mjs", 'import "./nowhere.mjs";\n');
  const good = temporaryFile(
    context,
    "good.mjs",
    'import { test } from "node:test";\ntest("passes", () => {});\n',
  );
  const [lane = ""] = lanes.writeLanes(temporaryDirectory(context), [[failing, broken, good]]);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=tap", lane], {
    encoding: "utf8",
    env,
  });
  assert.equal(status, 1);
  assert.match(
    stdout,
    /^not ok 1 - fails\n {2}---\n {2}duration_ms: .*\n(?: {2}type: .*\n)? {2}location: '[^'\n]*\/failing\.mjs:2:1'$/m,
  );
  assert.ok(stdout.includes(`not ok 2 - ${broken} can be loaded\n`));
  assert.match(stdout, /^ok 3 - passes$/m);
  assert.match(stdout, /^# tests 3$/m);
});
