import assert from "node:assert/strict";
import { test } from "node:test";
import { loadKitData } from "../contract/kit-data.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { loadMutants } from "./suite.ts";
import { scanBreaks, tracedReport, traceRules, vectorsOfPoint } from "./traceability.ts";

const { contract, suites } = loadKitData();
const traces = traceRules(contract, suites);

/** Points that the judge reads off any answer, or any retry, so that no vector needs to be about them. */
const IN_PASSING =
  /^(CLOCK-RESOLUTION|ENVELOPE-EXTRA-FIELDS|SIGNING-DESCRIPTION|(?:RETRY-)?EXTRA-FIELDS.*|.*-TIMESTAMP-FORMAT|MESSAGE-(LAYOUT|.*-FORM|HASH)|SIGNED-BYTES|BEARER-FORMAT|DRAFT-EXPIRES-AT|NEXT-GATE-TEXT|TRANSACTION-.*|BLOCKHASH-VALUE|COST-ACCOUNTS-ORDER|COST-MINIMUM-FORMULA)$/;

test("every rule that can be observed is tried by a vector", () => {
  const untried = [...contract.rules.values()].filter(
    ({ id, observable }) => observable && traces.get(id)?.vectors.length === 0,
  );
  assert.deepEqual(
    untried.map(({ id }) => id),
    [],
  );
});

test("every required rule that can be observed has a broken service that shows its trial failing", () => {
  const unproven = [...contract.rules.values()].filter(
    ({ id, observable, level }) => observable && level === "required" && traces.get(id)?.mutants.length === 0,
  );
  assert.deepEqual(
    unproven.map(({ id }) => id),
    [],
  );
});

test("every open point that can be observed has a vector about it, or is read off any answer", () => {
  const unseen = [...contract.points.values()].filter(
    (point) => point.observable && !IN_PASSING.test(point.id) && vectorsOfPoint(point, suites).length === 0,
  );
  assert.deepEqual(
    unseen.map(({ id }) => id),
    [],
  );
});

test("a report names behind each rule the broken services that show its tests failing", () => {
  const report = { rules: [{ id: "CHALLENGE-23" }, { id: "SESSION-11" }] } as unknown as GatedReport;
  const [consumed, unobservable] = tracedReport(report).rules;
  assert.ok(consumed?.mutants?.includes("challenge/used-up-by-success-only"));
  assert.deepEqual(unobservable, { id: "SESSION-11" });
});

test("the scanned rules of mutants equal those of the loaded suite", () => {
  assert.deepEqual(
    scanBreaks(),
    loadMutants("services", contract).broken.map(({ id, breaks }) => ({ id, breaks })),
  );
});
