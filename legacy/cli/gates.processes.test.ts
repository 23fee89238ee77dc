import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { GatedReport } from "../policies/gated-report.ts";
import { contract } from "../testing/contract-data.ts";
import { keptOutput } from "../testing/output.ts";
import { spoiltModule } from "../testing/spoilt-module.ts";
import { temporaryDirectory, temporaryFile } from "../testing/temporary-file.ts";
import { CHANCE } from "./chance.ts";
import { type MergeCommandOptions, mergeCommand } from "./merge-command.ts";
import { type RunCommandOptions, runCommand } from "./run-command.ts";

/** A part of the suite that shows some choices and is quick; that the rest is not tried is accepted. */
const OPTIONS: RunCommandOptions = {
  only: ["platform/constants"],
  seed: 1,
  bail: false,
  runs: 0,
  maxWaitMs: 90_000,
  reporter: [],
  allowUntried: [...contract.rules.keys()],
  verbose: false,
  jobs: 1,
  timeoutMs: 5_000,
};
const NOON = Date.parse("2026-11-21T12:00:00Z");
const DAY = 86_400_000;

function edge(nowMs = NOON) {
  const errors: string[] = [];
  const output = { ...keptOutput(), err: (text: string) => errors.push(text) };
  return {
    errors,
    output,
    time: { now: () => nowMs, sleep: async () => {} },
    chance: CHANCE,
    stopped: () => undefined,
  };
}

const run = (options: Partial<RunCommandOptions>, nowMs?: number) =>
  runCommand({ ...OPTIONS, ...options }, edge(nowMs));
const merge = (options: Partial<MergeCommandOptions>) =>
  mergeCommand({ files: [], reporter: [], verbose: false, ...options }, edge());

/** A service whose profile has one value wrong. */
function brokenService(context: TestContext): string {
  return temporaryFile(
    context,
    "service.ts",
    spoiltModule(`const answer = service.handle(call);
      return call.path === "/v1/platform" ? { ...answer, body: { ...answer.body, mode: "LIVE" } } : answer;`),
  );
}

test("a baseline that was written waives the same failures, until they are over or out of time", async (context) => {
  const module = brokenService(context);
  const baseline = join(temporaryDirectory(context), "known.yaml");
  assert.equal(await run({ module, baseline, updateBaseline: true }), 0);
  const text = readFileSync(baseline, "utf8");
  assert.match(
    text,
    /^ {2}- id: platform\/\S+\n {4}rules: \[PLATFORM-\d+\]\n {4}reason: not yet explained$/m,
  );
  const shard = { index: 1, of: 1 };
  assert.equal(await run({ module, baseline, allowUntried: [] }), 0, "what was not selected is not untried");
  assert.equal(
    await run({ module, baseline, allowUntried: [], shard }),
    0,
    "nor what other parts are to try",
  );
  assert.equal(await run({ baseline }), 1, "the reference has none of these failures");
  assert.equal(await run({ baseline, only: ["draft"] }), 0, "what was not run is not stale");

  writeFileSync(baseline, text.replaceAll("reason: ", "expires: 2026-11-21\n    reason: "));
  assert.equal(await run({ module, baseline }), 0);
  assert.equal(await run({ module, baseline, updateBaseline: true }, NOON + DAY), 1, "no day is put off");
});

test("choices that were written hold the same service, and not one that takes another reading", async (context) => {
  const choices = join(temporaryDirectory(context), "choices.yaml");
  assert.equal(await run({ choices, updateChoices: true }), 0);
  assert.equal(await run({ choices }), 0);
  const text = readFileSync(choices, "utf8");
  assert.match(text, /^ {2}SIGNING-DESCRIPTION: signing$/m);
  writeFileSync(choices, text.replace("SIGNING-DESCRIPTION: signing", "SIGNING-DESCRIPTION: another"));
  assert.equal(await run({ choices }), 1);
  assert.equal(await run({ choices, updateChoices: true }), 0);
  assert.equal(readFileSync(choices, "utf8"), text);
});

