import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { PATHS } from "../paths.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { shellQuote } from "../reports/reproduction-command.ts";
import { vectorText } from "../testing/run-vectors.ts";
import { spoiltModule } from "../testing/spoilt-module.ts";
import { temporaryDirectory, temporaryFile } from "../testing/temporary-file.ts";

/** Runs the command line in a shell, so that its output can go anywhere; `KIT` stands for the program. */
async function shell(script: string) {
  const kit = `${shellQuote(process.execPath)} ${shellQuote(join(PATHS.root, "bin/launch-draft-conformance.mjs"))}`;
  const child = spawn("bash", ["-c", script.replaceAll("KIT", kit)], {
    cwd: PATHS.root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1" },
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk;
  });
  const [status] = await once(child, "close");
  return { status, out, err };
}

/** A file of one vector that the reference passes, and where a report may go. */
function place(context: TestContext) {
  return {
    vectors: temporaryFile(context, "suite.yaml", vectorText("- platform:")),
    file: join(temporaryDirectory(context), "report.json"),
  };
}

const totals = (file: string) => (JSON.parse(readFileSync(file, "utf8")) as GatedReport).totals;

test("a disk that is full under standard output is one line and status 2; the file is written", async (context) => {
  const { vectors, file } = place(context);
  const { status, err } = await shell(`KIT replay ${vectors} --reporter json=${file} > /dev/full`);
  assert.deepEqual([status, err], [2, "standard output: the console report could not be written (ENOSPC)\n"]);
  assert.equal(totals(file).passed, 1);
});

test("so is a full disk under a file, and standard output is written", async (context) => {
  const { vectors } = place(context);
  const { status, out, err } = await shell(`KIT replay ${vectors} --reporter json=/dev/full`);
  assert.deepEqual([status, err], [2, "/dev/full: the json report could not be written (ENOSPC)\n"]);
  assert.match(out, /^1 passed, 0 failed/m);
});

test("a reader that goes away loses what goes to it, and nothing else", async (context) => {
  const { vectors, file } = place(context);
  const { out, err } = await shell(
    `(KIT replay ${vectors} --reporter tap --reporter json=${file}; echo "status $?" >&2) | true`,
  );
  assert.deepEqual(
    [out, err],
    ["", "standard output: the tap report could not be written (EPIPE)\nstatus 2\n"],
  );
  assert.equal(totals(file).passed, 1);
});

test("a failing service keeps its exit status whatever is lost", async () => {
  const service = join(PATHS.root, "legacy/testing/services/always-refuses.ts");
  const { status, err } = await shell(
    `KIT --module ${service} --runs 0 --only 'platform/same-twice' > /dev/full`,
  );
  assert.deepEqual([status, err], [1, "standard output: the console report could not be written (ENOSPC)\n"]);
});

test("Ctrl-C ends a run early: what was found is reported, and one line says what was not run", async (context) => {
  const { file } = place(context);
  const service = temporaryFile(
    context,
    "service.ts",
    `let calls = 0;
${spoiltModule(`if (++calls === 150) process.kill(process.ppid, "SIGINT");
      return service.handle(call);`)}`,
  );
  const { status, out, err } = await shell(`KIT --module ${service} --runs 0 --reporter json=${file}`);
  assert.equal(status, 130);
  const { passed, failed, skipped, error } = totals(file);
  assert.ok(passed > 0 && skipped > 0 && failed + error === 0, JSON.stringify(totals(file)));
  const notRun = (JSON.parse(readFileSync(file, "utf8")) as GatedReport).results.filter(({ reason = "" }) =>
    reason.startsWith("not run: "),
  ).length;
  assert.equal(
    err,
    "interrupted: reporting partial results; press Ctrl-C again to quit without a report\n" +
      `interrupted: ${notRun} of ${passed + skipped} were not run\n`,
  );
  assert.match(out, /^skipped {2}not run: interrupted \(Ctrl-C\)$/m);
  assert.match(out, /^undecided: /m);
});

test("Ctrl-C ends a wait for the clock and for an answer at once, with an exit status of its own", async (context) => {
  const { file } = place(context);
  const service = temporaryFile(
    context,
    "service.ts",
    `export const capabilities = { clock: "real" };
${spoiltModule(`if (call.path !== "/v1/auth/challenge") return service.handle(call);
      process.kill(process.ppid, "SIGTERM");
      return new Promise(() => {});`)}`,
  );
  const vectors = temporaryFile(
    context,
    "waits.yaml",
    `suite: waits
vectors:
  - { id: clock, title: is as it was, rules: [PLATFORM-1], steps: [{ platform: }, { advance: 80s }, { platform: }] }
  - { id: answer, title: gives a challenge, rules: [CHALLENGE-1], steps: [{ challenge: { for: alice } }] }
  - { id: prompt, title: gives a profile, rules: [PLATFORM-1], steps: [{ platform: }] }
`,
  );
  const { status, err } = await shell(
    `KIT replay ${vectors} --module ${service} --timeout 60s --reporter json=${file}`,
  );
  assert.equal(status, 143);
  const { results } = JSON.parse(readFileSync(file, "utf8")) as GatedReport;
  const interrupted = "not run: interrupted (Ctrl-C)";
  assert.deepEqual(
    results.map(({ id, outcome, reason }) => [id, outcome, reason]),
    [
      ["waits/clock", "skipped", interrupted],
      ["waits/answer", "skipped", interrupted],
      ["waits/prompt", "passed", undefined],
    ],
  );
  assert.match(err, /^interrupted: .*\ninterrupted: 2 of 3 were not run\n/);
});

test("a reporter that cannot be found is told before anything runs", async (context) => {
  const { file } = place(context);
  const { status, out, err } = await shell(`KIT --reporter json=${file} --reporter ./no-such-reporter.mjs`);
  assert.deepEqual([status, out, existsSync(file)], [2, "", false]);
  assert.match(
    err,
    /^--reporter \.\/no-such-reporter\.mjs: there is no such reporter, package or file; there are console, [^\n]*\n$/,
  );
});

test("a reporter that throws, or leaves something running, keeps no other from being written", async (context) => {
  const { vectors, file } = place(context);
  const broken = temporaryFile(
    context,
    "broken.mjs",
    'setInterval(() => {}, 1000);\nexport default async function* () { throw new Error("no\\u001b[2J colour"); }\n',
  );
  const { status, out, err } = await shell(
    `KIT replay ${vectors} --reporter ${broken}=${file}.txt --reporter json=${file}`,
  );
  assert.deepEqual([status, err], [2, `the ${broken} report could not be made: no [2J colour\n`]);
  assert.match(out, /^1 passed, 0 failed/m);
  assert.equal(totals(file).passed, 1);
  assert.equal(existsSync(`${file}.txt`), false);
});
