import assert from "node:assert/strict";
import { test } from "node:test";
import { runCli } from "../testing/run-cli.ts";

for (const [words, message] of [
  [["--command", ""], "--command must not be empty\n"],
  [["run", "--command", " \t"], "--command must not be empty\n"],
  [["--module", ""], "--module must not be empty\n"],
  [["--url", "http://127.0.0.1:1", "--facts", ""], "--facts must not be empty\n"],
  [["--only", "platform/*", ""], "--only must not be empty\n"],
  [["--reporter", ""], "--reporter must not be empty\n"],
  [["--save-failures", ""], "--save-failures must not be empty\n"],
  [["merge", "a.json", ""], "merge: <files> must not be empty\n"],
  [["report", ""], "report: <file> must not be empty\n"],
  [["golden", ""], "golden: <dir> must not be empty\n"],
  [["--jobs", "0"], "--jobs must be a positive integer, got 0\n"],
] as const) {
  test(`${JSON.stringify(words)} is wrong usage`, async () => {
    assert.deepEqual(await runCli(words), { status: 2, stdout: "", stderr: message });
  });
}
