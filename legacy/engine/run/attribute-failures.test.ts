import assert from "node:assert/strict";
import { test } from "node:test";
import { failedResult, failureOf, resultOf } from "../../testing/results.ts";
import { attributeFailures } from "./attribute-failures.ts";

const seen = (id: string, rules: readonly string[], ...broken: string[]) =>
  resultOf(id, rules, { incidental: broken.map((rule) => failureOf([rule])) });
const told = (results: ReturnType<typeof attributeFailures>) =>
  results.map(({ id, outcome, failures }) => [id, outcome, ...failures.map(({ rule }) => rule)].join(" "));

test("what a vector about the rule failed for, the others saw in passing only", () => {
  const results = [seen("x", ["A-1"], "B-1"), failedResult("y", ["B-1"]), seen("z", ["A-1"], "B-1")];
  assert.deepEqual(told(attributeFailures(results)), ["x passed", "y failed B-1", "z passed"]);
});

test("what none failed for fails the first that saw it, once for each rule", () => {
  const results = [
    resultOf("w", ["A-1"]),
    seen("x", ["A-1"], "B-1", "B-1", "C-1"),
    seen("y", ["A-1"], "C-1", "D-1"),
  ];
  assert.deepEqual(told(attributeFailures(results)), ["w passed", "x failed B-1 C-1", "y failed D-1"]);
});

test("a failure of a step that stands for several rules speaks for each of them", () => {
  const results = [seen("x", ["A-1"], "C-1"), failedResult("y", ["B-1", "C-1"])];
  assert.deepEqual(told(attributeFailures(results)), ["x passed", "y failed B-1"]);
});

test("what was seen on the way to a skip or an error is not lost", () => {
  const results = [
    { ...seen("x", ["A-1"], "B-1"), outcome: "skipped" as const, reason: "needs x" },
    { ...seen("y", ["A-1"], "C-1"), outcome: "error" as const, reason: "no answer" },
  ];
  assert.deepEqual(told(attributeFailures(results)), ["x failed B-1", "y failed C-1"]);
});

test("attributing again changes nothing, and what joins later takes over what is its own", () => {
  const first = attributeFailures([seen("x", ["A-1"], "B-1"), resultOf("y", ["A-1"])]);
  assert.deepEqual(told(first), ["x failed B-1", "y passed"]);
  assert.deepEqual(attributeFailures(first), first);
  const later = attributeFailures([...first, failedResult("z", ["B-1"])]);
  assert.deepEqual(told(later), ["x passed", "y passed", "z failed B-1"]);
});

test("what is taken back from a skip or an error leaves it what it was, and an error that fails has broken", () => {
  const results = [
    { ...seen("x", ["A-1"], "B-1"), outcome: "skipped" as const, reason: "needs x" },
    { ...seen("y", ["A-1"], "C-1"), outcome: "error" as const, reason: "no answer" },
  ];
  const first = attributeFailures(results);
  assert.deepEqual(
    first.map(({ broke }) => broke),
    [undefined, true],
  );
  const later = attributeFailures([...first, failedResult("z", ["B-1", "C-1"])]);
  assert.deepEqual(later.slice(0, 2), results);
});
