import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as reference from "../reference/service.ts";
import { defineTests, judge, type ServiceDefinition, type ServiceTarget } from "./index.ts";

const REFERENCE = new URL("../reference/service.ts", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "library-test-"));
after(() => rmSync(folder, { recursive: true }));

const wrongScope: ServiceDefinition = {
  ...reference,
  createService(options) {
    const service = reference.createService(options);
    return {
      handle(call) {
        const { status, body } = service.handle(call);
        return { status, body: "scope" in body ? { ...body, scope: "other" } : body };
      },
    };
  },
};

test("judge tests an object or a module file, and rejects if a server cannot be reached", async () => {
  const only = ["session/issued/*", "platform/same-twice"];
  const { verdict, tests, rules } = await judge(wrongScope, { only });
  assert.deepEqual(verdict, { conclusion: "none", exitStatus: 1 });
  assert.ok(tests.failed > 0);
  assert.equal(rules.find(({ id }) => id === "SESSION-3")?.outcome, "violated");
  const ofModule = await judge({ module: REFERENCE }, { only });
  assert.equal(ofModule.service.name, "launch-draft-reference");
  assert.equal(ofModule.tests.passed, tests.passed + tests.failed);
  await assert.rejects(judge({ url: "http://127.0.0.1:1", facts: reference.facts }), (error: Error) => {
    assert.equal(error.name, "ImplementationError");
    return /cannot be reached/.test(error.message);
  });
});

test("a signal ends a run, and the report has the results so far", async () => {
  const { run, verdict } = await judge(reference, { signal: AbortSignal.abort("enough") });
  assert.deepEqual(run.ended, { by: "signal", reason: "enough" });
  assert.equal(verdict.conclusion, "undecided");
});

test("a wrong target, option, or selection is an error that says what to do", async () => {
  const wrong: readonly (readonly [object, object, RegExp])[] = [
    [{}, {}, /^TypeError: the service must have exactly one of createService, .*, url, got none$/],
    [{ module: "a.ts", url: "http://x" }, {}, /got module and url$/],
    [reference, { onyl: [] }, /^TypeError: unknown option "onyl"; did you mean "only"\?$/],
    [null as never, {}, /^TypeError: service must be an object, got null$/],
    [reference, null as never, /^TypeError: options must be an object, got null$/],
    [reference, { only: "session/**" }, /^TypeError: only must be a list of globs, .*, got "session\/\*\*"$/],
    [reference, { only: [1] }, /^TypeError: only must be a list of globs, .*, got \[1\]$/],
    [reference, { seed: "x" }, /^TypeError: seed must be an integer of 0 or more, got "x"$/],
    [reference, { jobs: 0 }, /^TypeError: jobs must be an integer from 1 to 64, got 0$/],
    [
      reference,
      { timeoutMs: "5s" },
      /^TypeError: timeoutMs must be an integer of ms from 0 to .*, got "5s"$/,
    ],
    [reference, { signal: 1 }, /^TypeError: signal must be an AbortSignal, got 1$/],
    [{ module: null }, {}, /^TypeError: module must be a path or a file URL, got null$/],
    [{ url: "localhost:80" }, {}, /^TypeError: url must be an http or https URL, .*, got "localhost:80"$/],
    [{ url: "http://x" }, {}, /^TypeError: url requires controlUrl or facts, /],
    [reference, { shard: "3/2" }, /^TypeError: shard must be I\/N, such as 1\/4/],
    [reference, { only: ["nothing"] }, /^DataError: --only nothing: no vector or property matches/],
  ];
  for (const [target, options, message] of wrong)
    await assert.rejects(judge(target as ServiceTarget, options), (error) => message.test(String(error)));
});

/** Runs the tests one after the other, as mocha does. Returns their outcomes. */
async function runTests(service: ServiceTarget, only: readonly string[]) {
  const tests: { readonly name: string; readonly play: (...given: unknown[]) => Promise<void> }[] = [];
  const names: string[] = [];
  const functions = {
    describe(name: string, define: () => void) {
      names.push(name);
      define();
      names.pop();
    },
    it: (name: string, play: (...given: unknown[]) => Promise<void>) => {
      tests.push({ name: [...names, name].join(" > "), play });
    },
  };
  defineTests(functions, service, { only });
  const outcomes = new Map<string, string>();
  for (const { name, play } of tests) {
    assert.equal(play.length, 0);
    outcomes.set(name, "passed");
    const skip = (reason: string) => outcomes.set(name, `skipped: ${reason}`);
    await play({ skip }).catch((error: Error) => outcomes.set(name, error.message));
  }
  return outcomes;
}

test("defineTests defines a test for each vector; the error of a failed test describes the failure", async () => {
  const outcomes = await runTests(wrongScope, [
    "session/issued/*",
    "platform/same-twice",
    "over-http/chunked",
  ]);
  const prefix = "partner-preview-1 >";
  assert.equal(outcomes.get(`${prefix} platform > platform/same-twice`), "passed");
  assert.match(outcomes.get(`${prefix} over-http > over-http/chunked`) ?? "", /^skipped: needs a server/);
  assert.match(
    outcomes.get(`${prefix} session > session/issued/whole-second`) ?? "",
    /^\nFAILED {2}session\/issued\/whole-second\n {2}SESSION-3 [\s\S]+\n {2}expected {3}scope: "offline:launch-draft"\n/,
  );
  assert.equal([...outcomes.values()].at(-1), "passed");
});

test("the last test fails if a rule is violated only in tests of other rules", async () => {
  const outcomes = await runTests(wrongScope, ["idempotency/changed-symbol/*"]);
  assert.match([...outcomes.values()].at(-1) ?? "", /^\nFOUND {3}in idempotency\/\S+[\s\S]*SESSION-3/);
});

test("if a service cannot be reached, the first test fails, and the others are skipped", async () => {
  const outcomes = [...(await runTests({ module: join(folder, "none.ts") }, ["platform/*"])).values()];
  assert.match(outcomes[0] ?? "", /none\.ts: no such file/);
  assert.deepEqual([...new Set(outcomes.slice(1))], ["skipped: not run: the run failed"]);
});
