import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inProcessAdapter } from "../../conformance/adapters/in-process.ts";
import { loadKitData } from "../../conformance/contract/kit-data.ts";
import { applyEdits } from "../../conformance/mutants/apply-edits.ts";
import { loadBank } from "../../conformance/mutants/load-bank.ts";
import { referenceProgram } from "../../conformance/mutants/reference-program.ts";
import { serviceFromSources } from "../../conformance/mutants/service-from-sources.ts";
import { auditRun } from "../../conformance/testing/recordings/audit-run.ts";
import { CUTS } from "../../conformance/testing/recordings/cuts.ts";
import { type RecordedRun, recordRun } from "../../conformance/testing/recordings/record-run.ts";
import { summaryOfRecordings } from "./summary.ts";

const kit = loadKitData();
const bank = loadBank(kit.contract);
const program = referenceProgram();

/** Some of the vectors: `npm run recordings` plays them all. */
const VECTORS = kit.suites.vectors.filter(
  ({ id }, index) => /lifetime|retry|used/.test(id) || index % 20 === 0,
);

async function recorded(id?: string): Promise<RecordedRun> {
  const entry = [...bank.broken, ...bank.legal].find((one) => one.id === id);
  assert.equal(entry?.id, id);
  const service = await serviceFromSources(applyEdits(program, entry?.edits ?? []));
  return recordRun(inProcessAdapter(service, { name: "service" }), kit, VECTORS);
}

const rulesOf = (run: RecordedRun, cut: string, seed = 1) =>
  [...new Set(auditRun(run, cut, seed).map(({ rules }) => rules[0]))].sort();

describe("nothing is found in recordings of legal services, however they are cut", () => {
  for (const id of [undefined, "legal/rate-before-conflict"])
    test(id ?? "the reference", async () => {
      const run = await recorded(id);
      for (const cut of Object.keys(CUTS)) assert.deepEqual(rulesOf(run, cut), [], cut);
    });
});

describe("what is broken is found in whole recordings", () => {
  for (const [id, rule] of [
    ["challenge/used-up-by-failure-only", "CHALLENGE-22"],
    ["challenge/leeway-of-five-seconds", "CHALLENGE-21"],
  ] as const)
    test(id, async () => {
      const run = await recorded(id);
      assert.ok(rulesOf(run, "whole").includes(rule));
      assert.ok(rulesOf(run, "5 % lost").includes(rule));
    });
});

test("the summary tells legal services with a finding, and broken ones without", () => {
  const { text, good } = summaryOfRecordings([
    { id: "legal/a", legal: true, failed: false, found: { whole: ["LIMIT-6"], half: [] } },
    { id: "legal/b", legal: true, failed: false, found: { whole: [] } },
    { id: "one/c", legal: false, failed: true, found: { whole: ["LIMIT-6"] } },
    { id: "one/d", legal: false, failed: true, found: { whole: [] } },
    { id: "one/e", legal: false, failed: false, found: {}, fault: "broke" },
  ]);
  assert.equal(good, false);
  assert.deepEqual(text.split("\n"), [
    "no run  one/e: broke",
    "legal   legal/a: whole: LIMIT-6",
    "1 of 2 legal services without a finding, however they are cut",
    "1 of 2 services that the vectors fail are found: whole",
    "  not found: one/d",
  ]);
});
