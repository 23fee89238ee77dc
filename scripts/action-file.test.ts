/** Tests the GitHub action: its inputs match the table of options, and its script passes them on as words. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { OPTIONS } from "../conformance/cli/options.ts";
import { readDataFile } from "../conformance/data/data-file.ts";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly runs: { readonly steps: readonly { readonly id?: string; readonly run?: string }[] };
}

const action = readDataFile(join(import.meta.dirname, "..", "action.yml")).value as Action;
const folder = mkdtempSync(join(tmpdir(), "action-test-"));
after(() => rmSync(folder, { recursive: true }));

test("each input is an option of the kit with the same help, or one of four inputs of the action", () => {
  const own = ["args", "version", "reports", "working-directory"];
  const inputs = Object.entries(action.inputs).filter(([name]) => !own.includes(name));
  assert.deepEqual(
    inputs.map(([name, { description }]) => [name, description]),
    inputs.map(([name]) => [name, OPTIONS[name as keyof typeof OPTIONS]?.[1]]),
  );
});

test("all actions are pinned by the hash of a commit", () => {
  const texts = ["action.yml", "conformance/cli/skeletons/tests/conformance.yml", "docs/ci.md"].map((file) =>
    readFileSync(join(import.meta.dirname, "..", file), "utf8"),
  );
  const uses = texts.flatMap((text) => text.match(/(?<=uses: )(?!OWNER)\S+.*/g) ?? []);
  assert.equal(uses.length, 4);
  for (const action of uses) assert.match(action, /^actions\/[\w-]+@[\da-f]{40} # v[\d.]+$/);
});

test("the script passes each line of an input as one word, runs nothing in it, and keeps the status", () => {
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
    chmodSync(join(folder, path), 0o755);
  };
  write("bin/npm", "#!/bin/sh\n");
  const kit = `#!/usr/bin/env node
const fs = require("node:fs");
fs.writeFileSync(process.env.WORDS, JSON.stringify(process.argv.slice(2)));
fs.writeFileSync("reports/report.json", process.env.REPORT);
process.exit(1);`;
  write("temp/launch-draft-conformance/node_modules/.bin/launch-draft-conformance", kit);
  const { run = "" } = action.runs.steps.find(({ id }) => id === "test") ?? {};
  const inputs = {
    command: "python3 'my service.py' $(touch hacked)",
    only: "platform/**\nsession/*\n",
    args: "--seed\n7",
    version: "1",
    reports: "reports",
  };
  const files = { WORDS: "words.json", GITHUB_OUTPUT: "output", GITHUB_STEP_SUMMARY: "summary" };
  const paths = Object.entries(files).map(([name, file]) => [name, join(folder, file)]);
  const env = {
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
    RUNNER_TEMP: join(folder, "temp"),
    INPUTS: JSON.stringify(inputs),
    ...Object.fromEntries(paths),
  };
  const runScript = (REPORT: string) => {
    writeFileSync(join(folder, "output"), "");
    const options = { cwd: folder, env: { ...env, REPORT } };
    return spawnSync("bash", ["-euo", "pipefail", "-c", run], options);
  };
  const { status, stderr } = runScript('{"verdict":{"conclusion":"does-not-conform"}}');
  assert.equal(status, 1, String(stderr));
  const words = JSON.parse(readFileSync(join(folder, "words.json"), "utf8"));
  assert.deepEqual(words.slice(0, 6), [
    "run",
    "--command=python3 'my service.py' $(touch hacked)",
    "--only=platform/**",
    "--only=session/*",
    "--seed",
    "7",
  ]);
  assert.ok(words.includes(`--reporter=markdown=${join(folder, "summary")}`));
  const outputOf = () => readFileSync(join(folder, "output"), "utf8");
  assert.equal(outputOf(), "conclusion=does-not-conform\n");
  for (const report of ["", "{}", '{"verdict":{"conclusion":"none\\nconclusion=conforms"}}']) {
    assert.equal(runScript(report).status, 1);
    assert.equal(outputOf(), "");
  }
});
