import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../paths.ts";
import { moduleFile } from "../testing/adapters/module-file.ts";
import { runCli } from "../testing/run-cli.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { LastRuns } from "./last-run.ts";

const FIRST = ["--only", "launches/first"];

test("the bundled example is judged where no client is named, and reports are of a client", async (context) => {
  const json = join(temporaryDirectory(context), "report.json");
  const { status, stdout, stderr } = await runCli([
    "client",
    ...FIRST,
    "--reporter",
    "console",
    "--reporter",
    `json=${json}`,
  ]);
  assert.deepEqual([status, stderr], [0, ""]);
  assert.match(stdout, /^example-client 1\.0\.0 \(TypeScript\), client module$/m);
  assert.match(stdout, /waiting for the client, /);
  const report = JSON.parse(readFileSync(json, "utf8"));
  assert.equal(report.side, "client");
  const again = await runCli(["report", json]);
  assert.match(again.stdout, /^example-client 1\.0\.0/m);
  const mixed = await runCli([
    "run",
    "--only",
    "platform/same-twice",
    "--runs",
    "0",
    "--exhaustive",
    "0",
    "--reporter",
    `json=${json}.2`,
  ]);
  assert.equal(mixed.status, 0);
  const compared = await runCli(["compare", json, `${json}.2`]);
  assert.deepEqual(
    [compared.status, compared.stderr],
    [2, `${json}.2: is of a service, and ${json} of a client\n`],
  );
});

test("what a client breaks ends with 1, is remembered apart from services, and known by a baseline", async (context) => {
  const leaky = `import { launch as right } from ${JSON.stringify(PATHS.exampleClient)};
    export const launch = (task, { handle, ...tools }) =>
      right(task, { ...tools, handle: (call) => handle({ ...call, "x-key": task.creator.secretKeyBase64 }) });`;
  const module = moduleFile(context, "leaky.mjs", leaky);
  const cwd = temporaryDirectory(context);
  const lastRuns = new LastRuns({ environment: { LAUNCH_DRAFT_CACHE: cwd }, cwd });
  const client = (...words: string[]) => runCli(["client", "--module", module, ...words], { lastRuns });
  const broken = await client(...FIRST);
  assert.equal(broken.status, 1);
  assert.match(broken.stdout, /^FAILED {2}launches\/first .*\n {2}CLIENT-SECRET-1 /m);
  assert.match(broken.stdout, / client --module .*leaky\.mjs --only launches\/first --seed 1$/m);
  const baseline = join(cwd, "known.yaml");
  const known = await client(...FIRST, "--baseline", baseline, "--update-baseline");
  assert.equal(known.status, 0);
  assert.match(readFileSync(baseline, "utf8"), /launches\/first/);
  const failed = await client("--failed");
  assert.match(failed.stdout + failed.stderr, /launches\/first|nothing failed/);
  const service = await runCli(["run", "--module", module, "--failed"], { lastRuns });
  assert.match(service.stderr, /no run of this implementation is remembered/);
});

test("a client that cannot be run ends with 3, and one line", async (context) => {
  const module = moduleFile(context, "none.mjs", "export const launched = 1;");
  assert.deepEqual(await runCli(["client", "--module", module]), {
    status: 3,
    stdout: "",
    stderr: `the client could not be run: ${module} exports no launch; it exports: launched\n`,
  });
  const program = await runCli(["client", "--command", "no-such-program", ...FIRST]);
  assert.equal(program.status, 3);
  assert.match(
    program.stderr,
    /^the client could not be run: launches\/first: the client exited with status 127 without a result: /,
  );
});
