import assert from "node:assert/strict";
import { test } from "node:test";
import { failedResult, resultOf } from "../../testing/results.ts";
import { applyBaseline } from "./apply-baseline.ts";
import type { KnownFailure } from "./baseline.ts";

const RESULTS = [
  resultOf("a/passes", ["LIMIT-1"]),
  failedResult("a/fails", ["LIMIT-2"]),
  resultOf("a/skipped", ["LIMIT-1"], { outcome: "skipped", reason: "needs x" }),
  resultOf("a/broke", ["LIMIT-1"], { outcome: "error", reason: "no answer" }),
  resultOf("property/passes", ["LIMIT-1"], { kind: "property" }),
];
const IDS = new Set([...RESULTS.map(({ id }) => id), "a/not-selected"]);
const USUAL = { whole: true, usualCases: true };

function apply(entry: Omit<KnownFailure, "reason">, reach = USUAL, today = "2026-11-21") {
  const baseline = { file: "known.yaml", known: [{ reason: "seen to", ...entry }] };
  const { results, report } = applyBaseline({ baseline, today, ids: IDS }, RESULTS, reach);
  const { file: _, ...told } = report;
  const marked = results.filter(({ known }) => known !== undefined).map(({ id }) => id);
  assert.deepEqual(marked, told.known);
  return told;
}

const NOTHING = { known: [], stale: [], expired: [], otherRules: [] };

test("a failure that is known is marked with what is known of it", () => {
  assert.deepEqual(apply({ id: "a/fails" }), { ...NOTHING, known: ["a/fails"] });
  assert.deepEqual(apply({ id: "a/fails", rules: ["LIMIT-2", "ERROR-1"] }), {
    ...NOTHING,
    known: ["a/fails"],
  });
  const entry = { id: "a/fails", reason: "r", link: "https://a.example", expires: "2027-01-01" };
  const gate = { baseline: { file: "f", known: [entry] }, today: "2026-01-01", ids: IDS };
  const { results } = applyBaseline(gate, RESULTS, USUAL);
  assert.deepEqual(results[1]?.known, { reason: "r", link: "https://a.example", expires: "2027-01-01" });
});

test("a failure for another rule is new", () => {
  assert.deepEqual(apply({ id: "a/fails", rules: ["LIMIT-1"] }), {
    ...NOTHING,
    otherRules: [{ id: "a/fails", rules: ["LIMIT-2"] }],
  });
});

test("an entry holds through its last day and no longer", () => {
  const entry = { id: "a/fails", expires: "2026-11-21" };
  assert.deepEqual(apply(entry, USUAL, "2026-11-21").known, ["a/fails"]);
  assert.deepEqual(apply(entry, USUAL, "2026-11-22"), {
    ...NOTHING,
    expired: [{ id: "a/fails", expires: "2026-11-21" }],
  });
});

test("what passes now is stale", () => {
  assert.deepEqual(apply({ id: "a/passes" }).stale, [{ id: "a/passes", why: "it passes now" }]);
  assert.deepEqual(apply({ id: "a/passes", expires: "2020-01-01" }).stale.length, 1);
});

test("an id that the suite does not have is stale, with a guess at the slip", () => {
  assert.deepEqual(apply({ id: "a/fals" }).stale, [
    { id: "a/fals", why: 'there is no such vector or property (did you mean "a/fails"?)' },
  ]);
});

test("neither an error nor a skip is waived, and neither makes an entry stale", () => {
  for (const id of ["a/broke", "a/skipped", "a/not-selected"]) assert.deepEqual(apply({ id }), NOTHING);
});

test("a part of a run calls nothing stale", () => {
  for (const id of ["a/passes", "a/fals"])
    assert.deepEqual(apply({ id }, { whole: false, usualCases: true }), NOTHING);
});

test("a property that passes fewer cases than usual may still fail", () => {
  assert.deepEqual(apply({ id: "property/passes" }).stale.length, 1);
  assert.deepEqual(apply({ id: "property/passes" }, { whole: true, usualCases: false }), NOTHING);
});
