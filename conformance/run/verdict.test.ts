import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readContract } from "../contract/contract.ts";
import type { Finding, Result } from "../play/result.ts";
import type { Vector } from "../suite/vector.ts";
import { judgeRun } from "./verdict.ts";

const contract = readContract(join(import.meta.dirname, "..", "..", "vectors", "contract"));
const required = [...contract.rules.values()].filter(
  ({ level, observable }) => level === "required" && observable,
);
const rules = required.map(({ id }) => id);
const [rule = ""] = rules;

function resultOf(id: string, ownRules: readonly string[], rest: Partial<Result>): Result {
  const vector = { id, rules: ownRules } as Vector;
  return { vector, outcome: "passed", findings: [], observations: [], recommendations: [], ...rest };
}

function findingOf(violated: string, incidental: boolean): Finding {
  const place = { file: "suite.yaml", line: 1 };
  const difference = { kind: "behavior", expected: "200", got: "400" } as const;
  return { rules: [violated], place, step: "1", clockMs: 0, malformed: false, incidental, difference };
}

const passed = resultOf("all", rules, {});

/** A refusal with a number of drafts. In another test, the service accepted nine. */
const refusalAt = (drafts: number) => ({ code: "OFFLINE_CAPACITY", counts: { drafts } });
const peaks = { drafts: { count: 9, test: "b" } };

/** Each row: a name, the results, the outcome of the first rule, the conclusion, and the exit status. */
const TABLE: readonly (readonly [string, readonly Result[], string, string, number])[] = [
  ["every rule passes", [passed], "satisfied", "conforms", 0],
  [
    "a vector of the rule is skipped",
    [passed, resultOf("a", [rule], { outcome: "skipped" })],
    "satisfied",
    "conforms",
    0,
  ],
  [
    "a finding in a vector of the rule",
    [passed, resultOf("a", [rule], { outcome: "failed", findings: [findingOf(rule, false)] })],
    "violated",
    "does-not-conform",
    1,
  ],
  [
    "an incidental finding in a vector that passes",
    [passed, resultOf("a", rules.slice(1), { findings: [findingOf(rule, true)] })],
    "violated",
    "does-not-conform",
    1,
  ],
  [
    "a vector of the rule fails for another rule",
    [
      resultOf("most", rules.slice(1), {}),
      resultOf("a", [rule], { outcome: "failed", reason: "step 2 failed" }),
    ],
    "not-tested",
    "does-not-conform",
    1,
  ],
  [
    "an error",
    [passed, resultOf("a", [rule], { outcome: "error", reason: "it ended" })],
    "not-tested",
    "undecided",
    3,
  ],
  [
    "a delay ends a vector of the rule",
    [
      passed,
      resultOf("a", [rule], { outcome: "skipped", excuse: "slow", reason: "responses took too long" }),
    ],
    "not-tested",
    "undecided",
    4,
  ],
  [
    "a limit explains a refusal",
    [passed, resultOf("a", [rule], { outcome: "skipped", excuse: "limit", refusals: [refusalAt(9)] })],
    "satisfied",
    "conforms",
    0,
  ],
  [
    "no limit explains a refusal",
    [passed, resultOf("a", [rule], { outcome: "skipped", excuse: "limit", refusals: [refusalAt(8)] })],
    "not-tested",
    "undecided",
    4,
  ],
  [
    "the model leaves most responses undecided",
    [passed, resultOf("a", [rule], { search: { cases: 1, requests: 10, notDecided: 6, pairs: [] } })],
    "not-tested",
    "undecided",
    4,
  ],
  ["no vector of the rule", [resultOf("most", rules.slice(1), {})], "not-tested", "undecided", 4],
];

for (const [name, results, outcome, conclusion, exitStatus] of TABLE)
  test(`verdict: ${name}`, () => {
    const verdict = judgeRun(contract, results, { part: "all tests", peaks });
    assert.equal(verdict.rules.find((one) => one.rule.id === rule)?.outcome, outcome);
    assert.equal(verdict.conclusion, conclusion);
    assert.equal(verdict.exitStatus, exitStatus);
  });

test("verdict: only a full store of unstated capacity is a reason to state the fact capacity", () => {
  for (const [code, hint] of [
    ["OFFLINE_CAPACITY", "; state the fact capacity"],
    ["OFFLINE_RATE_LIMIT", ""],
  ] as const) {
    const refusals = [{ ...refusalAt(8), code }];
    const results = [passed, resultOf("a", [rule], { outcome: "skipped", excuse: "limit", refusals })];
    const verdict = judgeRun(contract, results, { part: "all tests", peaks });
    const reason = verdict.rules.find((one) => one.rule.id === rule)?.reason;
    assert.equal(reason, `a: 429 ${code} with at most 8 drafts, although b had 9${hint}`);
  }
});

test("verdict: a shard passes if one of its tests passes and none fails, whichever rules it does not test", () => {
  const statusOf = (...results: readonly Result[]) =>
    judgeRun(contract, results, { part: "one shard" }).exitStatus;
  const skipped = resultOf("a", [rule], { outcome: "skipped" });
  assert.equal(statusOf(resultOf("b", rules.slice(1), {}), skipped), 0);
  assert.equal(statusOf(skipped), 4);
  assert.equal(statusOf(passed, resultOf("a", [rule], { outcome: "failed" })), 1);
});

test("verdict: an untested rule has a reason, and an observed reading can make a rule unobservable", () => {
  const error = resultOf("suite/vector", [rule], { outcome: "error", reason: "it ended" });
  const [first] = judgeRun(contract, [passed, error]).rules.filter((one) => one.rule.id === rule);
  assert.equal(first?.reason, "suite/vector: it ended");
  const observations = [{ point: "SESSION-TIMESTAMP-FORMAT", reading: "not-read" }];
  const hidden = judgeRun(contract, [resultOf("all", rules, { observations })]);
  assert.equal(hidden.rules.find((one) => one.rule.id === "SESSION-2")?.outcome, "not-observable");
  assert.equal(hidden.conclusion, "conforms");
});

test("verdict: the number of steps is proportional to the number of results", () => {
  const stepsFor = (count: number): number => {
    let steps = 0;
    const counted = <Value extends object>(value: Value): Value =>
      new Proxy(value, {
        get: (target, name) => {
          steps += 1;
          return Reflect.get(target, name);
        },
      });
    const results = Array.from({ length: count }, (_, index) => {
      const own = rules[index % rules.length] ?? rule;
      const findings = [counted(findingOf(own, false))];
      return counted(resultOf(`test ${index}`, [own], { outcome: "failed", findings }));
    });
    judgeRun(contract, results);
    return steps;
  };
  const [few, many] = [stepsFor(2_000), stepsFor(20_000)];
  assert.ok(many < 11 * few, `${few} steps for 2,000 results, ${many} for 20,000`);
  assert.ok(few < 2_000 * 30, `${few} steps for 2,000 results`);
});
