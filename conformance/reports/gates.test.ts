import assert from "node:assert/strict";
import { test } from "node:test";
import type { GatedReport } from "../policies/gated-report.ts";
import { resultOf } from "../testing/results.ts";
import { smallReport } from "../testing/small-report.ts";
import { gateLines } from "./gates.ts";

const REPORT = smallReport([resultOf("limits/one", ["LIMIT-1"])]);
const lines = (more: Partial<GatedReport>) =>
  gateLines({ ...REPORT, ...more }).map(({ text, fails }) => `${fails ? "! " : ""}${text}`);

test("a run that was held to nothing more has nothing to say", () => assert.deepEqual(lines({}), []));

test("of a baseline: what it waived, and what of it holds no more", () => {
  const baseline = {
    file: "known.yaml",
    known: ["a/b", "a/c"],
    stale: [{ id: "a/d", why: "it passes" }],
    expired: [{ id: "a/e", expires: "2026-01-31" }],
    otherRules: [{ id: "a/f", rules: ["LIMIT-1", "LIMIT-2"] }],
  };
  assert.deepEqual(lines({ baseline }), [
    "baseline known.yaml: 2 known failures waived",
    "! stale in the baseline: a/d  it passes",
    "! expired in the baseline: a/e  on 2026-01-31",
    "not waived by the baseline: a/f  it fails LIMIT-1, LIMIT-2 now",
  ]);
});

test("of earlier choices: what changed", () => {
  const heldChoices = {
    file: "choices.yaml",
    changed: [{ point: "SHAPE", was: "so", observed: "otherwise\u001b[2J" }],
    added: ["CODE-X"],
    unseen: [],
    sameRun: true,
  };
  assert.deepEqual(lines({ heldChoices }), [
    "choices choices.yaml: 1 changed, 1 that it does not name, 0 not seen this time",
    "! changed choice: SHAPE  otherwise\\u{1b}[2J, was so",
  ]);
});

test("of a frozen set: what counts, and what the kit has changed since", () => {
  const frozen = {
    suite: "partner-preview-1@0.1.0",
    digest: "ab".repeat(32),
    counted: 5,
    later: 2,
    changed: ["a/b"],
    removed: ["LIMIT-9"],
  };
  assert.deepEqual(lines({ frozen }), [
    "judged by partner-preview-1@0.1.0 abababababab: 5 results count, 2 came later and do not",
    "does other things than in that suite, and does not count: a/b",
    "in that suite, and gone since: LIMIT-9",
  ]);
});

test("of a part: which it is", () => {
  const shard = { index: 2, of: 3, expected: 90 } as NonNullable<GatedReport["shard"]>;
  assert.deepEqual(lines({ shard }), [
    "part 2 of 3 of a run with 90 results; merge puts them together, and judges",
  ]);
});

test("many of a kind are counted after the first twenty", () => {
  const stale = Array.from({ length: 25 }, (_, index) => ({ id: `a/${index}`, why: "it passes" }));
  const told = lines({ baseline: { file: "known.yaml", known: [], stale, expired: [], otherRules: [] } });
  assert.equal(told.length, 22);
  assert.equal(told.at(-1), "… and 5 more such; --reporter json=FILE has them all");
});
