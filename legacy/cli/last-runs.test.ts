import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { cacheFolder, LastRuns } from "./last-run.ts";

const RUN = { seed: 3, runs: 60, failed: ["platform/constants/whole-second"] };

test("runs are kept beside the installed packages, or in the user's cache", (context) => {
  const cwd = temporaryDirectory(context);
  const name = "launch-draft-conformance";
  assert.equal(cacheFolder({}, cwd), join(homedir(), ".cache", name));
  assert.equal(cacheFolder({ XDG_CACHE_HOME: "/cache" }, cwd), join("/cache", name));
  mkdirSync(join(cwd, "node_modules"));
  assert.equal(cacheFolder({ XDG_CACHE_HOME: "/cache" }, cwd), join(cwd, "node_modules/.cache", name));
  assert.equal(cacheFolder({ LAUNCH_DRAFT_CACHE: "/own" }, cwd), "/own");
});

test("each implementation has its own, in each folder", (context) => {
  const cwd = temporaryDirectory(context);
  const environment = { XDG_CACHE_HOME: join(cwd, "cache") };
  const runs = new LastRuns({ environment, cwd });
  assert.equal(runs.read(["--module", "./a.ts"]), undefined);
  runs.write(["--module", "./a.ts"], RUN);
  assert.deepEqual(runs.read(["--module", "./a.ts"]), RUN);
  assert.equal(runs.read(["--module", "./b.ts"]), undefined);
  assert.equal(new LastRuns({ environment, cwd: "/elsewhere" }).read(["--module", "./a.ts"]), undefined);
});

test("in CI nothing is written unless the folder is named", (context) => {
  const cwd = temporaryDirectory(context);
  const cache = join(cwd, "cache");
  new LastRuns({ environment: { CI: "true", XDG_CACHE_HOME: cache }, cwd }).write([], RUN);
  assert.equal(existsSync(cache), false);
  const asked = new LastRuns({ environment: { CI: "true", LAUNCH_DRAFT_CACHE: cache }, cwd });
  asked.write([], RUN);
  assert.deepEqual(asked.read([]), RUN);
});

test("a file that somebody spoilt is as good as none, and a folder that takes none keeps no run from ending", (context) => {
  const cwd = temporaryDirectory(context);
  const own = join(cwd, "own");
  const runs = new LastRuns({ environment: { LAUNCH_DRAFT_CACHE: own }, cwd });
  runs.write([], RUN);
  const [name = ""] = readdirSync(join(own, "last-run"));
  for (const text of ["{", "[]", '{"seed":1,"runs":2,"failed":[3]}', '{"seed":-1,"runs":2,"failed":[]}']) {
    writeFileSync(join(own, "last-run", name), text);
    assert.equal(runs.read([]), undefined);
  }
  const file = join(cwd, "file");
  writeFileSync(file, "");
  const nowhere = new LastRuns({ environment: { LAUNCH_DRAFT_CACHE: file }, cwd });
  nowhere.write([], RUN);
  assert.equal(nowhere.read([]), undefined);
});

test("of many runs the oldest are forgotten", (context) => {
  const cwd = temporaryDirectory(context);
  const runs = new LastRuns({ environment: { LAUNCH_DRAFT_CACHE: cwd }, cwd });
  const folder = join(cwd, "last-run");
  runs.write(["first"], RUN);
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1);
  for (let index = 1; index < 100; index += 1) writeFileSync(join(folder, `${index}.json`), "{}");
  assert.deepEqual(runs.read(["first"]), RUN);
  runs.write(["last"], RUN);
  assert.equal(runs.read(["first"]), undefined);
  assert.deepEqual(runs.read(["last"]), RUN);
  assert.equal(readdirSync(folder).length, 100);
});
