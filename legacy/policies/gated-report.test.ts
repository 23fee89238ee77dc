import assert from "node:assert/strict";
import { test } from "node:test";
import { schemaFault } from "../engine/data/schema.ts";
import type { Result } from "../engine/play/result.ts";
import type { RunFacts } from "../engine/run/report.ts";
import { PATHS } from "../paths.ts";
import { failedResult, resultOf } from "../testing/results.ts";
import { SMALL_CONTRACT } from "../testing/small-report.ts";
import { type Gates, gatedReport } from "./gated-report.ts";

const DIGEST = "ab".repeat(32);
const KEPT = [
  resultOf("limits/one", ["LIMIT-1", "LIMIT-2"], { observations: [{ point: "SHAPE", reading: "so" }] }),
  resultOf("errors/one", ["ERROR-1"]),
];
const BROKEN = [failedResult("limits/one", ["LIMIT-1", "LIMIT-2"], ["LIMIT-1"]), ...KEPT.slice(1)];

function report(results: readonly Result[], gates: Gates, more: Partial<RunFacts> = {}) {
  const facts: RunFacts = {
    kitVersion: "1.0.0",
    info: { implementation: { name: "my-service", version: "0.9" } },
    adapter: "stdio",
    seed: 1,
    runs: 100,
    durationMs: 1,
    digest: DIGEST,
    accepted: new Set(),
    ...more,
  };
  const made = gatedReport(SMALL_CONTRACT, { results, facts }, gates);
  assert.equal(schemaFault(JSON.parse(JSON.stringify(made)), PATHS.reportSchema), undefined);
  return made;
}

const baseline = (id: string, expires?: string): Gates => ({
  baseline: {
    baseline: {
      file: "known.yaml",
      known: [{ id, reason: "seen to", ...(expires === undefined ? {} : { expires }) }],
    },
    today: "2026-11-21",
    ids: new Set(["limits/one", "errors/one"]),
  },
});
const choices = (reading: string): Gates => ({
  choices: { file: "choices.yaml", choices: new Map([["SHAPE", reading]]) },
});
const shard = { index: 1, of: 2, expected: 2, options: ["--module", "a.ts"] };

const CASES: readonly (readonly [what: string, verdict: string, ReturnType<typeof report>])[] = [
  ["a failure that is known", "does-not-conform 0", report(BROKEN, baseline("limits/one"))],
  ["a failure that is not", "does-not-conform 1", report(BROKEN, baseline("errors/one"))],
  [
    "an entry whose day has passed",
    "does-not-conform 1",
    report(BROKEN, baseline("limits/one", "2026-11-20")),
  ],
  ["an entry on its last day", "does-not-conform 0", report(BROKEN, baseline("limits/one", "2026-11-21"))],
  ["a stale entry", "conforms 1", report(KEPT, baseline("limits/one"))],
  ["an entry that nothing answers to", "conforms 1", report(KEPT, baseline("limits/on"))],
  ["a choice that holds", "conforms 0", report(KEPT, choices("so"))],
  ["a choice that changed", "conforms 1", report(KEPT, choices("otherwise"))],
  ["a part without a failure", "undecided 0", report(KEPT, {}, { shard })],
  ["a part of which much is untried", "undecided 0", report(KEPT.slice(1), {}, { shard })],
  ["a part without anything", "undecided 0", report([], {}, { shard })],
  ["a part with a failure", "does-not-conform 1", report(BROKEN, {}, { shard })],
  [
    "a part with a failure that is known",
    "does-not-conform 0",
    report(BROKEN, baseline("limits/one"), { shard }),
  ],
  ["a part with what may be stale", "undecided 0", report(KEPT, baseline("limits/one"), { shard })],
  [
    "a part whose adapter broke",
    "undecided 3",
    report([resultOf("errors/one", ["ERROR-1"], { outcome: "error", reason: "x" })], {}, { shard }),
  ],
];

for (const [what, verdict, { verdict: given, exitStatus }] of CASES) {
  test(`${what}: ${verdict}`, () => assert.equal(`${given} ${exitStatus}`, verdict));
}
