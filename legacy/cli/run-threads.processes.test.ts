import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { rankFailures } from "../engine/run/rank-failures.ts";
import { PATHS } from "../paths.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { runCli } from "../testing/run-cli.ts";
import { spoiltModule } from "../testing/spoilt-module.ts";
import { temporaryDirectory, temporaryFile } from "../testing/temporary-file.ts";

/**
 * A service that lets nobody sign in, so that a whole run takes little time, and that gets a good deal wrong. Wherever it is
 * loaded and put to work it adds a line to the file. Random cases are dealt out beforehand: of half a dozen, a thread that
 * comes too late for any vector has enough to be at work.
 */
const moduleText = (threads: string) =>
  `import { appendFileSync } from "node:fs";
let calls = 0;
export { capabilities, implementation } from ${JSON.stringify(PATHS.reference)};
${spoiltModule(`if (++calls === 10) appendFileSync(${JSON.stringify(threads)}, "at work\\n");
      if (call.path.startsWith("/v1/auth/")) return { status: 401, body: { code: "INVALID_PROOF" } };
      return service.handle(call);`)}`;

async function reportOf(context: TestContext, options: readonly string[]): Promise<GatedReport> {
  const file = join(temporaryDirectory(context), "report.json");
  const { status, stderr } = await runCli([
    "run",
    ...options,
    "--runs",
    "6",
    "--exhaustive",
    "1",
    "--reporter",
    `json=${file}`,
  ]);
  assert.deepEqual([status, stderr], [1, ""]);
  return JSON.parse(readFileSync(file, "utf8")) as GatedReport;
}

/** What does not hang on how many take part: each of them ends the search at the first failure that it finds itself. */
function sharedBy({ durationMs, time, asked, results, advice, search, ...rest }: GatedReport): object {
  return { ...rest, depth: search?.depth, ofSequences: search?.ofSequences };
}

test("threads that share a run come to the results of one run", async (context) => {
  const threads = join(temporaryDirectory(context), "threads");
  // A module that this process has loaded once is not loaded again: each run has a file of its own.
  const module = () => temporaryFile(context, "service.ts", moduleText(threads));
  const atWork = () => readFileSync(threads, "utf8").split("\n").length;
  const one = await reportOf(context, ["--module", module(), "--jobs", "1"]);
  const alone = atWork();
  rmSync(threads);
  const two = await reportOf(context, ["--module", module(), "--jobs", "2"]);
  assert.ok(atWork() > alone, `${alone} with one thread, ${atWork()} with two`);
  const seen = ({ results }: GatedReport) =>
    results.map(({ id, outcome, failures }) => [id, outcome, failures.length]);
  assert.deepEqual(seen(two), seen(one));
  assert.deepEqual(sharedBy(two), sharedBy(one));
  const adapter = join(PATHS.examples, "typescript/skeleton-stdio.ts");
  const command = `${join(PATHS.root, "node_modules/.bin/tsx")} ${adapter} ${module()}`;
  const byLines = await reportOf(context, [
    "--command",
    command,
    "--jobs",
    "2",
    "--only",
    "platform",
    "challenge",
  ]);
  for (const report of [one, two, byLines]) assert.deepEqual(firstOf(report), FIRST);
});

/** What anybody who gets that much wrong has to mend first. */
const FIRST = ["challenge/issued/between-seconds", "ENDPOINT-2", "200", "401 INVALID_PROOF"];

function firstOf({ results }: GatedReport): readonly unknown[] {
  const [{ result, failure } = {}] = rankFailures(results);
  return [result?.id, failure?.rule, failure?.expected, failure?.got];
}

test("a service that no thread can start is an error in every part", async (context) => {
  const module = temporaryFile(
    context,
    "service.ts",
    `export const facts = { metadataHosts: ["a.example", "b.example"] };
export const createService = () => { throw new Error("no luck"); };`,
  );
  const { status, stdout, stderr } = await runCli(["run", "--module", module, "--runs", "0", "--jobs", "2"]);
  assert.deepEqual([status, stderr], [3, ""]);
  assert.match(stdout, /^ERROR {2}createService threw: no luck$/m);
});

test("a module that cannot be loaded is one line", async () => {
  const { status, stdout, stderr } = await runCli(["run", "--module", "no-such.ts", "--jobs", "2"]);
  assert.deepEqual([status, stdout], [3, ""]);
  assert.equal(stderr, "the implementation could not be run: no-such.ts: no such file\n");
});
