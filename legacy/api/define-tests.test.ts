import assert from "node:assert/strict";
import { test } from "node:test";
import { reference, spoiled } from "../testing/reference.ts";
import { defineTests } from "./define-tests.ts";
import type { TestsOptions } from "./tests-options.ts";

const LAST = "all > rules that no test above is about";

/** What a runner gives to a running test: its arguments, and its `this`. */
interface Given {
  readonly arguments?: readonly unknown[];
  readonly self?: unknown;
}

/** A test runner: defines the tests of a call, runs them one after the other, and gives the result of each by its name. */
async function outcomesOf(options: TestsOptions, given: () => Given) {
  const path: string[] = [];
  const defined: { readonly name: string; readonly run: () => Promise<void> }[] = [];
  const describe = (name: string, define: () => void) => {
    path.push(name);
    define();
    path.pop();
  };
  const it = (
    name: string,
    run: (this: unknown, ...words: unknown[]) => Promise<void>,
    timeoutMs: number,
  ) => {
    assert.equal(run.length, 0, "a runner would hand over a callback");
    assert.ok(timeoutMs > 24 * 60 * 60 * 1000);
    const { arguments: words = [], self } = given();
    defined.push({ name: [...path, name].join(" > "), run: () => run.apply(self, [...words]) });
  };
  defineTests({ describe, it }, options);
  const outcomes = new Map<string, string>();
  for (const { name, run } of defined) {
    const outcome = await run().then(
      () => "passed",
      (error: Error) => error.message,
    );
    outcomes.set(name.replace("partner-preview-1 > ", ""), outcome);
  }
  return outcomes;
}

const capabilities = { restart: false };
const broken = spoiled(
  ({ body }, { path }) => {
    if (path === "/v1/platform") body.publicServer = true;
  },
  { facts: reference.facts, capabilities },
);
const only = ["platform/same-twice", "platform/after-a-restart", "platform/constants/whole-second"];
const FAILED =
  /^FAILED {2}platform\/constants\/whole-second (?:.|\n)*\n {2}again {5}with the option only: \["platform\/c/;
const LACKS = /^needs a service of its own/;

/** Why a test was skipped, thrown as vitest and mocha do. */
class Skipped extends Error {}

test("each vector and property is a test in its suite, and its result is that of the run", async () => {
  const outcomes = await outcomesOf({ service: broken, only, runs: 0 }, () => ({
    arguments: [
      {
        skip: (reason: string) => {
          throw new Skipped(reason);
        },
      },
    ],
  }));
  assert.deepEqual([...outcomes.keys()].sort(), [...only.map((id) => `platform > ${id}`), LAST].sort());
  assert.equal(outcomes.get("platform > platform/same-twice"), "passed");
  assert.equal(outcomes.get(LAST), "passed");
  assert.match(outcomes.get("platform > platform/constants/whole-second") ?? "", FAILED);
  assert.match(outcomes.get("platform > platform/after-a-restart") ?? "", LACKS);
});

test("mocha gives what it has as this: its time limit is lifted, and the test is skipped", async () => {
  const limits: number[] = [];
  const self = {
    timeout: (ms: number) => limits.push(ms),
    skip: () => {
      throw new Skipped("pending");
    },
  };
  const outcomes = await outcomesOf({ service: broken, only, runs: 0 }, () => ({ self }));
  assert.equal(outcomes.get("platform > platform/after-a-restart"), "pending");
  assert.deepEqual(limits, [0, 0, 0, 0]);
});

test("where a runner cannot skip, as jest, the reason is a warning", async (context) => {
  const warn = context.mock.method(console, "warn", () => undefined);
  const outcomes = await outcomesOf({ service: broken, only, runs: 0 }, () => ({ self: {} }));
  assert.equal(outcomes.get("platform > platform/after-a-restart"), "passed");
  const warnings = warn.mock.calls.map(({ arguments: [text] }) => String(text));
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? "", /^platform\/after-a-restart: needs a service of its own/);
});

test("where a runner cannot skip, no test passes of what cannot be run", async () => {
  const outcomes = await outcomesOf({ command: "exit 3", only }, () => ({}));
  assert.deepEqual([...new Set(outcomes.values())], ["the adapter exited with status 3"]);
});

test("nothing is run before the first test is", () => {
  let services = 0;
  const service = {
    ...reference,
    createService: (options: Parameters<typeof reference.createService>[0]) => {
      services += 1;
      return reference.createService(options);
    },
  };
  const names: string[] = [];
  const describe = (_: string, define: () => void) => define();
  defineTests({ describe, it: (name) => names.push(name) }, { service, only: ["platform/same-twice"] });
  assert.deepEqual([names, services], [["platform/same-twice", LAST.replace("all > ", "")], 0]);
});

test("what is wrong about the options is one line, at the call", () => {
  const functions = { describe: () => undefined, it: () => undefined };
  assert.throws(() => defineTests(functions, { module: "a.ts", jobs: 1 } as never), {
    name: "UsageError",
    message: "defineTests: there is no option jobs",
  });
});
