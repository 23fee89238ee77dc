import assert from "node:assert/strict";
import { test } from "node:test";
import { reference, spoiled } from "../testing/reference.ts";
import { judgedTests, toldTests } from "./judged-tests.ts";

const capabilities = { restart: false };
const broken = spoiled(
  ({ body }, { path }) => {
    if (path === "/v1/platform") body.publicServer = true;
  },
  { facts: reference.facts, capabilities },
);

test("what a run came to is told test by test, as data", async () => {
  const only = ["platform/same-twice", "platform/after-a-restart", "platform/constants/whole-second"];
  const told = await judgedTests({ service: broken, only, seed: "random" } as never);
  assert.match(told.name, /^partner-preview-1, seed \d+$/);
  assert.deepEqual(JSON.parse(JSON.stringify(told)), told);
  const [failed, passed, skipped] = told.tests;
  assert.deepEqual(passed, { id: "platform/same-twice", suite: "platform" });
  assert.equal(skipped?.id, "platform/after-a-restart");
  assert.match(skipped?.skipped ?? "", /^needs a service of its own/);
  assert.match(failed?.failed?.message ?? "", /^FAILED {2}platform\/constants\/whole-second /);
  assert.match(failed?.failed?.message ?? "", /\n {2}again {5}conformanceTests\(\{ …, only: \["platform\/c/);
  assert.match(failed?.failed?.stack ?? "", /platform\.yaml:\d+:1\)$/);
});

test("a call that throws is an error of its test", async () => {
  let calls = 0;
  const throwing = spoiled(() => {
    if (++calls > 0) throw new Error("boom");
  });
  const { tests } = await judgedTests({ service: throwing, only: ["platform/same-twice"] } as never);
  assert.match(tests[0]?.failed?.message ?? "", /boom/);
  assert.match(tests[0]?.failed?.stack ?? "", /\n {4}at .*platform\.yaml:\d+:1$/);
});

test("why nothing was judged is told, with the end of what was written for people", async () => {
  const command = "printf 'first\\n\\033[31mlast\\n' >&2; exit 3";
  assert.deepEqual(await toldTests({ command, only: ["platform"] }), {
    fault: {
      name: "AdapterFault",
      message: "the adapter exited with status 3: [31mlast\nits standard error:\nfirst\n\\u{1b}[31mlast",
    },
  });
  assert.deepEqual(await toldTests({ module: "a.ts", jobs: 1 } as never), {
    fault: { name: "UsageError", message: "conformanceTests: there is no option jobs" },
  });
});
