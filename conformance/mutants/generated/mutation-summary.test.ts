import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fate } from "./judge-mutant.ts";
import { type JudgedMutant, mutationSummary } from "./mutation-summary.ts";
import { keyOf, type Reason } from "./reasons.ts";

const mutant = (now: string, fate: Fate): JudgedMutant => ({
  id: now,
  file: "draft.ts",
  line: 7,
  change: { file: "draft.ts", in: "return one;", was: "one", now },
  outcome: { id: now, fate },
});
const reasons = (...names: readonly string[]): ReadonlyMap<string, Reason> =>
  new Map(
    names.map((now) => [
      keyOf(mutant(now, "survived").change),
      { kind: "legal", why: "the contract is silent" },
    ]),
  );

test("all is well where each survivor has a reason", () => {
  const judged = [mutant("two", "killed"), mutant("three", "survived"), mutant("four", "broke")];
  const { good, score, text } = mutationSummary(judged, reasons("three"));
  assert.equal(good, true);
  assert.deepEqual([score.mutants, score.killed, score.broke, score.survivedAsLegal], [3, 1, 1, 1]);
  assert.match(text, /draft\.ts:7 {2}survived {2}one {2}=> {2}three\n {2}legal: the contract is silent/);
  assert.match(text, /2 of 2 wrong mutants do not pass/);
});

for (const fate of ["survived", "undecided"] as const) {
  test(`a mutant without a reason that ${fate} is told`, () => {
    const { good, score, text } = mutationSummary([mutant("two", fate)], reasons());
    assert.deepEqual([good, score.survivedUnexplained], [false, 1]);
    assert.match(text, /- \{"file":"draft\.ts","in":"return one;","was":"one","now":"two"\}/);
    assert.match(text, /0 of 1 wrong mutants do not pass/);
  });
}

test("a reason for what does not survive is told", () => {
  const { good, text } = mutationSummary([mutant("two", "killed")], reasons("two"));
  assert.equal(good, false);
  assert.match(text, /has a reason for what does not survive.*two/);
});
