import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { writeTextFile } from "./write-file.ts";

const root = mkdtempSync(join(tmpdir(), "write-file-"));
after(() => rmSync(root, { recursive: true }));
const outside = join(root, "outside");
mkdirSync(outside);
let folders = 0;

/** Returns a new folder, for which a link leads to each given target. */
function folderWith(links: Readonly<Record<string, string>>): string {
  const folder = join(root, `folder-${++folders}`);
  mkdirSync(folder);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
  return folder;
}

test("creates folders, replaces the text of a file, and follows a link within the folder", () => {
  const folder = folderWith({ "latest.txt": "own.txt" });
  writeTextFile(join(folder, "a/b/c.txt"), "new", { folder });
  assert.equal(readFileSync(join(folder, "a/b/c.txt"), "utf8"), "new");
  writeFileSync(join(folder, "own.txt"), "a long text");
  writeTextFile(join(folder, "latest.txt"), "short");
  assert.equal(readFileSync(join(folder, "own.txt"), "utf8"), "short");
});

for (const [what, links, path] of [
  ["to an existing file", { "a.txt": join(outside, "existing") }, "a.txt"],
  ["to a missing file", { "a.txt": join(outside, "missing") }, "a.txt"],
  ["to a folder", { sub: outside }, "sub/new.txt"],
  ["to a missing folder", { sub: join(outside, "none") }, "sub/deep/new.txt"],
  ["with a relative target", { "a.txt": "../outside/missing" }, "a.txt"],
  ["to a device", { "a.txt": "/dev/null" }, "a.txt"],
] as const)
  test(`a link out of the folder is not followed: ${what}`, () => {
    const [existing, folder] = [join(outside, "existing"), folderWith(links)];
    writeFileSync(existing, "untouched");
    const message = new RegExp(`^${folder}/${path}: \\S+ is a link out of the folder; remove the link$`);
    const error = { name: "DataError", message };
    assert.throws(() => writeTextFile(join(folder, path), "text", { folder }), error);
    assert.equal(readFileSync(existing, "utf8"), "untouched");
    for (const name of ["missing", "none", "new.txt"]) assert.equal(existsSync(join(outside, name)), false);
  });

test("a pipe in a folder is not opened for writing, whether or not something reads it", () => {
  const folder = folderWith({});
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  assert.throws(() => writeTextFile(pipe, "text", { folder }), /pipe: cannot be written \(ENXIO\)$/);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  assert.throws(() => writeTextFile(pipe, "text", { folder }), /pipe: is not a regular file; remove it$/);
  closeSync(reader);
});

test("a file that must be new, and a device that is full, are errors", () => {
  const file = join(folderWith({}), "file.txt");
  writeTextFile(file, "first", { isNew: true });
  const error = (message: string) => ({ name: "DataError", message });
  const existing = error(`${file}: cannot be written (EEXIST)`);
  assert.throws(() => writeTextFile(file, "second", { isNew: true }), existing);
  assert.throws(() => writeTextFile("/dev/full", "text"), error("/dev/full: cannot be written (ENOSPC)"));
  assert.throws(() => writeTextFile(`${file}/below`, "text"), /file\.txt\/below: cannot be written \(E/);
});
