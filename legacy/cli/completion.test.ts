import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runCli } from "../testing/run-cli.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { knownValues } from "./completion.ts";

/** What is offered for the last of some words. */
async function offered(...words: string[]): Promise<readonly string[]> {
  const { status, stdout, stderr } = await runCli(["complete", "--", ...words]);
  assert.deepEqual([status, stderr], [0, ""]);
  return stdout.split("\n").slice(0, -1);
}

test("commands, options and their values are offered", async () => {
  assert.deepEqual(await offered("re"), ["replay", "report"]);
  const commands = await offered("");
  assert.ok(commands.includes("run") && commands.includes("completion") && !commands.includes("complete"));
  assert.deepEqual(await offered("run", "--restart"), ["--restart-on"]);
  assert.deepEqual(await offered("--restart"), ["--restart-on"]);
  assert.deepEqual(await offered("list", "--r"), ["--rules"]);
  assert.deepEqual(await offered("run", "--reporter", "j"), ["json", "junit"]);
  assert.deepEqual(await offered("run", "--bail", "--seed", ""), ["random"]);
  assert.deepEqual(await offered("init", "--language", "p"), ["python"]);
  assert.deepEqual(await offered("completion", ""), ["bash", "zsh", "fish"]);
});

test("ids are completed part by part", async () => {
  const suites = await offered("run", "--only", "pl");
  assert.deepEqual(suites, ["platform/"]);
  assert.deepEqual(await offered("run", "--only", "platform/same-l"), ["platform/same-later/"]);
  assert.deepEqual(await offered("--only", "routes", "platform/same-later/after-a-m"), [
    "platform/same-later/after-a-minute",
  ]);
  assert.deepEqual(await offered("explain", "CHALLENGE-23"), ["CHALLENGE-23"]);
  assert.deepEqual(await offered("explain", "SIGNATURE-OUT"), ["SIGNATURE-OUTSIDE-ALPHABET"]);
  assert.deepEqual(await offered("explain", "challenge/used-up-by-s"), ["challenge/used-up-by-success-only"]);
  assert.deepEqual(await offered("run", "--allow-untried", "capability:re"), ["capability:restart"]);
});

test("where files are wanted, or nothing fits, the shell offers its own", async () => {
  for (const words of [
    ["run", "--module", ""],
    ["merge", ""],
    ["run", "--reporter", "json", "x"],
    ["run", "--only", "nowhere"],
  ])
    assert.deepEqual(await offered(...words), []);
});

test("targets are those of the configuration file", async (context) => {
  const folder = temporaryDirectory(context);
  const targets = knownValues(folder)["run targets"];
  assert.deepEqual(await targets?.(), []);
  const config = { targets: { mine: { module: "x" }, other: { module: "y" } } };
  writeFileSync(join(folder, "launch-draft.config.json"), JSON.stringify(config));
  assert.deepEqual(await targets?.(), ["mine", "other"]);
});
