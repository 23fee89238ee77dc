import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../paths.ts";
import { runCli } from "../testing/run-cli.ts";

const TSX = join(PATHS.root, "node_modules/.bin/tsx");
const PROGRAM = `${TSX} ${join(PATHS.examples, "clients/typescript/main.ts")}`;

test("the client in TypeScript conforms as a program that stays", async () => {
  const words = ["client", "--resident", "--command", `${PROGRAM} --resident`];
  const { status, stdout, stderr } = await runCli(words);
  assert.equal(status, 0, stdout + stderr);
  assert.doesNotMatch(stdout, /^advice/m);
});

test("the client in TypeScript conforms as one process a launch", async () => {
  const only = ["--only", "launches/first", "trust/sendable"];
  const { status, stdout, stderr } = await runCli(["client", "--command", PROGRAM, ...only]);
  assert.equal(status, 0, stdout + stderr);
});
