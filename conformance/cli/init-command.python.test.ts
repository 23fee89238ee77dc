import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { runCli } from "../testing/run-cli.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";

test("the Python skeleton runs red at once", async (context) => {
  const directory = temporaryDirectory(context);
  assert.equal((await runCli(["init", "--language", "python", directory])).status, 0);
  const command = `/usr/bin/python3 ${join(directory, "skeleton.py")}`;
  const { status, stdout, stderr } = await runCli([
    "run",
    "--command",
    command,
    "--only",
    "platform/*",
    "--bail",
  ]);
  assert.equal(status, 1, stderr);
  assert.match(stdout, /^FAILED {2}platform\/.*$/m);
  assert.match(stdout, /^ {2}got {7}404 \{"code":"NO_EXECUTION_ENDPOINT","productionApproved":false\}$/m);
});
