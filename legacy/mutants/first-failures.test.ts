import assert from "node:assert/strict";
import { test } from "node:test";
import type { MutantOutcome } from "./judge.ts";
import type { Mutant } from "./suite.ts";
import { firstFailures } from "./summary.ts";

const entry = (id: string): Mutant => ({
  id,
  title: `what ${id} is`,
  why: "a slip",
  breaks: ["LIMIT-1", "LIMIT-2"],
  edits: [],
  place: { file: "suite.yaml", line: 1 },
});
const outcome = (id: string, rule: string): MutantOutcome => ({
  id,
  caughtBy: {},
  first: { id: "limits/one", rule, expected: "200", got: "429 FULL" },
});

function shown(rules: readonly (string | undefined)[]) {
  const broken = rules.map((_, index) => entry(`limit/${index}`));
  const outcomes = rules.map((rule, index): readonly [string, MutantOutcome] => [
    `limit/${index}`,
    rule === undefined ? { id: `limit/${index}`, caughtBy: {} } : outcome(`limit/${index}`, rule),
  ]);
  return firstFailures({ side: "services", broken, mutantOutcomes: new Map(outcomes) });
}

test("a suite whose reports begin with a rule of the mutant is good", () => {
  const { text, good } = shown(["LIMIT-1", "LIMIT-2"]);
  assert.ok(good);
  assert.equal(
    text,
    "the report begins with a rule of the mutant for 2 of 2 services (100.0 %, and at least 95 % must)",
  );
});

test("the others are listed with what was shown", () => {
  const { text } = shown(["LIMIT-1", "ERROR-1", undefined]);
  assert.deepEqual(text.split("\n").slice(1), [
    "  limit/1, which breaks LIMIT-1, LIMIT-2 and begins with ERROR-1 by limits/one: expected 200, got 429 FULL",
    "  limit/2, which breaks LIMIT-1, LIMIT-2 and begins with nothing",
  ]);
});

test("one in twenty may begin otherwise, and no more", () => {
  const right = Array.from({ length: 19 }, () => "LIMIT-1");
  assert.ok(shown([...right, "ERROR-1"]).good);
  assert.equal(shown([...right.slice(1), "ERROR-1"]).good, false);
});
