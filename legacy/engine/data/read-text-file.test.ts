import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory, temporaryFile } from "../../testing/temporary-file.ts";
import { MIB, readTextFile } from "./read-text-file.ts";

const refusal = (path: string, most = MIB) => {
  try {
    readTextFile(path, "it", most);
  } catch (error) {
    assert.equal((error as Error).name, "DataError");
    return (error as Error).message;
  }
  return "no refusal";
};

test("a regular file is read whole, one of exactly the most bytes and an empty one too", (context) => {
  const text = "é".repeat(100_000);
  const file = temporaryFile(context, "a.txt", text);
  assert.equal(readTextFile(file, file, 200_000), text);
  assert.match(refusal(file, 199_999), /^it: is larger than the 0\.19\d* MiB that such a file may have$/);
  assert.equal(readTextFile(temporaryFile(context, "empty", ""), "it", 0), "");
});

test("a file that states no size is read", () => {
  assert.match(readTextFile("/proc/self/status", "it", MIB), /^Name:/);
});

test("what is no regular file is one line at once: devices, pipes, folders", (context) => {
  const pipe = join(temporaryDirectory(context), "pipe");
  execFileSync("mkfifo", [pipe]);
  assert.equal(refusal(pipe), "it: is a pipe, not a regular file");
  assert.equal(refusal("/dev/zero"), "it: is a device, not a regular file");
  assert.equal(refusal("/dev"), "it: is a folder, not a regular file");
  assert.equal(refusal("/nowhere/at/all"), "it: cannot be read (ENOENT)");
});

test("a file that is too large is not read at all", (context) => {
  const file = temporaryFile(context, "large", "");
  truncateSync(file, 2 ** 40);
  assert.equal(refusal(file), "it: is larger than the 1 MiB that such a file may have");
});
