import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { parseAction } from "@actions/workflow-parser/actions/action-parser";
import { parse } from "yaml";
import { flagOf, namesWith } from "../legacy/cli/options.ts";
import { PATHS } from "../legacy/paths.ts";
import { runCli } from "../legacy/testing/run-cli.ts";
import { temporaryDirectory } from "../legacy/testing/temporary-file.ts";

interface Step {
  readonly id?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** How GitHub hands all inputs over as JSON. */
const ALL_INPUTS = /^\$\{\{ toJSON\(inputs\) \}\}$/;

const text = readFileSync(join(PATHS.root, "action.yml"), "utf8");
const { inputs, runs } = parse(text) as Action;
const judge = runs.steps.find(({ id }) => id === "judge");

/** What GitHub's own parser has against a file. */
const faultsOf = ({ context }: Pick<ReturnType<typeof parseAction>, "context">) =>
  context.errors.getErrors().map(({ message }) => message);

test("GitHub's parser takes the action, and not one with a slip in it", () => {
  const faults = (content: string) =>
    faultsOf(parseAction({ name: "action.yml", content }, new NoOperationTraceWriter()));
  assert.deepEqual(faults(text), []);
  assert.notDeepEqual(faults(text.replace("using: composite", "using: composit")), []);
  assert.notDeepEqual(faults(text.replace("shell: bash", "shel: bash")), []);
  assert.equal(judge?.run, '"$GITHUB_ACTION_PATH/scripts/action.sh"');
});

/** Most of them stand in docs/ci.md. */
test("the documents' workflows are workflows, and give the action inputs that it has", () => {
  const docs = readdirSync(join(PATHS.root, "docs")).filter((name) => name.endsWith(".md"));
  const pages = ["README.md", ...docs.map((name) => join("docs", name))];
  const texts = pages.map((name) => readFileSync(join(PATHS.root, name), "utf8")).join("\n");
  const blocks = [...texts.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  const workflows = blocks.filter((block) => /^jobs:/m.test(block));
  assert.ok(workflows.length >= 2);
  for (const content of workflows) {
    const parsed = parseWorkflow({ name: "ci.yml", content }, new NoOperationTraceWriter());
    assert.deepEqual(faultsOf(parsed), [], content);
    const { jobs } = parse(content) as {
      jobs: Record<string, { steps: { uses?: string; with?: Record<string, unknown> }[] }>;
    };
    const given = Object.values(jobs)
      .flatMap(({ steps }) => steps)
      .filter(({ uses }) => uses?.includes("launch-draft-conformance"));
    assert.ok(given.length > 0);
    for (const name of given.flatMap((step) => Object.keys(step.with ?? {})))
      assert.ok(Object.hasOwn(inputs, name), name);
  }
});

test("every input is used, and none as text of a script", () => {
  const named = [...text.matchAll(/inputs\.([a-z-]+)/g)].map(([, name]) => name ?? "");
  const script = readFileSync(join(PATHS.root, "scripts/action.sh"), "utf8");
  const read = ["side", "merge", "args", "reports"];
  for (const name of read) assert.match(script, new RegExp(`\\b${name}\\b`));
  const options = namesWith("action").map((name) => flagOf(name).slice(2));
  assert.deepEqual([...new Set([...named, ...read, ...options])].sort(), Object.keys(inputs).sort());
  assert.deepEqual(Object.keys(judge?.env ?? {}), ["INPUTS"]);
  assert.match(judge?.env?.["INPUTS"] ?? "", ALL_INPUTS);
  for (const { run } of runs.steps) assert.doesNotMatch(run ?? "", /\$\{\{/);
});

/** Runs a step of the action as GitHub does: its inputs as a variable, its script by bash. */
function runStep(
  { env = {}, run = "" }: Step,
  { folder, action = PATHS.root, given }: Judged,
): { status: number | null; stdout: string; stderr: string } {
  const values = {
    ...Object.fromEntries(Object.keys(inputs).map((name) => [name, inputs[name]?.default ?? ""])),
    ...given,
  };
  const variables = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      ALL_INPUTS.test(value) ? JSON.stringify(values) : value,
    ]),
  );
  const script = join(folder, "step.sh");
  writeFileSync(script, run);
  return spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
    cwd: folder,
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      ...variables,
      GITHUB_ACTION_PATH: action,
      GITHUB_OUTPUT: join(folder, "output"),
      GITHUB_STEP_SUMMARY: join(folder, "summary"),
      GITHUB_WORKSPACE: folder,
    },
  });
}

