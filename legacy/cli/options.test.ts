import assert from "node:assert/strict";
import { test } from "node:test";
import { runCli } from "../testing/run-cli.ts";
import { PORT, readWord } from "./option-values.ts";
import { ENTRIES, entriesWith, flagOf } from "./options.ts";

/** Options of `run` that a configuration file has no use for. */
const COMMAND_LINE_ONLY = ["config", "failed", "shard", "updateBaseline", "updateChoices", "watch"];

test("a target may have each option of run that is not of the command line alone", () => {
  const without = ENTRIES.filter(([, { on, traits }]) => on.includes("run") && !traits?.includes("target"));
  assert.deepEqual(without.map(([name]) => name).sort(), COMMAND_LINE_ONLY);
  for (const [name, { on }] of entriesWith("target")) assert.ok(on.includes("run"), name);
});

test("each command takes the options of the table, and no others", async () => {
  for (const command of new Set(ENTRIES.flatMap(([, { on }]) => on))) {
    const { stdout } = await runCli(["complete", "--", command, "--"]);
    const flags = ENTRIES.filter(([, { on }]) => on.includes(command)).map(([name]) => flagOf(name));
    assert.deepEqual(stdout.trim().split("\n"), [...flags, "--help"]);
  }
});

test("a port is a number from 0 to 65535", () => {
  assert.equal(readWord(PORT, "0", "--port"), 0);
  assert.equal(readWord(PORT, "65535", "--port"), 65_535);
  for (const word of ["65536", "-1", "80.5", "0x50", "", "http"])
    assert.throws(() => readWord(PORT, word, "--port"), { name: "UsageError", message: /^--port must / });
});
