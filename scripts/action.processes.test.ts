import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { parseAction } from "@actions/workflow-parser/actions/action-parser";
import { parse } from "yaml";
import { PATHS } from "../conformance/paths.ts";
import { temporaryDirectory } from "../conformance/testing/temporary-file.ts";

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
});

test("the workflows of docs/ci.md are workflows, and give the action inputs that it has", () => {
  const page = readFileSync(join(PATHS.root, "docs/ci.md"), "utf8");
  const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
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
  assert.deepEqual([...new Set(named)].sort(), Object.keys(inputs).sort());
  for (const { run } of runs.steps) assert.doesNotMatch(run ?? "", /\$\{\{/);
});

/** Runs the judging step as GitHub does: its inputs as variables, its script by bash. */
function step(folder: string, given: Readonly<Record<string, string>>) {
  const output = join(folder, "output");
  writeFileSync(output, "");
  const values = {
    ...Object.fromEntries(Object.keys(inputs).map((name) => [name, inputs[name]?.default ?? ""])),
    ...given,
  };
  const env = Object.fromEntries(
    Object.entries(judge?.env ?? {}).map(([name, value]) => [
      name,
      value.replace(/^\$\{\{ inputs\.([a-z-]+) \}\}$/, (_, input: string) => values[input] ?? ""),
    ]),
  );
  const script = join(folder, "step.sh");
  writeFileSync(script, judge?.run ?? "");
  const { status, stdout, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...env, GITHUB_ACTION_PATH: PATHS.root, GITHUB_OUTPUT: output },
  });
  return { status, stdout, stderr, output: readFileSync(output, "utf8") };
}

test("the step judges, writes every report and hands the exit status on", (context: TestContext) => {
  const folder = temporaryDirectory(context);
  const done = step(folder, {
    only: "platform/constants\ndraft/*",
    args: "--runs\n0\n--seed=7",
    reports: "my reports",
  });
  assert.deepEqual(
    [done.status, done.output, done.stderr],
    [0, "verdict=selection-passed\n", "badge: not written, since a selection gives no verdict\n"],
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
  const paths = ["module", "url", "facts", "only", "baseline", "choices", "suite", "shard", "args"];
  for (const spoilt of [paths, ["merge", "args"]]) {
    const given = Object.fromEntries(spoilt.map((input) => [input, hostile]));
    const { status, output } = step(folder, { ...given, reports: "$(touch pwned)" });
    assert.deepEqual([status, output], [2, ""]);
    assert.ok(!existsSync(join(folder, "pwned")));
  }
});
