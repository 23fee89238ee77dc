import assert from "node:assert/strict";
import { test } from "node:test";
import { failedResult, resultOf } from "../../testing/results.ts";
import type { Result } from "../play/result.ts";
import type { Rule, RuleBook } from "../rule-book.ts";
import { judgeRules, judgeRun } from "./verdict.ts";

const rule = (id: string, level: Rule["level"] = "required", observable = true): Rule => ({
  id,
  area: "service",
  section: "Limits",
  level,
  statement: "The service does as it must.",
  observable,
});
const RULES = [
  rule("A-1"),
  rule("A-2"),
  rule("A-3", "required", false),
  rule("B-1", "advice"),
  rule("C-1", "open"),
];
const CONTRACT: RuleBook = {
  areas: new Map([["service", "Service"]]),
  rules: new Map(RULES.map((one) => [one.id, one])),
  points: new Map(),
};
const passed = (...rules: string[]) => resultOf(`passed ${rules}`, rules);
const failed = (rules: string[], broken = rules) => failedResult(`failed ${rules}`, rules, broken);
const skipped = (...rules: string[]) =>
  resultOf(`skipped ${rules}`, rules, { outcome: "skipped", reason: "needs x" });
const broke = (...rules: string[]) =>
  resultOf(`error ${rules}`, rules, { outcome: "error", reason: "no answer" });
const advised = (id: string) => resultOf("advice", [id], { advice: [{ rule: id, message: "do not" }] });

/** Results, the verdict and exit status that they come to, and what becomes of, B-1 and C-1. */
const CASES: readonly (readonly [
  what: string,
  results: readonly Result[],
  verdict: string,
  outcomes: string,
  accepted?: string[],
])[] = [
  [
    "all tried and passed",
    [passed("A-1"), passed("A-2")],
    "conforms 0",
    "passed passed unobservable untried untried",
  ],
  [
    "one vector for two rules",
    [passed("A-1", "A-2")],
    "conforms 0",
    "passed passed unobservable untried untried",
  ],
  [
    "one failed",
    [passed("A-1"), failed(["A-2"])],
    "does-not-conform 1",
    "passed failed unobservable untried untried",
  ],
  [
    "passed here and failed there",
    [passed("A-1", "A-2"), failed(["A-2"])],
    "does-not-conform 1",
    "passed failed unobservable untried untried",
  ],
  [
    "a vector that failed for one of its rules",
    [passed("A-1"), failed(["A-1", "A-2"], ["A-2"])],
    "does-not-conform 1",
    "passed failed unobservable untried untried",
  ],
  [
    "a vector that failed on the way to its rule",
    [passed("A-1"), failed(["A-2"], ["A-1"])],
    "does-not-conform 1",
    "failed untried unobservable untried untried",
  ],
  ["nothing tried", [], "undecided 4", "untried untried unobservable untried untried"],
  [
    "one skipped",
    [passed("A-1"), skipped("A-2")],
    "undecided 4",
    "passed untried unobservable untried untried",
  ],
  [
    "one skipped, yet tried by another",
    [passed("A-1", "A-2"), skipped("A-2")],
    "conforms 0",
    "passed passed unobservable untried untried",
  ],
  [
    "one skipped, which is accepted",
    [passed("A-1"), skipped("A-2")],
    "conforms 0",
    "passed untried unobservable untried untried",
    ["A-2"],
  ],
  [
    "one skipped, another accepted",
    [passed("A-1"), skipped("A-2")],
    "undecided 4",
    "passed untried unobservable untried untried",
    ["A-1"],
  ],
  [
    "a failure that was accepted as untried",
    [passed("A-1"), failed(["A-2"])],
    "does-not-conform 1",
    "passed failed unobservable untried untried",
    ["A-2"],
  ],
  [
    "an error",
    [passed("A-1", "A-2"), broke("A-2")],
    "undecided 3",
    "passed untried unobservable untried untried",
  ],
  [
    "an error about nothing required",
    [passed("A-1", "A-2"), broke("B-1")],
    "undecided 3",
    "passed passed unobservable untried untried",
  ],
  [
    "an error where what it left untried is accepted",
    [passed("A-1"), broke("A-2")],
    "undecided 3",
    "passed untried unobservable untried untried",
    ["A-2"],
  ],
  [
    "an error and a failure",
    [failed(["A-1"]), broke("A-2")],
    "does-not-conform 1",
    "failed untried unobservable untried untried",
  ],
  [
    "a skip and a failure",
    [failed(["A-1"]), skipped("A-2")],
    "does-not-conform 1",
    "failed untried unobservable untried untried",
  ],
  [
    "advice",
    [passed("A-1", "A-2"), advised("B-1")],
    "conforms 0",
    "passed passed unobservable failed untried",
  ],
  [
    "advice that was kept",
    [passed("A-1", "A-2", "B-1")],
    "conforms 0",
    "passed passed unobservable passed untried",
  ],
  [
    "a failure of an open rule",
    [passed("A-1", "A-2"), failed(["C-1"])],
    "conforms 0",
    "passed passed unobservable untried failed",
  ],
];

