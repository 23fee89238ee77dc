import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { schemaFault } from "../engine/data/schema.ts";
import { PATHS } from "../paths.ts";
import { runCli } from "../testing/run-cli.ts";
import { temporaryFile } from "../testing/temporary-file.ts";

const SOME = ["--only", "errors/used-challenge", "auth/altered-bearer/*", "idempotency-key/*", "--runs", "0"];

describe("a run keeps what was sent and answered, so that `audit` finds nothing in it", () => {
  for (const name of ["run.jsonl", "run.har"])
    test(name, async (context) => {
      const file = temporaryFile(context, name, "");
      const run = await runCli(["run", ...SOME, "--record", file]);
      assert.equal(run.status, 0, run.stderr);
      const [, told] = /^(\d+) exchanges recorded in /.exec(run.stderr) ?? [];
      const { status, stdout } = await runCli(["audit", file]);
      assert.equal(status, 0, stdout);
      assert.match(
        stdout,
        new RegExp(`^${told} exchanges recorded, .* restarts marked, the recording is complete`, "m"),
      );
    });
});

test("each line is as its schema says, with the clock of the service", async (context) => {
  const file = temporaryFile(context, "run.jsonl", "");
  await runCli(["run", ...SOME, "--record", file]);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  for (const line of lines) assert.equal(schemaFault(JSON.parse(line), PATHS.recordingSchema), undefined);
  const [header, restart, exchange] = lines.map((line) => JSON.parse(line));
  assert.equal(header.complete, true);
  assert.equal(restart.restart, true);
  assert.equal(typeof exchange.clockMs, "number");
});

test("what cannot be recorded is told in one line before anything is run", async (context) => {
  const missing = join(temporaryFile(context, "a", ""), "run.jsonl");
  const unwritable = await runCli(["run", ...SOME, "--record", missing]);
  assert.deepEqual(unwritable, {
    status: 2,
    stdout: "",
    stderr: `--record ${missing}: cannot be written (ENOTDIR)\n`,
  });
  const jobs = await runCli(["run", ...SOME, "--record", "x.jsonl", "--jobs", "2"]);
  assert.equal(jobs.status, 2);
  assert.equal(jobs.stderr, "--record records one service at a time: it goes with --jobs 1\n");
});
