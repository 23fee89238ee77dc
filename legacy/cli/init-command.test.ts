import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../paths.ts";
import { assertRed } from "../testing/examples/skeleton-trial.ts";
import { keptOutput } from "../testing/output.ts";
import { runCli } from "../testing/run-cli.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { initCommand } from "./init-command.ts";
import { LANGUAGES, type Language, SKELETONS, type Skeleton } from "./skeletons.ts";
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

test("each skeleton is written as the examples have it, and its commands stand in the README", (context) => {
  for (const [language, skeleton] of Object.entries<Skeleton>(SKELETONS)) {
    const directory = temporaryDirectory(context);
    const output = keptOutput();
    assert.equal(initCommand({ directory, language: language as Language }, output), 0);
    assert.deepEqual(readdirSync(directory).sort(), ["README.md", ...Object.keys(skeleton.files)].sort());
    for (const file of Object.keys(skeleton.files)) {
      const source = readFileSync(join(PATHS.examples, skeleton.folder, file), "utf8");
      assert.equal(readFileSync(join(directory, file), "utf8"), source);
    }
    const readme = readFileSync(join(directory, "README.md"), "utf8");
    const run = `npx launch-draft-conformance run ${skeleton.runOptions((file) => file)}`;
    const { build = run } = skeleton;
    for (const command of [build, run, `${run} --only platform/constants/between-seconds --seed 1`]) {
      assert.ok(readme.includes(`\n       ${command}\n`), `${language}: ${command}`);
    }
    if (skeleton.remark !== undefined) assert.ok(readme.includes(skeleton.remark));
    if (skeleton.build !== undefined) {
      assert.ok(output.texts.includes(`build: (cd ${directory} && ${skeleton.build})\n`));
    }
  }
});

test("a program that was built is run from where it lies, though the folder is this one", () => {
  const options = (folder: string) => SKELETONS.go.runOptions((file) => join(folder, file));
  assert.equal(options("."), "--command ./adapter");
  assert.equal(options("/my/folder"), "--command /my/folder/adapter");
});

test("for any other language there is the protocol, its schema and a transcript", (context) => {
  const directory = temporaryDirectory(context);
  const output = keptOutput();
  assert.equal(initCommand({ directory, language: "other" }, output), 0);
  const files = ["adapter-protocol.md", "adapter-protocol.schema.json", "transcript.txt"];
  assert.deepEqual(readdirSync(directory).sort(), ["README.md", ...files]);
  assert.equal(output.texts.at(-1), `next: read ${directory}/README.md\n`);
  const readme = readFileSync(join(directory, "README.md"), "utf8");
  for (const file of files) assert.ok(readme.includes(`- \`${file}\`: `), file);
  const schema = JSON.parse(readFileSync(join(directory, "adapter-protocol.schema.json"), "utf8"));
  assert.ok("paramsHandle" in schema.$defs);
  const page = readFileSync(join(directory, "adapter-protocol.md"), "utf8");
  for (const [, target = ""] of page.matchAll(/\]\(([^)]*)\)/g)) assert.match(target, /^https:/);
  for (const file of files.slice(1)) assert.ok(page.includes(`\`${file}\``), file);
});

test("the languages are listed, and named to who asks for another", async (context) => {
  const { status, stdout } = await runCli(["init", "--list"]);
  assert.equal(status, 0);
  const unknown = await runCli(["init", "--language", "cobol", temporaryDirectory(context)]);
  assert.equal(unknown.status, 2);
  for (const name of LANGUAGES) {
    assert.match(stdout, new RegExp(`^(.*, )?${name}[, ]`, "m"));
    assert.ok(unknown.stderr.includes(name), name);
  }
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
  assertRed(byModule);
  assertRed(byCommand);
});
