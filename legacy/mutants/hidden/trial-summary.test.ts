import assert from "node:assert/strict";
import { test } from "node:test";
import { summaryOfTrials } from "./trial-summary.ts";
import type { Found, HiddenTrial } from "./try-hidden.ts";

const found: Found = {
  property: "stateful",
  atCase: 3,
  seconds: 1.5,
  steps: 6,
  failsAgain: true,
  referencePasses: true,
};
const good = (name: string): HiddenTrial => ({ name, seed: 1, caughtBy: [], found });

test("faults that are all hidden and all found are as promised", () => {
  assert.deepEqual(summaryOfTrials(["a", "b"], [good("b"), good("a")]), {
    text: "2 of 2 services conform by the vectors alone; the search finds 2 of these within 30 s each, in at most 8 steps that fail again",
    good: true,
  });
});

const broken: readonly (readonly [
  what: string,
  trial: HiddenTrial | undefined,
  line: string,
  counts: RegExp,
])[] = [
  [
    "a vector sees",
    { ...good("b"), caughtBy: ["limits/one"] },
    "b: is not hidden: limits/one fail",
    /^1 of 2 services conform.* finds 1 of/m,
  ],
  [
    "nothing finds",
    { name: "b", seed: 1, caughtBy: [] },
    "b: is not found by the search",
    /^2 of 2 .* finds 1 of/m,
  ],
  ["was not tried", undefined, "b: was not tried", /^1 of 2 .* finds 1 of/m],
  [
    "is found late",
    { ...good("b"), found: { ...found, seconds: 30.1 } },
    "b: is found only after 30.1 s",
    /^2 of 2 .* finds 1 of/m,
  ],
  [
    "takes a long vector",
    { ...good("b"), found: { ...found, steps: 9 } },
    "b: takes 9 steps to show",
    /^2 of 2 .* finds 1 of/m,
  ],
  [
    "does not fail again, and the reference does",
    { ...good("b"), found: { ...found, failsAgain: false, referencePasses: false } },
    "b: does not fail again in the vector that was made of it; is told as a vector that the reference fails",
    /^2 of 2 .* finds 1 of/m,
  ],
];
for (const [what, trial, line, counts] of broken) {
  test(`one fault that ${what} breaks the promise and is named`, () => {
    const summary = summaryOfTrials(["a", "b"], [good("a"), ...(trial === undefined ? [] : [trial])]);
    assert.equal(summary.good, false);
    assert.equal(summary.text.split("\n")[0], line);
    assert.match(summary.text, counts);
  });
}