/** Where the judging step runs, by which copy of the action, and what a workflow gives it. */
interface Judged {
  readonly folder: string;
  readonly action?: string;
  readonly given: Readonly<Record<string, string>>;
}

/** Runs the judging step, and gives what it left behind. */
function step(folder: string, given: Judged["given"], action = PATHS.root) {
  for (const file of ["output", "summary"]) writeFileSync(join(folder, file), "");
  assert.ok(judge !== undefined);
  const { status, stdout, stderr } = runStep(judge, { folder, action, given });
  const [output, summary] = ["output", "summary"].map((file) => readFileSync(join(folder, file), "utf8"));
  return { status, stdout, stderr, output, summary };
}

/** A user's repository, of npm and as `init` makes it: its service answers every call 404. */
async function repository(context: TestContext): Promise<string> {
  const folder = temporaryDirectory(context);
  const { status, stderr } = await runCli(["init", "--language", "ts", folder]);
  assert.equal(status, 0, stderr);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  return folder;
}

const BRIEFLY = "--runs\n0\n--exhaustive\n0";

test("a client is judged where the side is one, and no other side than the two", async (context) => {
  const folder = temporaryDirectory(context);
  assert.equal((await runCli(["init", "--client", folder])).status, 0);
  const { status, stdout, output } = step(folder, {
    side: "client",
    module: "client.ts",
    only: "launches/first",
  });
  assert.deepEqual([status, output], [1, "verdict=does-not-conform\n"]);
  assert.match(stdout, /^::error title=launches\/first fails CLIENT-FLOW-1/m);
  assert.deepEqual(step(folder, { side: "server" }), {
    status: 2,
    stdout: "",
    stderr: "side must be service or client, got server\n",
    output: "",
    summary: "",
  });
});

test("a service that does not conform: every report, an annotation, a summary, the verdict and status 1", async (context) => {
  const folder = await repository(context);
  const { status, stdout, stderr, output, summary } = step(folder, {
    module: "skeleton.ts",
    args: `${BRIEFLY}\n--bail`,
  });
  assert.deepEqual([status, stderr, output], [1, "", "verdict=does-not-conform\n"]);
  assert.match(stdout, /^does not conform/m);
  assert.match(stdout, /^::error title=platform\/constants\/between-seconds fails /m);
  assert.match(summary ?? "", /^<h2>❌ my-service 0\.0\.0: does not conform<\/h2>$/m);
  const reports = join(folder, "conformance-reports");
  assert.deepEqual(readdirSync(reports).sort(), ["badge.json", "junit.xml", "report.html", "report.json"]);
  const badge = JSON.parse(readFileSync(join(reports, "badge.json"), "utf8"));
  assert.match(badge.message, /^does not conform, /);
});

test("known failures: a baseline is written, holds, and fails the run where it is stale", async (context) => {
  const folder = await repository(context);
  const given = { module: "skeleton.ts", only: "platform/constants/*", baseline: "known.yaml" };
  assert.equal(step(folder, { ...given, args: `${BRIEFLY}\n--update-baseline` }).status, 0);
  const held = step(folder, { ...given, args: BRIEFLY });
  assert.deepEqual([held.status, held.output], [0, "verdict=does-not-conform\n"]);
  assert.doesNotMatch(held.stdout, /^::error /m);
  assert.match(held.summary ?? "", /known failure: <code>platform\/constants\//);
  const mended = step(folder, { ...given, module: PATHS.reference, args: BRIEFLY });
  assert.equal(mended.status, 1);
  assert.match(mended.summary ?? "", /stale/);
});

/** What a release of the action is: the files of the project, and none that was made of them. */
function copyOfAction(context: TestContext): string {
  const copy = temporaryDirectory(context);
  const listed = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: PATHS.root,
    encoding: "utf8",
  });
  for (const file of listed.stdout.split("\0").filter((name) => existsSync(join(PATHS.root, name))))
    if (file !== "") cpSync(join(PATHS.root, file), join(copy, file));
  return copy;
}