test("a file that cannot be written is one line, and no success", async (context) => {
  const folder = join(temporaryDirectory(context), "nowhere");
  const told = edge();
  const files = { baseline: join(folder, "known.yaml"), choices: join(folder, "choices.yaml") };
  const options = { ...OPTIONS, ...files, updateBaseline: true, updateChoices: true };
  assert.equal(await runCommand(options, told), 2);
  assert.deepEqual(
    told.errors,
    Object.values(files).map(
      (file) => `${file}: could not be written (ENOENT); the run is judged without it\n`,
    ),
  );
});

for (const [options, name, message] of [
  [{ updateBaseline: true }, "UsageError", /^--update-baseline goes with --baseline FILE, which it writes$/],
  [{ updateChoices: true }, "UsageError", /^--update-choices goes with --choices FILE, which it writes$/],
  [{ baseline: "/nowhere.yaml" }, "DataError", /^\/nowhere\.yaml: cannot be read \(ENOENT\)$/],
  [{ choices: "/nowhere.yaml" }, "DataError", /^\/nowhere\.yaml: cannot be read \(ENOENT\)$/],
  [
    { shard: { index: 1, of: 2 }, choices: "c.yaml", updateChoices: true },
    "UsageError",
    /^--update-choices goes with merge, not with --shard$/,
  ],
] as const) {
  test(`run with ${JSON.stringify(options)} says what is wrong, and runs nothing`, async (context) => {
    const started = join(temporaryDirectory(context), "started");
    const module = temporaryFile(
      context,
      "service.mjs",
      `import { writeFileSync } from "node:fs";
export const facts = { metadataHosts: ["a.example", "b.example"] };
export const createService = () => writeFileSync(${JSON.stringify(started)}, "");`,
    );
    await assert.rejects(run({ module, ...options }), { name, message });
    assert.equal(existsSync(started), false);
  });
}

test("shards give 0 where nothing failed in them, and their merge what one run gives", async (context) => {
  const folder = temporaryDirectory(context);
  const file = (name: string) => join(folder, `${name}.json`);
  const read = (name: string) => {
    // What a run's time went on differs from run to run, and each part measures the service for itself.
    const { time: _, ...report } = JSON.parse(readFileSync(file(name), "utf8")) as GatedReport;
    return { ...report, durationMs: 0 };
  };
  const shards = async (name: string, more: Partial<RunCommandOptions>) => {
    const files = [1, 2].map((index) => file(`${name}-${index}`));
    const statuses: number[] = [];
    for (const [place, path] of files.entries()) {
      const shard = { index: place + 1, of: 2 };
      statuses.push(await run({ ...more, shard, reporter: [`json=${path}`] }));
    }
    return { files, statuses };
  };
  const good = await shards("good", {});
  assert.deepEqual(good.statuses, [0, 0]);
  assert.equal(read("good-1").verdict, "undecided");
  assert.equal(await run({ reporter: [`json=${file("single")}`] }), 0);
  assert.equal(await merge({ files: good.files, reporter: [`json=${file("merged")}`] }), 0);
  assert.deepEqual(read("merged"), read("single"));

  const module = brokenService(context);
  const baseline = join(folder, "known.yaml");
  const bad = await shards("bad", { module });
  assert.equal(await merge({ files: bad.files }), 1);
  assert.equal(await merge({ files: bad.files, baseline, updateBaseline: true }), 0);
  assert.equal(await merge({ files: bad.files, baseline }), 0);
  assert.equal(await merge({ files: good.files, baseline }), 1, "stale");

  const told = edge();
  await mergeCommand({ files: bad.files, reporter: [], verbose: false }, told);
  assert.match(told.output.texts.join(""), /^ {2}again .* --module \S+ --only platform\/\S+ --seed 1$/m);
});
