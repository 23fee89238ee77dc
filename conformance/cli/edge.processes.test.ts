import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { ReportData } from "../report/data.ts";

const folder = mkdtempSync(join(tmpdir(), "edge-test-"));
after(() => rmSync(folder, { recursive: true }));
const inFolder = (name: string) => join(folder, name);

const CLI = join(import.meta.dirname, "..", "main.ts");
const FAULTY = join(import.meta.dirname, "testing/faulty-kit.ts");
const REFERENCE = pathToFileURL(join(import.meta.dirname, "../../reference/service.ts")).href;

/** Starts a script of the kit. @param output file descriptor for standard output (default: a pipe) */
function start(script: string, args: readonly string[], output: "pipe" | number = "pipe", env = {}) {
  const words = ["--import", import.meta.resolve("tsx"), script, ...args];
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...rest } = process.env;
  return spawn(process.execPath, words, { stdio: ["ignore", output, "pipe"], env: { ...rest, ...env } });
}

/** Waits for the end of a process. Returns its exit status or signal, and its errors. */
async function endOf(child: ChildProcess) {
  let errors = "";
  child.stdout?.resume();
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const [status, signal] = await once(child, "close");
  return { status: status ?? signal, errors };
}

function reportIn(file: string): ReportData {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Writes a module: the reference with a wrong profile. @param onCall code that runs before each response */
function writeService(name: string, onCall: string): string {
  const file = inFolder(`${name}.mjs`);
  const text = `import * as reference from ${JSON.stringify(REFERENCE)};
    export const { facts } = reference;
    let calls = 0;
    export const createService = (options) => {
      const service = reference.createService(options);
      return {
        async handle(call) {
          calls += 1;
          ${onCall}
          const { status, body } = service.handle(call);
          return { status, body: "mode" in body ? { ...body, mode: "LIVE" } : body };
        },
      };
    };`;
  writeFileSync(file, text);
  return file;
}

/** A suite of three tests, so that the kit starts fast. */
const SUITE = inFolder("suite.yaml");
const VECTORS = [1, 2, 3].map(
  (number) => `
  - id: profile-${number}
    title: the profile is returned
    rules: [PLATFORM-1]
    steps: [{ platform: {}, expect: 200 }]`,
);
writeFileSync(SUITE, `suite: small\nvectors:${VECTORS.join("")}\n`);
const REPLAY = ["replay", SUITE];

describe("an internal error", { concurrency: 2 }, () => {
  for (const fault of ["timer", "rejection", "signal", "socket", "nothing to wait for"])
    test(`in a callback ends the run with 70 and the report so far: ${fault}`, async () => {
      const file = inFolder(`${fault}.json`);
      const { status, errors } = await endOf(
        start(FAULTY, [fault, ...REPLAY, "--reference", "--reporter", `json=${file}`]),
      );
      assert.equal(status, 70, errors);
      assert.match(
        errors,
        /^internal error at [\w-]+\.ts:\d+:\d+: \w+ [^\n]+; report it with the command\n$/,
      );
      const { run, results, verdict } = reportIn(file);
      assert.deepEqual([run.ended?.by, results.length, verdict.exitStatus], ["error", 2, 70]);
      assert.equal(`${run.ended?.reason}\n`, errors);
    });
});

describe("standard output and standard error", { concurrency: 2 }, () => {
  const module = writeService("wrong", "");
  const args = (file: string) => [
    ...REPLAY,
    ...["--module", module, "--reporter", "console", `json=${file}`],
  ];

  test("a reader that ends does not change the verdict, and the report is written", async () => {
    const file = inFolder("closed.json");
    const child = start(CLI, args(file));
    child.stdout?.destroy();
    child.stderr?.destroy();
    const [status] = await once(child, "exit");
    assert.equal(status, 1);
    assert.equal(reportIn(file).verdict.exitStatus, 1);
  });

  test("a full disk does not change the verdict, and the report is written", async () => {
    const file = inFolder("full.json");
    const { status, errors } = await endOf(start(CLI, args(file), openSync("/dev/full", "w")));
    assert.deepEqual([status, errors], [1, "standard output cannot be written (ENOSPC)\n"]);
    assert.equal(reportIn(file).verdict.exitStatus, 1);
  });

  test("a command whose only result is its output fails if the output is lost", async () => {
    assert.equal((await endOf(start(CLI, ["--help"], openSync("/dev/full", "w")))).status, 2);
    const child = start(CLI, ["--help"]);
    child.stdout?.destroy();
    assert.equal((await endOf(child)).status, 0);
  });
});

describe("a debugger", { concurrency: 2 }, () => {
  test("is opened neither in the kit nor in the host of a module if the service sends SIGUSR1", async () => {
    const attack = `if (calls === 1) process.kill(process.ppid, "SIGUSR1");
      if (process.listenerCount("SIGUSR1") === 0) process.exit(9);`;
    const file = inFolder("debugger.json");
    const module = writeService("debugger", attack);
    const { status, errors } = await endOf(
      start(CLI, [...REPLAY, "--module", module, "--reporter", `json=${file}`]),
    );
    assert.equal(status, 1);
    assert.match(errors, /^No verdict, .*\n$/);
    assert.equal(reportIn(file).tests.error, 0);
  });

  test("that --inspect opens is closed before a service starts", async () => {
    const child = start(CLI, ["serve"], "pipe", { NODE_OPTIONS: "--inspect=0" });
    let errors = "";
    child.stderr?.on("data", (text) => {
      errors += text;
    });
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    const [, port = ""] = /ws:\/\/127\.0\.0\.1:(\d+)/.exec(errors) ?? [];
    assert.match(port, /^\d+$/, errors);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/json`), TypeError);
    child.kill("SIGTERM");
    assert.equal((await endOf(child)).status, 0);
  });
});

describe("SIGINT and SIGTERM", { concurrency: 2 }, () => {
  for (const signal of ["SIGINT", "SIGTERM"])
    test(`${signal} ends the kit while a program starts`, async () => {
      const command = `kill -${signal.slice(3)} $PPID; exec sleep 1000`;
      assert.equal((await endOf(start(CLI, [...REPLAY, "--command", command]))).status, signal);
    });

  test("SIGINT ends the kit while it prints a report", async () => {
    const child = start(FAULTY, ["signal while printing", ...REPLAY, "--reference"]);
    assert.equal((await endOf(child)).status, "SIGINT");
  });

  test("a program that neither responds nor ends does not delay the end of a run", async () => {
    const file = inFolder("interrupted.json");
    const module = writeService(
      "stubborn",
      `if (calls === 3) {
        process.on("SIGTERM", () => {});
        process.kill(process.ppid, "SIGINT");
        await new Promise((resolve) => setTimeout(resolve, 2 ** 30));
      }`,
    );
    const options = ["--timeout", "0", "--reporter", `json=${file}`];
    const { status } = await endOf(start(CLI, [...REPLAY, "--module", module, ...options]));
    assert.equal(status, 130);
    assert.deepEqual(reportIn(file).run.ended, { by: "signal", reason: "interrupted by SIGINT" });
  });
});

test("a device or a pipe is refused as an input, and a pipe without a reader as an output", async () => {
  const pipe = inFolder("pipe");
  execFileSync("mkfifo", [pipe]);
  const writing = [...REPLAY, "--reference", "--reporter", "console", `json=${pipe}`];
  for (const [args, message] of [
    [["audit", "/dev/zero"], "/dev/zero: is a device or a socket; give a regular file\n"],
    [["report", pipe], `${pipe}: is a pipe; give a regular file\n`],
    [writing, `${pipe}: cannot be written (ENXIO)\n`],
  ] as const)
    assert.deepEqual(await endOf(start(CLI, args)), { status: 2, errors: message });
});
