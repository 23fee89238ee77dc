import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "./paths.ts";
import type { GatedReport } from "./policies/gated-report.ts";
import { runCli } from "./testing/run-cli.ts";
import { vectorText } from "./testing/run-vectors.ts";
import { spoiltModule } from "./testing/spoilt-module.ts";
import { temporaryDirectory, temporaryFile } from "./testing/temporary-file.ts";

const service = (name: string) => join(PATHS.root, `legacy/testing/services/${name}.ts`);
/** Runs the command line, without a terminal. */
async function cli(...words: readonly string[]) {
  const { status, stdout: out, stderr: err } = await runCli(words);
  return { status, out, err };
}

const STACK = /\n\s+at .*[:(]\d+/;

test("a module that the repository has never seen is judged; a failure comes with the command that repeats it", async (context) => {
  const file = temporaryFile(
    context,
    "my service.ts",
    spoiltModule(`const answer = service.handle(call);
      if (call.path === "/v1/auth/verify" && answer.body["code"] === "INVALID_PROOF")
        return { status: 401, body: { code: "UNAUTHORIZED", productionApproved: false } };
      return answer;`),
  );
  const { status, out, err } = await cli(
    "run",
    "--module",
    file,
    "--runs",
    "0",
    "--only",
    "verify",
    "--seed",
    "7",
  );
  assert.deepEqual([status, err], [1, ""]);
  assert.match(out, /^my service\.ts unversioned, in-process$/m);
  const [block = ""] = /^FAILED {2}verify\/[\s\S]*?^ {2}again .*$/m.exec(out) ?? [];
  assert.match(block, /^FAILED {2}verify\/\S+ {3}vectors\/suites\/verify\.yaml:\d+, step \d/);
  assert.match(block, /^ {2}VERIFY-\d+ {2}\S.*\n +contract, "/m);
  assert.match(
    block,
    /^ {2}sent {6}POST \/v1\/auth\/verify {2}\{"id":"[0-9a-f]{48}",.* {3}clock \+\d+\.\d{3} s$/m,
  );
  assert.match(block, /^ {2}expected {2}401 INVALID_PROOF$/m);
  assert.match(block, /^ {2}got {7}401 \{"code":"UNAUTHORIZED","productionApproved":false\}$/m);
  assert.match(block, /^ {2}differs {3}\S/m);
  const again = /^ {2}again {5}npx launch-draft-conformance (.*)$/m.exec(block)?.[1] ?? "";
  const words = again.split(" --module ")[1]?.startsWith("'")
    ? again.replace(`'${file}'`, "FILE").split(" ")
    : [];
  assert.deepEqual(words.slice(0, 3), ["run", "--module", "FILE"]);
  const repeated = await cli(...words.map((word) => (word === "FILE" ? file : word)));
  assert.equal(repeated.status, 1);
  assert.match(repeated.out, /^0 passed, 1 failed, 0 skipped, 0 error; 1 of 1 run/m);
});

test("a module without createService is one line and status 3", async () => {
  const { status, out, err } = await cli("run", "--module", service("no-create-service"));
  assert.deepEqual([status, out], [3, ""]);
  assert.match(
    err,
    /^the implementation could not be run: \S+no-create-service\.ts exports no createService; it exports: facts, handle\n$/,
  );
});

test("a module that throws is status 3, and no stack trace", async () => {
  const { status, out, err } = await cli(
    "run",
    "--module",
    service("throws"),
    "--runs",
    "0",
    "--only",
    "platform",
  );
  assert.equal(status, 3);
  assert.match(out, /^ {2}broke {5}handle threw: out of at luck \(nowhere\.ts:1:1\)$/m);
  assert.match(out, /^selection undecided: 0 of \d+ required rules of the selection kept$/m);
  assert.doesNotMatch(out + err, STACK);
});

test("hostile text of a module does not reach the terminal as it is", async () => {
  const { status, out, err } = await cli(
    "run",
    "--module",
    service("hostile-text"),
    "--runs",
    "0",
    "--only",
    "platform",
  );
  assert.equal(status, 1);
  assert.doesNotMatch((out + err).replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
  assert.ok(Math.max(...out.split("\n").map((line) => line.length)) < 1_000);
});

test("a file of vectors with a slip is one line with its place, and status 2", async (context) => {
  const slip = vectorText("- platform:\n  expects: 200");
  const { status, out, err } = await cli("replay", temporaryFile(context, "suite.yaml", slip));
  assert.deepEqual([status, out], [2, ""]);
  assert.match(err, /^\/\S+suite\.yaml:9:9: unknown key "expects" \(did you mean "expect"\?\)\n$/);
});

test("a report that cannot be written is one line and status 2, and keeps no other from being written", async (context) => {
  const vectors = temporaryFile(context, "suite.yaml", vectorText("- platform:"));
  const file = join(temporaryDirectory(context), "report.json");
  const { status, out, err } = await cli(
    "replay",
    vectors,
    "--reporter",
    "json=/no/such/report.json",
    "--reporter",
    `json=${file}`,
  );
  assert.equal(err, "/no/such/report.json: the json report could not be written (ENOENT)\n");
  assert.equal(status, 2);
  assert.match(out, /^1 passed, 0 failed/m);
  assert.equal((JSON.parse(readFileSync(file, "utf8")) as GatedReport).totals.passed, 1);
});

for (const [words, message] of [
  [["--onyl", "platform"], /^error: unknown option '--onyl'\n\(Did you mean --only\?\)\n/],
  [["rnu"], /^error: unknown command 'rnu'\n\(Did you mean run\?\)\n/],
] as const) {
  test(`wrong usage is told in a line or two, with status 2: ${words.join(" ")}`, async () => {
    const { status, out, err } = await cli(...words);
    assert.deepEqual([status, out], [2, ""]);
    assert.match(err, message);
    assert.ok(err.trimEnd().split("\n").length <= 3, err);
    assert.doesNotMatch(err, STACK);
  });
}
