import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../paths.ts";
import { keptOutput } from "../testing/output.ts";
import { runCli } from "../testing/run-cli.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { initCommand } from "./init-command.ts";
import { UsageError } from "./usage-error.ts";

test("what was written is said, with the command that comes next", (context) => {
  const directory = join(temporaryDirectory(context), "new", "folder");
  const output = keptOutput();
  assert.equal(initCommand({ directory, language: "ts" }, output), 0);
  assert.deepEqual(
    output.texts.map((text) => text.replaceAll(directory, "DIR")),
    [
      "wrote DIR/README.md\n",
      "wrote DIR/skeleton.ts\n",
      "wrote DIR/skeleton-stdio.ts\n",
      "next: npx launch-draft-conformance run --module DIR/skeleton.ts\n",
    ],
  );
  assert.deepEqual(readdirSync(directory).sort(), ["README.md", "skeleton-stdio.ts", "skeleton.ts"]);
});

test("typescript is another name for ts", (context) => {
  const directory = temporaryDirectory(context);
  assert.equal(initCommand({ directory, language: "typescript" }, keptOutput()), 0);
  assert.deepEqual(readdirSync(directory).sort(), ["README.md", "skeleton-stdio.ts", "skeleton.ts"]);
});

test("the Python skeleton is the example's, and its command stands in the README", (context) => {
  const directory = temporaryDirectory(context);
  assert.equal(initCommand({ directory, language: "python" }, keptOutput()), 0);
  assert.deepEqual(readdirSync(directory).sort(), ["README.md", "skeleton.py"]);
  assert.equal(
    readFileSync(join(directory, "skeleton.py"), "utf8"),
    readFileSync(join(PATHS.examples, "python/skeleton.py"), "utf8"),
  );
  const readme = readFileSync(join(directory, "README.md"), "utf8");
  assert.match(readme, /^ {4}npx launch-draft-conformance run --command 'python3 skeleton\.py'$/m);
});

test("a file that is there stays as it is, and nothing else is written", (context) => {
  const directory = temporaryDirectory(context);
  writeFileSync(join(directory, "skeleton.ts"), "mine");
  assert.throws(
    () => initCommand({ directory, language: "ts" }, keptOutput()),
    new UsageError(
      `${directory}/skeleton.ts already there; nothing was written, name another folder: init DIR`,
    ),
  );
  assert.deepEqual(readdirSync(directory), ["skeleton.ts"]);
  assert.equal(readFileSync(join(directory, "skeleton.ts"), "utf8"), "mine");
});

test("a folder that cannot be made is one line", (context) => {
  const file = join(temporaryDirectory(context), "file");
  writeFileSync(file, "");
  assert.throws(
    () => initCommand({ directory: join(file, "below"), language: "ts" }, keptOutput()),
    new UsageError(`${file}/below: cannot be written into (ENOTDIR)`),
  );
});

test("the TypeScript skeleton runs red at once, as a module and as a process", async (context) => {
  const directory = temporaryDirectory(context);
  const init = await runCli(["init", directory]);
  assert.equal(init.status, 0, init.stderr);
  const only = ["--only", "platform/*", "--bail"];
  const byModule = await runCli(["run", "--module", join(directory, "skeleton.ts"), ...only]);
  const tsx = join(PATHS.root, "node_modules/.bin/tsx");
  const byCommand = await runCli(["run", "--command", `${tsx} ${directory}/skeleton-stdio.ts`, ...only]);
  for (const { status, stdout, stderr } of [byModule, byCommand]) {
    assert.equal(status, 1, stderr);
    assert.match(stdout, /^FAILED {2}platform\/.*$/m);
    assert.match(stdout, /ENDPOINT-1/);
    assert.match(stdout, /^ {2}sent {6}GET \/v1\/platform/m);
    assert.match(stdout, /^ {2}got {7}404 \{"code":"NO_EXECUTION_ENDPOINT","productionApproved":false\}$/m);
  }
});
