import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../paths.ts";
import { golden } from "../testing/golden/kit-fixtures.ts";
import { runCli } from "../testing/run-cli.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";

const COMMAND = ["--command", `/usr/bin/python3 ${join(PATHS.examples, "python/adapter.py")}`];
const COUNT = golden.fixtures.length;

test("every transcript replayed against the Python example matches, once what varies is set aside and choices allowed", async () => {
  const { status, stdout, stderr } = await runCli(["golden", "--check", "--verbose", ...COMMAND]);
  assert.equal(stderr, "");
  const lines = stdout.trimEnd().split("\n");
  assert.match(
    lines.pop() ?? "",
    new RegExp(`^${COUNT} of ${COUNT} fixtures match, 0 drifted, 0 not replayed; `),
  );
  // Every other answer is told with the open point that allows it.
  for (const line of lines)
    assert.match(line, /: step \d+: \d{3}.*, in the fixture \d{3}.* \(open point [A-Z0-9-]+\)$/);
  assert.ok(lines.length > 20);
  assert.equal(status, 0);
});

test("the Python example's own fixtures are of its own values, and match when they are replayed on it", async (context) => {
  const folder = temporaryDirectory(context);
  assert.equal((await runCli(["golden", folder, ...COMMAND])).status, 0);
  const index = JSON.parse(readFileSync(join(folder, "index.json"), "utf8"));
  assert.equal(index.implementation.name, "python-example");
  assert.equal(index.fixtures.length, COUNT);
  const { status, stdout } = await runCli(["golden", folder, "--check", ...COMMAND]);
  assert.equal(
    stdout,
    `${COUNT} of ${COUNT} fixtures match, 0 drifted, 0 not replayed; 0 answers differ as they may\n`,
  );
  assert.equal(status, 0);
});

test("the reference replays the Python example's fixtures: the other way round it is the same contract", async (context) => {
  const folder = temporaryDirectory(context);
  await runCli(["golden", folder, ...COMMAND]);
  const { status, stdout } = await runCli(["golden", folder, "--check", "--module", PATHS.reference]);
  assert.match(stdout, new RegExp(`^${COUNT} of ${COUNT} fixtures match, 0 drifted, 0 not replayed`));
  assert.equal(status, 0);
});
