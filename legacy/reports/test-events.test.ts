import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { outcomesReport } from "../testing/outcomes-report.ts";
import { REPORT_CONTEXT } from "../testing/reporting.ts";
import { temporaryDirectory, temporaryFile } from "../testing/temporary-file.ts";
import { testEvents } from "./test-events.ts";
import { viewOf } from "./view.ts";

const EVENTS = [...testEvents(viewOf(outcomesReport(), REPORT_CONTEXT))];

/** The data of the event that ends the test of this name. */
function ending(name: string) {
  for (const { type, data } of EVENTS) {
    if ((type === "test:pass" || type === "test:fail") && data.name === name) return { type, ...data };
  }
  throw new Error(`no test ${name}`);
}

test("results are tests in suites, each begun, ended and counted once", () => {
  const lines = EVENTS.flatMap(({ type, data }) =>
    type === "test:start" || type === "test:pass" || type === "test:fail"
      ? [`${"  ".repeat(data.nesting)}${type.slice(5)} ${data.name}`]
      : type === "test:plan"
        ? [`${"  ".repeat(data.nesting)}plan ${data.count}`]
        : [],
  );
  assert.deepEqual(
    lines.slice(-11),
    [
      "start errors",
      "  start errors/broken",
      "  fail errors/broken",
      "  plan 1",
      "fail errors",
      "start property",
      "  start property/good",
      "  pass property/good",
      "  start property/bad",
      "  fail property/bad",
      "  plan 2",
    ]
      .concat(["fail property", "plan 3"])
      .slice(-11),
  );
});

test("a failure says what broke in one line, and all in the error behind it", () => {
  const { type, file, line, column, testNumber, details, classname } = ending("limits/bad");
  assert.deepEqual(
    { type, file, line, column, testNumber, classname, details: { ...details, error: undefined } },
    {
      type: "test:fail",
      file: resolve("vectors/suites/sample.yaml"),
      line: 12,
      column: 1,
      testNumber: 2,
      classname: "limits",
      details: { duration_ms: 0, type: "test", error: undefined },
    },
  );
  const error = details.error as Error & { readonly code: string; readonly failureType: string };
  assert.deepEqual(
    [error.code, error.failureType, error.message],
    ["ERR_TEST_FAILURE", "testCodeFailure", "LIMIT-1: status: 400 INVALID_FIELDS, not 200"],
  );
  const { name, message, stack } = error.cause as Error;
  assert.deepEqual([name, message.split("\n")[0]], ["RuleBroken", error.message]);
  assert.match(
    stack ?? "",
    /^RuleBroken: LIMIT-1: .*\nFAILED {2}limits\/bad {3}vectors\/suites\/sample\.yaml:12, step 1\n/,
  );
  assert.match(
    stack ?? "",
    /\n {2}again {5}npx kit run --module .*\n {4}at limits\/bad \(.*\/sample\.yaml:12:1\)$/,
  );
  assert.doesNotMatch(stack ?? "", /test-failure\.ts/);
});

test("an error of the adapter is told from a failure", () => {
  const { type, details } = ending("errors/broken");
  const error = details.error as Error & { readonly failureType: string };
  assert.deepEqual(
    [type, error.failureType, error.message],
    ["test:fail", "adapterFault", "the adapter broke: no answer within 5 s\n"],
  );
});

test("a skip has its reason; a failure that does not count is one to do, with the reason why", () => {
  assert.deepEqual(
    [ending("limits/unable").type, ending("limits/unable").skip],
    ["test:pass", "needs the operator key"],
  );
  assert.deepEqual(
    [ending("limits/known").type, ending("limits/known").todo],
    ["test:fail", "to be mended https://a.example/1"],
  );
  const { error } = ending("limits").details;
  assert.equal(error?.message, "1 subtest failed");
});

test("the run ends with the verdict and node:test's counts", () => {
  const told = EVENTS.flatMap(({ type, data }) => (type === "test:diagnostic" ? [data.message] : []));
  assert.deepEqual(told, [
    "kit launch-draft-conformance 1.2.3, contract partner-preview-1, seed 7",
    "implementation my-service 0.9, stdio",
    "suite 1.2.3 0123456789ab, 5 of 7 run",
    "verdict does-not-conform",
    "tests 7",
    "suites 3",
    "pass 2",
    "fail 3",
    "cancelled 0",
    "skipped 1",
    "todo 1",
    "duration_ms 1234",
  ]);
  const last = EVENTS.at(-1);
  assert.ok(last?.type === "test:summary");
  assert.deepEqual([last.data.success, last.data.counts.failed, last.data.file], [false, 3, undefined]);
});

test("every member that node:test gives to an event is there", async (context) => {
  const suite = `import { describe, it } from "node:test";
describe("suite", () => {
  it("passes", () => {});
  it("fails", () => { throw new Error("no"); });
  it("is skipped", { skip: "why" }, () => {});
  it("is to be done", { todo: "why" }, () => { throw new Error("no"); });
});`;
  const reporter = `export default async function* (source) {
  for await (const { type, data } of source) if (type !== "test:summary" || data.file === undefined) yield JSON.stringify([type, Object.keys(data), Object.keys(data.details ?? {})]) + "\\n";
}`;
  const directory = temporaryDirectory(context);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      "--test",
      `--test-reporter=${pathToFileURL(temporaryFile(context, "keys.mjs", reporter)).href}`,
      temporaryFile(context, "sample.mjs", suite),
    ],
    { cwd: directory, env: { PATH: process.env["PATH"] } },
  ).catch((failed: { readonly stdout: string }) => failed);
  const ours = new Map<string, Set<string>>();
  for (const { type, data } of EVENTS) {
    const details = "details" in data ? Object.keys(data.details) : [];
    const keys = ours.get(type) ?? new Set();
    ours.set(type, keys);
    for (const key of [...Object.keys(data), ...details]) keys.add(key);
  }
  const lines = stdout.trim().split("\n");
  assert.ok(lines.length > 10);
  for (const line of lines) {
    const [type, keys, details] = JSON.parse(line) as [string, string[], string[]];
    const missing = [...keys, ...details].filter((key) => !ours.get(type)?.has(key));
    assert.deepEqual(missing, [], type);
  }
});
