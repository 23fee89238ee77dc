import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { runCli } from "../testing/run-cli.ts";
import { spoiltModule } from "../testing/spoilt-module.ts";
import { temporaryDirectory, temporaryFile } from "../testing/temporary-file.ts";
import { LastRuns } from "./last-run.ts";

const CONSTANTS = ["--only", "platform/constants", "--runs", "0", "--exhaustive", "0"];

/** A module that is the reference but for its profile, and runs of it that are remembered. */
function spoilt(context: TestContext) {
  const module = temporaryFile(
    context,
    "service.ts",
    spoiltModule(`const answer = service.handle(call);
      if (call.path === "/v1/platform" && !process.env["SPOILT_PROFILE_IS_MENDED"]) answer.body["mode"] = "LIVE";
      return answer;`),
  );
  const cwd = temporaryDirectory(context);
  const lastRuns = new LastRuns({ environment: { LAUNCH_DRAFT_CACHE: cwd }, cwd });
  const run = (...words: string[]) => runCli(["run", "--module", module, ...words], { lastRuns });
  return { cwd, run };
}

test("what failed last time is run again by itself, until nothing does", async (context) => {
  const { cwd, run } = spoilt(context);
  const report = join(cwd, "report.json");
  assert.deepEqual(await run("--failed"), {
    status: 2,
    stdout: "",
    stderr:
      "--failed: no run of this implementation is remembered; run it once without --failed, or name a json report\n",
  });
  const first = await run(...CONSTANTS, "--seed", "5", "--only", "routes/*", "--reporter", `json=${report}`);
  assert.equal(first.status, 1);
  const again = await run("--failed");
  assert.equal(again.status, 1);
  assert.match(again.stdout, /^.* seed 5, 0 runs a property$/m);
  assert.match(again.stdout, /^selection: 3 of \d+ vectors and properties, no verdict on the whole/m);
  process.env["SPOILT_PROFILE_IS_MENDED"] = "yes";
  context.after(() => delete process.env["SPOILT_PROFILE_IS_MENDED"]);
  assert.match((await run("--failed", report)).stdout, /^selection passed: /m);
  assert.deepEqual(await run("--failed"), {
    status: 0,
    stdout: "nothing failed in the last run: nothing was run\n",
    stderr: "",
  });
});

test("what does not go with --failed is said", async (context) => {
  const { run } = spoilt(context);
  for (const [words, message] of [
    [["--failed", "--only", "platform"], "--failed chooses by itself: it goes with no --only\n"],
    [["--failed", "--shard", "1/2"], "--failed chooses by itself: it goes with no --shard\n"],
    [
      ["--failed", "nowhere.json"],
      "--failed nowhere.json: no such file (a target goes first: run nowhere.json --failed)\n",
    ],
    [["--failed", "package.json"], /^package\.json: no report of this kit/],
  ] as const) {
    const { status, stderr } = await run(...words);
    assert.equal(status, 2);
    if (typeof message === "string") assert.equal(stderr, message);
    else assert.match(stderr, message);
  }
});
