import assert from "node:assert/strict";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryDirectory } from "../../testing/temporary-file.ts";
import { Saves, watchedFiles } from "./watched-files.ts";

/** What never happens must not be waited for for ever. */
const HANGS = { timeout: 120_000 };

/** A folder that is watched; `saved` waits for the next files that are told, `look` is the look now and then. */
function watching(context: TestContext, list?: () => ReturnType<typeof watchedFiles>) {
  const cwd = temporaryDirectory(context);
  writeFileSync(join(cwd, "a.ts"), "");
  const told: string[][] = [];
  let wake = () => {};
  let look = () => {};
  let looks = false;
  const saves = new Saves(list ?? (() => watchedFiles({ module: "a.ts", globs: [], written: [], cwd })), {
    time: { sleep: async () => undefined },
    every: (_, tick) => {
      [look, looks] = [tick, true];
      return () => {
        looks = false;
      };
    },
    onSave: (files) => {
      told.push(files.map((file) => basename(file)));
      wake();
    },
  });
  context.after(() => saves.end());
  const saved = async () => {
    while (told.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return told.shift();
  };
  return { cwd, saves, saved, look: () => look(), looks: () => looks };
}

test(
  "a save is seen, one by a file that takes the place of another, and one in a folder that is new",
  HANGS,
  async (context) => {
    const { cwd, saves, saved } = watching(context);
    assert.equal(saves.count, 1);
    writeFileSync(join(cwd, "a.ts"), "1");
    assert.deepEqual(await saved(), ["a.ts"]);
    writeFileSync(join(cwd, "a.tmp"), "longer");
    renameSync(join(cwd, "a.tmp"), join(cwd, "a.ts"));
    assert.deepEqual(await saved(), ["a.ts"]);
    mkdirSync(join(cwd, "new"));
    writeFileSync(join(cwd, "new/b.ts"), "");
    assert.deepEqual(await saved(), ["b.ts"]);
    writeFileSync(join(cwd, "new/b.ts"), "1");
    assert.deepEqual(await saved(), ["b.ts"]);
  },
);

test("where the system tells nothing, a look now and then sees it", HANGS, async (context) => {
  const folder = temporaryDirectory(context);
  const file = join(folder, "a.ts");
  writeFileSync(file, "");
  const { saves, saved, look, looks } = watching(context, () => ({
    files: new Set([file]),
    folders: new Set(),
  }));
  look();
  writeFileSync(file, "1");
  look();
  assert.deepEqual(await saved(), ["a.ts"]);
  saves.end();
  assert.equal(looks(), false);
});
