import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../paths.ts";
import { runCli } from "../testing/run-cli.ts";

const PROGRAM = `/usr/bin/python3 ${join(PATHS.examples, "clients/python/client.py")}`;

test("the client in Python conforms as a program that stays", async () => {
  const words = ["client", "--resident", "--command", `${PROGRAM} --resident`];
  const { status, stdout, stderr } = await runCli(words);
  assert.equal(status, 0, stdout + stderr);
  assert.doesNotMatch(stdout, /^advice/m);
});

test("the client in Python conforms as one process a launch", async () => {
  const only = ["--only", "launches/first", "again", "trust", "lost-answers"];
  const { status, stdout, stderr } = await runCli(["client", "--command", PROGRAM, ...only]);
  assert.equal(status, 0, stdout + stderr);
});