for (const [what, results, verdict, outcomes, accepted = []] of CASES) {
  test(`${what}: ${verdict}`, () => {
    const judged = judgeRun(CONTRACT, results, new Set(accepted));
    assert.equal(`${judged.verdict} ${judged.exitStatus}`, verdict);
    assert.equal(
      judgeRules(CONTRACT, results)
        .map(({ outcome }) => outcome)
        .join(" "),
      outcomes,
    );
  });
}

test("a rule names the results that are about it, whatever came of them", () => {
  const results = [passed("A-1"), skipped("A-1", "A-2"), failed(["A-2"], ["A-1"])];
  const rules = judgeRules(CONTRACT, results);
  assert.deepEqual(rules[0]?.results, ["passed A-1", "skipped A-1,A-2"]);
  assert.deepEqual(rules[1]?.results, ["skipped A-1,A-2", "failed A-2"]);
});

const known = (...rules: string[]) => ({ ...failed(rules), known: { reason: "it is being seen to" } });

test("what is known to fail does not conform, and is no news", () => {
  const told = (...results: Parameters<typeof judgeRun>[1][number][]) => {
    const { verdict, exitStatus } = judgeRun(CONTRACT, results, new Set());
    return `${verdict} ${exitStatus}`;
  };
  assert.equal(told(passed("A-1"), known("A-2")), "does-not-conform 0");
  assert.equal(told(failed(["A-1"]), known("A-2")), "does-not-conform 1");
  assert.equal(told(known("A-2")), "does-not-conform 4", "A-1 was not tried");
  assert.equal(told(broke("A-1"), known("A-2")), "does-not-conform 3");
  assert.equal(told(passed("A-1"), { ...known("A-2"), broke: true }), "does-not-conform 3");
});

test("a rule that a known failure keeps from being tried is no news either", () => {
  const early = { ...failed(["A-1", "A-2"], ["A-1"]), known: { reason: "it is being seen to" } };
  assert.equal(judgeRun(CONTRACT, [early], new Set()).exitStatus, 0);
});

test("a rule whose subject an observed reading hides is neither passed nor untried, and fails where it is seen broken", () => {
  const reading = { id: "not-read", means: "its value is not tested", hides: ["A-2"] };
  const point = { id: "FORM", area: "service", section: "Limits", question: "Which?", why: "it is plain" };
  const points = new Map([["FORM", { ...point, readings: [reading], reference: "plain", observable: true }]]);
  const shown = { ...passed("A-1", "A-2"), observations: [{ point: "FORM", reading: "not-read" }] };
  const judged = (...results: Result[]) => {
    const [, second] = judgeRules({ ...CONTRACT, points }, results);
    const { verdict, exitStatus } = judgeRun({ ...CONTRACT, points }, results, new Set());
    return [second?.outcome, second?.reason, verdict, exitStatus];
  };
  assert.deepEqual(judged(shown), ["unobservable", "its value is not tested", "conforms", 0]);
  assert.deepEqual(judged(shown, failed(["A-2"])), ["failed", undefined, "does-not-conform", 1]);
  assert.deepEqual(judged(passed("A-1", "A-2")), ["passed", undefined, "conforms", 0]);
});
