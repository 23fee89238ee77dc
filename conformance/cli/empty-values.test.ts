import assert from "node:assert/strict";
import { test } from "node:test";
import { runCli } from "../testing/run-cli.ts";

for (const [words, message] of [
  [["--command", ""], "--command: a value is wanted, not an empty text\n"],
  [["run", "--command", " \t"], "--command: a value is wanted, not an empty text\n"],
  [["--module", ""], "--module: a value is wanted, not an empty text\n"],
  [["--url", "http://127.0.0.1:1", "--facts", ""], "--facts: a value is wanted, not an empty text\n"],
  [["--only", "platform/*", ""], "--only: a value is wanted, not an empty text\n"],
  [["--reporter", ""], "--reporter: a value is wanted, not an empty text\n"],
  [["--save-failures", ""], "--save-failures: a value is wanted, not an empty text\n"],
  [["merge", "a.json", ""], "merge: a value is wanted for <files>, not an empty text\n"],
  [["report", ""], "report: a value is wanted for <file>, not an empty text\n"],
  [["golden", ""], "golden: a value is wanted for <dir>, not an empty text\n"],
  [
    ["--jobs", "0"],
    "error: option '--jobs <n>' argument '0' is invalid. a whole number from 1 on is wanted.\n(--help shows what there is)\n",
  ],
] as const) {
  test(`${JSON.stringify(words)} is wrong usage`, async () => {
    assert.deepEqual(await runCli(words), { status: 2, stdout: "", stderr: message });
  });
}
