/** What the command line says of files that are none, are endless or too large, or stand for something elsewhere. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { PATHS } from "../paths.ts";
import { keptOutput } from "../testing/output.ts";
import { resultOf } from "../testing/results.ts";
import { runCli } from "../testing/run-cli.ts";
import { smallReport } from "../testing/small-report.ts";
import { temporaryDirectory, temporaryFile } from "../testing/temporary-file.ts";
import { saveFailures } from "./save-failures.ts";

const folder = temporaryDirectory({ after } as never);
const pipe = join(folder, "pipe");
execFileSync("mkfifo", [pipe]);
const large = join(folder, "large.yaml");
writeFileSync(large, "known: []\n");
truncateSync(large, 105 * 1024 * 1024);

for (const [words, message] of [
  [
    ["compare", "/dev/zero", pipe],
    "/dev/zero: is a device, not a regular file\nPIPE: is a pipe, not a regular file\n",
  ],
  [["merge", pipe], "PIPE: is a pipe, not a regular file\n"],
  [["report", folder], "FOLDER: is a folder, not a regular file\n"],
  [["report", large], "LARGE: is larger than the 64 MiB that such a file may have\n"],
  [["replay", "/dev/zero"], "/dev/zero: is a device, not a regular file\n"],
  [["--baseline", large], "LARGE: is larger than the 4 MiB that such a file may have\n"],
  [["--choices", pipe], "PIPE: is a pipe, not a regular file\n"],
  [["--url", "http://127.0.0.1:1", "--facts", pipe], "PIPE: is a pipe, not a regular file\n"],
] as const) {
  test(`${words.slice(0, 2).join(" ").replace(folder, "…")}: one line and status 2`, async () => {
    const { status, stdout, stderr } = await runCli(words);
    const told = stderr.replaceAll(pipe, "PIPE").replaceAll(large, "LARGE").replaceAll(folder, "FOLDER");
    assert.deepEqual([status, stdout, told], [2, "", message]);
  });
}

test("certificates are read from a regular file", async () => {
  const { status, stderr } = await runCli(["--url", "https://127.0.0.1:1", "--ca-file", "/dev/zero"]);
  assert.equal(status, 3);
  assert.match(stderr, /certificates: \/dev\/zero is not a regular file\n$/);
});

test("fixtures are written into no folder whose files stand for something elsewhere", async (context) => {
  const target = temporaryFile(context, "profile", "mine\n");
  const directory = temporaryDirectory(context);
  const link = join(directory, "happy-path.json");
  symlinkSync(target, link);
  const { status, stderr } = await runCli(["golden", directory]);
  assert.deepEqual(
    [status, stderr],
    [2, `${link}: is a symbolic link; no fixtures are written into this folder\n`],
  );
  assert.equal(readFileSync(target, "utf8"), "mine\n");
});

test("fixtures are written into no place that takes no files", async () => {
  const { status, stderr } = await runCli(["golden", "/proc/fixtures"]);
  assert.deepEqual([status, stderr], [2, "/proc/fixtures: the fixtures cannot be written (ENOENT)\n"]);
});

test("skeletons are written into no place that takes no files", async () => {
  const { status, stderr } = await runCli(["init", "/proc/a/b"]);
  assert.deepEqual([status, stderr], [2, "/proc/a/b: cannot be written into (ENOENT)\n"]);
});

test("a counterexample is not written through a link", (context) => {
  const target = temporaryFile(context, "profile", "mine\n");
  const directory = temporaryDirectory(context);
  symlinkSync(target, join(directory, "property-texts.yaml"));
  const said: string[] = [];
  const output = { ...keptOutput(), err: (text: string) => said.push(text) };
  const report = smallReport([
    resultOf("property/texts", ["LIMIT-1"], { kind: "property", vector: "suite: x\n" }),
  ]);
  assert.equal(saveFailures(report, directory, output), false);
  assert.match(said.join(""), /property-texts\.yaml: the counterexample could not be written \(ELOOP\)\n$/);
  assert.equal(readFileSync(target, "utf8"), "mine\n");
});

test("a reporter that ends the process is one line; all other reports and the exit status stay", async (context) => {
  const exits = temporaryFile(
    context,
    "exits.mjs",
    "export default async function* () { process.exit(0); }\n",
  );
  const file = join(temporaryDirectory(context), "report.json");
  const service = join(PATHS.root, "legacy/testing/services/always-refuses.ts");
  const run = ["--module", service, "--runs", "0", "--only", "platform/same-twice"];
  const { status, stdout, stderr } = await runCli([
    ...run,
    "--reporter",
    `${exits}=${file}.txt`,
    "--reporter",
    `json=${file}`,
  ]);
  assert.deepEqual(
    [status, stderr],
    [1, `the ${exits} report could not be made: it called process.exit(0)\n`],
  );
  assert.match(stdout, /^does not conform: /m);
  assert.equal(JSON.parse(readFileSync(file, "utf8")).totals.failed, 1);
  assert.equal(existsSync(`${file}.txt`), false);
});

test("a reporter that ends the process while it is loaded is one line, before anything runs", async (context) => {
  const exits = temporaryFile(
    context,
    "loads.mjs",
    "process.exit(0);\nexport default async function* () {}\n",
  );
  const { status, stdout, stderr } = await runCli(["--reporter", exits]);
  assert.deepEqual(
    [status, stdout, stderr],
    [2, "", `--reporter ${exits} cannot be loaded: it called process.exit(0)\n`],
  );
});