test("the whole action, with no package but those that it installs: a service that conforms", async (context) => {
  const folder = await repository(context);
  const action = copyOfAction(context);
  const service = join(action, relative(PATHS.root, PATHS.reference));
  writeFileSync(join(folder, "service.ts"), `export * from ${JSON.stringify(service)};\n`);
  const given = { module: "service.ts", args: BRIEFLY };
  for (const each of runs.steps.filter((one) => one.run !== undefined && one !== judge)) {
    const { status, stderr } = runStep(each, { folder, action, given });
    assert.equal(status, 0, stderr);
  }
  const { status, stdout, stderr, output, summary } = step(folder, given, action);
  assert.deepEqual([status, stderr, output], [0, "", "verdict=conforms\n"], stdout);
  assert.doesNotMatch(stdout, /^::error /m);
  assert.match(summary ?? "", /^<h2>✅ /);
});

test("the step judges, writes every report and hands the exit status on", (context: TestContext) => {
  const folder = temporaryDirectory(context);
  const done = step(folder, {
    only: "platform/constants\ndraft/*",
    args: "--runs\n0\n--seed=7",
    reports: "my reports",
  });
  assert.deepEqual(
    [done.status, done.output, done.stderr],
    [0, "verdict=selection-passed\n", "badge: not written, since no verdict is given\n"],
  );
  assert.match(done.stdout, /seed 7, 0 runs a property/);
  assert.deepEqual(readdirSync(join(folder, "my reports")).sort(), [
    "junit.xml",
    "report.html",
    "report.json",
  ]);
});

test("shards that the step ran are merged by it", (context: TestContext) => {
  const folder = temporaryDirectory(context);
  const part = { only: "platform/constants", args: "--runs\n0" };
  for (const index of [1, 2]) {
    const { status, output } = step(folder, { ...part, shard: `${index}/2`, reports: `part ${index}` });
    assert.deepEqual([status, output], [0, "verdict=undecided\n"]);
  }
  const merged = step(folder, { merge: "part */report.json" });
  assert.deepEqual([merged.status, merged.output], [0, "verdict=selection-passed\n"]);
  assert.match(merged.stdout, /3 passed, 0 failed/);
  const missing = step(folder, { merge: "part 1/report.json" });
  assert.deepEqual([missing.status, missing.output], [2, ""]);
  assert.match(missing.stderr, /^merge: shard 2\/2 is missing\n$/);
});

test("nothing in a value runs, or becomes an option", (context: TestContext) => {
  const folder = temporaryDirectory(context);
  const hostile = "$(touch pwned) `touch pwned` \"; touch pwned; ' --bail";
  const paths = ["module", "url", "facts", "only", "baseline", "choices", "shard", "args"];
  for (const spoilt of [paths, ["merge", "args"]]) {
    const given = Object.fromEntries(spoilt.map((input) => [input, hostile]));
    const { status, output } = step(folder, { ...given, reports: "$(touch pwned)" });
    assert.deepEqual([status, output], [2, ""]);
    assert.ok(!existsSync(join(folder, "pwned")));
  }
  const merged = step(folder, { merge: "--reporter=json=pwned" });
  assert.deepEqual([merged.status, merged.output], [2, ""]);
  assert.match(merged.stderr, /^--reporter=json=pwned: cannot be read \(ENOENT\)$/m);
});
