import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inProcessAdapter, type ServiceModule } from "../../conformance/adapters/in-process.ts";
import { loadKitData } from "../../conformance/contract/kit-data.ts";
import { applyEdits } from "../../conformance/mutants/edits.ts";
import { serviceFromSources } from "../../conformance/mutants/module-from-sources.ts";
import { referenceProgram } from "../../conformance/mutants/program.ts";
import { loadMutants } from "../../conformance/mutants/suite.ts";
import { auditRun } from "../../conformance/testing/recordings/audit-run.ts";
import { CUTS } from "../../conformance/testing/recordings/cuts.ts";
import { overHttp } from "../../conformance/testing/recordings/over-http.ts";
import { type RecordedRun, recordRun } from "../../conformance/testing/recordings/record-run.ts";
import { summaryOfRecordings } from "./summary.ts";
import { loadUnshown } from "./unshown.ts";

const kit = loadKitData();
const bank = loadMutants("services", kit.contract);
const program = referenceProgram();

/** Some of the vectors: `npm run recordings` plays them all. */
const VECTORS = kit.suites.vectors.filter(
  ({ id }, index) => /lifetime|retry|used/.test(id) || index % 20 === 0,
);

async function service(id?: string): Promise<ServiceModule> {
  const entry = [...bank.broken, ...bank.legal].find((one) => one.id === id);
  assert.equal(entry?.id, id);
  return serviceFromSources(applyEdits(program, entry?.edits ?? []));
}

const rulesOf = (run: RecordedRun, cut: string, seed = 1) =>
  [...new Set(auditRun(run, cut, seed).map(({ rules }) => rules[0]))].sort();

/** Each cut of a recording, and what is found in it. */
const foundIn = (run: RecordedRun) =>
  Object.fromEntries(Object.keys(CUTS).map((cut) => [cut, rulesOf(run, cut)]));
const NOTHING = Object.fromEntries(Object.keys(CUTS).map((cut) => [cut, []]));

describe("nothing is found in recordings of legal services, however they are cut", () => {
  test("the reference, asked over HTTP, in a HAR", async () => {
    const run = await recordRun(await overHttp(await service()), kit, VECTORS, "har");
    assert.ok(run.items.length > 500 && run.complete);
    assert.deepEqual(foundIn(run), NOTHING);
  });

  test("one that is in the same process, in JSON lines", async () => {
    const adapter = inProcessAdapter(await service("legal/rate-before-conflict"), { name: "service" });
    assert.deepEqual(foundIn(await recordRun(adapter, kit, VECTORS)), NOTHING);
  });
});

describe("what is broken is found in whole recordings", () => {
  for (const [id, rule] of [
    ["challenge/used-up-by-failure-only", "CHALLENGE-22"],
    ["challenge/leeway-of-five-seconds", "CHALLENGE-21"],
  ] as const)
    test(id, async () => {
      const adapter = inProcessAdapter(await service(id), { name: "service" });
      const run = await recordRun(adapter, kit, VECTORS);
      assert.ok(rulesOf(run, "whole").includes(rule));
      assert.ok(rulesOf(run, "5 % lost").includes(rule));
    });
});

test("the summary tells legal services with a finding, and broken ones without, unless a true reason is stated", () => {
  const services = [
    { id: "legal/a", legal: true, failed: false, found: { whole: ["LIMIT-6"], half: [] }, exchanges: 2 },
    { id: "legal/b", legal: true, failed: false, found: { whole: [] }, exchanges: 2 },
    { id: "one/c", legal: false, failed: true, found: { whole: ["LIMIT-6"] }, exchanges: 2 },
    { id: "one/d", legal: false, failed: true, found: { whole: [] }, exchanges: 2 },
    { id: "one/e", legal: false, failed: false, found: {}, exchanges: 0, fault: "broke" },
    { id: "one/f", legal: false, failed: true, found: { whole: [] }, exchanges: 2 },
  ];
  const reasons = [{ why: "nobody sees it", services: ["one/c", "one/f", "one/gone"] }];
  const known = new Set(services.map(({ id }) => id));
  const { text, good } = summaryOfRecordings(services, reasons, known);
  assert.equal(good, false);
  assert.deepEqual(text.split("\n"), [
    "no run  one/e: broke",
    "legal   legal/a: whole: LIMIT-6",
    "not found, and no reason is stated: one/d",
    "a reason is stated, but it is found: one/c",
    "a reason is stated, but there is none: one/gone",
    "6 services, 10 exchanges",
    "1 of 2 legal services without a finding, however they are cut",
    "1 of 3 services that the vectors fail are found: whole",
    "  1 are not: nobody sees it",
    "    one/f",
  ]);
  const well = services.filter(({ id }) => ["legal/b", "one/c", "one/f"].includes(id));
  const told = summaryOfRecordings(well, [{ why: "nobody sees it", services: ["one/f"] }], known);
  assert.equal(told.good, true, told.text);
});

test("every reason is about a broken service of the bank, and each of these has one at most", () => {
  const known = new Set(bank.broken.map(({ id }) => id));
  const stated = loadUnshown().flatMap(({ services }) => services);
  assert.deepEqual(
    stated.filter((id) => !known.has(id)),
    [],
  );
  assert.equal(new Set(stated).size, stated.length);
});
