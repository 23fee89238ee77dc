import assert from "node:assert/strict";
import { test } from "node:test";
import type { Result } from "../engine/play/result.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { failedResult, resultOf } from "../testing/results.ts";
import { smallReport } from "../testing/small-report.ts";
import { allowUntriedOption, counts, policyLines, waiver } from "./view.ts";

const CLOCK = "capability:clock";
const RESTART = "capability:restart";
const skipped = (rule: string, ...lacks: readonly string[]): Result =>
  resultOf(`limits/${rule}-${lacks.join("-")}`, [rule], { outcome: "skipped", reason: "it cannot", lacks });
const ONE = resultOf("limits/one", ["LIMIT-1"]);

test("capabilities stand before the rules that none of them accounts for", () => {
  const report = smallReport([ONE, skipped("LIMIT-2", "way:http"), skipped("ERROR-1", RESTART, CLOCK)]);
  assert.equal(allowUntriedOption(report), `--allow-untried ${CLOCK} ${RESTART} LIMIT-2`);
});

test("what two rules lack is named once, and what would not be missed is not named", () => {
  const report = smallReport([
    ONE,
    skipped("LIMIT-2", CLOCK),
    skipped("ERROR-1", CLOCK),
    skipped("ERROR-1", CLOCK, RESTART),
  ]);
  assert.equal(allowUntriedOption(report), `--allow-untried ${CLOCK}`);
});

test("the option accepts a run that is repeated with it, and keeps what was accepted before", () => {
  const results = [ONE, skipped("LIMIT-2", RESTART), skipped("ERROR-1", "way:http")];
  const first = smallReport(results, ["ERROR-1"]);
  assert.equal(first.exitStatus, 4);
  const option = allowUntriedOption(first) ?? "";
  assert.equal(option, `--allow-untried ${RESTART} ERROR-1`);
  const again = smallReport(results, option.split(" ").slice(1));
  assert.deepEqual(
    [again.verdict, again.exitStatus, again.allowedUntried],
    ["conforms", 0, ["LIMIT-2", "ERROR-1"]],
  );
  assert.equal(allowUntriedOption(again), undefined);
});

test("nothing is offered for want of room, which the user can give", () => {
  const full = skipped("ERROR-1", "room");
  assert.equal(allowUntriedOption(smallReport([ONE, skipped("LIMIT-2", RESTART), full])), undefined);
});

test("a rule that fails still fails, whatever is accepted", () => {
  const failing = resultOf("limits/bad", ["LIMIT-2"], { outcome: "failed", failures: [] });
  const report = smallReport([ONE, failing, skipped("ERROR-1", RESTART)], [RESTART, "LIMIT-2"]);
  assert.deepEqual([report.verdict, report.exitStatus], ["does-not-conform", 1]);
});

test("nothing is offered where something broke, or where not all was run", () => {
  const results = [ONE, skipped("LIMIT-2", RESTART), skipped("ERROR-1", RESTART)];
  const report = smallReport(results);
  assert.ok(allowUntriedOption(report));
  const broke = resultOf("limits/broke", ["LIMIT-1"], { outcome: "error", reason: "no answer" });
  assert.equal(allowUntriedOption(smallReport([...results, broke])), undefined);
  assert.equal(allowUntriedOption({ ...report, stopped: true }), undefined);
  assert.equal(
    allowUntriedOption({ ...report, shard: { index: 1, of: 2, expected: 4, options: [] } }),
    undefined,
  );
  const selection = { only: ["limits"], chosen: 3, of: 4, outcome: "undecided" } as const;
  assert.equal(allowUntriedOption({ ...report, selection }), undefined);
});

const FAILED = failedResult("limits/bad", ["LIMIT-1"]);
const KNOWN = { reason: "the store\nsweeps late", link: "https://a.example/41", expires: "2027-01-31" };

for (const [what, result, reason, counting] of [
  ["a pass", resultOf("limits/good", ["LIMIT-1"]), undefined, false],
  ["a failure", FAILED, undefined, true],
  [
    "a failure that is known",
    { ...FAILED, known: KNOWN },
    "the store\\u{a}sweeps late https://a.example/41 (until 2027-01-31)",
    false,
  ],
  ["one after which the adapter broke", { ...FAILED, known: KNOWN, broke: true }, undefined, true],
  ["a crash", resultOf("limits/x", ["LIMIT-1"], { outcome: "error", known: KNOWN }), undefined, true],
  ["a skip", resultOf("limits/x", ["LIMIT-1"], { outcome: "skipped", reason: "no" }), undefined, false],
] as const satisfies readonly (readonly [string, Result, string | undefined, boolean])[]) {
  test(`${what} ${counting ? "counts" : "does not count"} as a failure`, () => {
    assert.equal(waiver(result), reason);
    assert.equal(counts(result), counting);
  });
}

const REPORT = smallReport([resultOf("limits/one", ["LIMIT-1"])]);
const lines = (more: Partial<GatedReport>) =>
  policyLines({ ...REPORT, ...more }).map(({ text, fails }) => `${fails ? "! " : ""}${text}`);

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
