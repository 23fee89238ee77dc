import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { moduleProcessAdapter } from "../../adapters/module-process.ts";
import { runWith, suitesOf } from "../../testing/run-vectors.ts";
import type { Report } from "./report.ts";

const SUITE = `suite: faults
vectors:
  - { id: profile, title: gives a profile, rules: [PLATFORM-1], steps: [{ platform: }] }
  - { id: both, title: gives a profile and more, rules: [PLATFORM-1], steps: [{ platform: }, { session: { for: alice } }] }
`;

/** A run of one of the tiny services in a process of its own, as for --module. */
async function runApart(context: TestContext, name: string): Promise<Report> {
  const adapter = moduleProcessAdapter({
    file: fileURLToPath(new URL(`../../testing/services/${name}.ts`, import.meta.url)),
    timeoutMs: 500,
  });
  context.after(() => adapter.close());
  return runWith({ suites: suitesOf(context, SUITE), adapter });
}

for (const name of ["never-answers", "loops"]) {
  test(`a service that ${name.replace("-", " ")} takes neither the kit nor a pass along`, async (context) => {
    const report = await runApart(context, name);
    assert.deepEqual(report.totals, { passed: 0, failed: 0, skipped: 0, error: 2 });
    const [first, second] = report.results;
    for (const result of [first, second])
      assert.equal(result?.reason, "hang: no answer to `platform` within 0.5 s");
    assert.deepEqual(
      [first?.breakage?.kind, first?.breakage?.step, first?.breakage?.request],
      ["hang", "1", { method: "GET", path: "/v1/platform" }],
    );
    assert.deepEqual([report.verdict, report.exitStatus], ["undecided", 3]);
  });
}
