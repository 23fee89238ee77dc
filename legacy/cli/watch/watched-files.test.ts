import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryDirectory } from "../../testing/temporary-file.ts";
import { changedFiles, importedFiles, snapshotOf, watchedFiles } from "./watched-files.ts";

/** A folder with these files. */
function folderOf(context: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = temporaryDirectory(context);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Paths from a folder, sorted. */
function from(folder: string, files: Iterable<string>): readonly string[] {
  return [...files].map((file) => relative(folder, file)).sort();
}

test("a module is watched with all that it imports by relative paths, however it is written", (context) => {
  const cwd = folderOf(context, {
    "test/adapter.ts":
      'import { a } from "../src/a.js";\nexport * from "../src/b";\nimport "../src/gone.ts";',
    "src/a.ts": 'import data from "./data.json" with { type: "json" };\nconst c = await import("./c.mjs");',
    "src/b/index.ts":
      'import { readFileSync } from "node:fs";\nimport bs58 from "bs58";\nimport "../a.ts"; half {',
    "src/c.mjs": 'require("./d.cjs")',
    "src/d.cjs": "",
    "src/data.json": "{}",
    "src/other.ts": "",
  });
  assert.deepEqual(from(cwd, importedFiles(join(cwd, "test/adapter.ts"))), [
    "src/a.ts",
    "src/b/index.ts",
    "src/c.mjs",
    "src/d.cjs",
    "src/data.json",
    "test/adapter.ts",
  ]);
});

test("so is the code below its folder, but for packages, what a dot hides and what the run writes", (context) => {
  const cwd = folderOf(context, {
    "service.ts": 'import "./lib/a.ts";',
    "lib/a.ts": "",
    "lib/deep/b.mts": "",
    "store.json": "{}",
    "report.js": "",
    "node_modules/x/index.js": "",
    ".git/hook.js": "",
  });
  const { files, folders } = watchedFiles({ module: "./service.ts", globs: [], written: ["report.js"], cwd });
  assert.deepEqual(from(cwd, files), ["lib/a.ts", "lib/deep/b.mts", "service.ts"]);
  assert.deepEqual(from(cwd, folders), ["", "lib", "lib/deep"]);
});

test("globs name files of any kind, from the working directory", (context) => {
  const root = folderOf(context, {
    "app/adapter.py": "",
    "app/lib/a.py": "",
    "app/lib/a.txt": "",
    "shared/b.py": "",
    "app/target/debug/service": "",
  });
  const cwd = join(root, "app");
  const watched = (...globs: string[]) => from(root, watchedFiles({ globs, written: [], cwd }).files);
  assert.deepEqual(watched("**/*.py"), ["app/adapter.py", "app/lib/a.py"]);
  assert.deepEqual(watched("./lib/*.{py,txt}", "../shared/**"), [
    "app/lib/a.py",
    "app/lib/a.txt",
    "shared/b.py",
  ]);
  assert.deepEqual(watched("target/debug/service", "nowhere/*"), ["app/target/debug/service"]);
});

test("a file that changed, came or went is told", (context) => {
  const cwd = folderOf(context, { "a.ts": "", "b.ts": "", "c.ts": "" });
  const snapshot = () => snapshotOf(watchedFiles({ globs: ["*.ts"], written: [], cwd }).files);
  const before = snapshot();
  assert.deepEqual(changedFiles(before, snapshot()), []);
  writeFileSync(join(cwd, "b.ts"), "more");
  rmSync(join(cwd, "c.ts"));
  writeFileSync(join(cwd, "d.ts"), "");
  assert.deepEqual(from(cwd, changedFiles(before, snapshot())), ["b.ts", "c.ts", "d.ts"]);
});
