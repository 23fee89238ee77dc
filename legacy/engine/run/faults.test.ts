import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { MAX_ANSWER_BYTES } from "../../adapters/answer-limit.ts";
import type { ServiceModule } from "../../adapters/in-process.ts";
import { loadModule } from "../../adapters/load-module.ts";
import { reference } from "../../testing/reference.ts";
import { runWith, suitesOf } from "../../testing/run-vectors.ts";
import type { Report } from "./report.ts";

const SUITE = `suite: faults
vectors:
  - { id: profile, title: gives a profile, rules: [PLATFORM-1], steps: [{ platform: }] }
  - { id: both, title: gives a profile and more, rules: [PLATFORM-1], steps: [{ platform: }, { session: { for: alice } }] }
  - { id: session, title: opens a session, rules: [SESSION-1], steps: [{ session: { for: alice } }] }
  - { id: build, title: builds a draft, rules: [DRAFT-1], steps: [{ build: { by: alice } }] }
  - { id: last, title: gives a profile again, rules: [PLATFORM-1], steps: [{ platform: }] }
`;

const fileOf = (name: string) => fileURLToPath(new URL(`../../testing/services/${name}.ts`, import.meta.url));

/** A run of one of the tiny services. */
async function runService(context: TestContext, name: string): Promise<Report> {
  const report = await runWith({ suites: suitesOf(context, SUITE) }, await loadModule(fileOf(name)));
  for (const { reason } of report.results) assert.doesNotMatch(String(reason), /\n/);
  return report;
}

const told = ({ results }: Report) =>
  results.map(({ id, outcome, reason }) => [id.replace("faults/", ""), outcome, reason]);

test("a service that throws at every call is an error of each vector, and no pass", async (context) => {
  const report = await runService(context, "throws");
  const line = "handle threw: out of at luck (nowhere.ts:1:1)";
  assert.deepEqual(
    told(report),
    ["profile", "both", "session", "build", "last"].map((id) => [id, "error", line]),
  );
  assert.deepEqual([report.verdict, report.exitStatus], ["undecided", 3]);
});

test("what was seen before a fault is kept: a failure stays a failure", async (context) => {
  const report = await runService(context, "throws-after-profile");
  assert.deepEqual(told(report).slice(0, 3), [
    ["profile", "failed", undefined],
    ["both", "failed", "handle threw: out of luck"],
    ["session", "error", "handle threw: out of luck"],
  ]);
  assert.deepEqual(
    report.results.slice(0, 3).map(({ broke }) => broke),
    [undefined, true, undefined],
  );
  assert.deepEqual([report.verdict, report.exitStatus], ["does-not-conform", 1]);
});

test("a service that cannot be started is tried three times and no more", async (context) => {
  const report = await runService(context, "throws-at-start");
  const threw = "createService threw: no room for a service";
  const stopped = "not run: the adapter broke 3 times in a row";
  assert.deepEqual(told(report), [
    ["profile", "error", threw],
    ["both", "error", threw],
    ["session", "error", threw],
    ["build", "error", stopped],
    ["last", "error", stopped],
  ]);
  assert.equal(report.exitStatus, 3);
});

test("a service that breaks in one way is not started for ever, though it does well in between", async (context) => {
  const vectors = Array.from(
    { length: 40 },
    (_, row) => `  - { id: v${row}, title: gives a profile, rules: [PLATFORM-1], steps: [{ platform: }] }\n`,
  );
  let profiles = 0;
  const service: ServiceModule = {
    ...reference,
    createService: async (options) => {
      const { handle } = await reference.createService(options);
      return {
        handle(call) {
          // An answer that nobody reads to its end is a fault that ends the connection.
          if (call.path === "/v1/platform" && ++profiles % 2 === 0) return "x".repeat(MAX_ANSWER_BYTES);
          return handle(call);
        },
      };
    },
  };
  const suites = suitesOf(context, `suite: faults\nvectors:\n${vectors.join("")}`);
  const { results, totals } = await runWith({ suites }, service);
  assert.equal(
    results.at(-1)?.reason,
    "not run: the adapter broke 10 times in one way: the answer is larger than 8 MiB",
  );
  assert.equal(totals.passed, 9);
});

for (const [name, rule] of [
  ["answers-garbage", "SERVICE-1"],
  ["always-refuses", "ERROR-2"],
  ["lies-about-status", "PLATFORM-1"],
  ["hostile-text", "ERROR-2"],
] as const) {
  test(`a service that ${name.replaceAll("-", " ")} fails by ${rule}, and passes nothing`, async (context) => {
    const report = await runService(context, name);
    assert.deepEqual([report.verdict, report.exitStatus, report.totals.passed], ["does-not-conform", 1, 0]);
    assert.equal(report.rules.find(({ id }) => id === rule)?.outcome, "failed");
  });
}
