import assert from "node:assert/strict";
import { test } from "node:test";
import type { Exchange } from "../contract/exchange.ts";
import type { Difference } from "../judge/difference.ts";
import { outcomesOf, textsOf } from "./wording.ts";

function response(status: number | undefined, body: Exchange["body"]): Exchange {
  const request = { method: "GET", path: "/" };
  const sent = { operation: "other", request, input: undefined, atMs: 0, answeredAtMs: 0 } as const;
  return { ...sent, envelope: { status, body }, status, body };
}

const SUCCESS = { status: 200, codes: [] };
const FULL = { status: 429, codes: ["OFFLINE_CAPACITY", "OFFLINE_RATE_LIMIT"] };
const got = [200, 200, 409].map((status) => response(status, {}));
const value = { path: "a", expected: "present" };
const compared = { kind: "comparison", template: "$second", relation: "equals" } as const;

/** Each row: a difference, the text of the expected result, and the text of the actual one. */
const TABLE: readonly (readonly [Difference, string, string])[] = [
  [
    { kind: "outcome", expected: [SUCCESS, FULL] },
    "200, or 429 OFFLINE_CAPACITY | OFFLINE_RATE_LIMIT",
    "400 X",
  ],
  [{ kind: "outcome", expected: [SUCCESS], note: "for a reason" }, "200, for a reason", "400 X"],
  [{ kind: "outcome", expected: [SUCCESS], isOtherDraft: true }, "200", "400 X with another draft"],
  [
    { kind: "tally", expected: [[{ outcome: SUCCESS, count: 3 }], [{ outcome: FULL, count: 3 }]], got },
    "3 × 200; or 3 × 429 OFFLINE_CAPACITY | OFFLINE_RATE_LIMIT",
    "2 × 200, 1 × 409",
  ],
  [
    { kind: "at-most", expected: [[{ outcome: SUCCESS, count: 1 }]], got },
    "at most 1 × 200 in 3 responses",
    "2 × 200, 1 × 409",
  ],
  [
    {
      kind: "values",
      values: [
        { ...value, got: undefined },
        { ...value, got: 1, offMs: -2 },
        { ...value, got: 1, fault: "zero" },
      ],
    },
    "a: present; a: present; a: present",
    "a: absent; a: 1, 2 ms too early; a: zero",
  ],
  [{ ...compared, expected: { a: 1, b: 2 }, got: { a: 1, b: 3 } }, "second with b: 2", "b: 3"],
  [{ ...compared, relation: "differs-from", expected: 1, got: 1 }, "second is not 1", "1"],
  [{ kind: "behavior", expected: "one", got: "two" }, "one", "two"],
];

test("each kind of difference has its texts", () => {
  const exchange = response(400, { code: "X" });
  for (const [difference, expected, actual] of TABLE) {
    const texts = textsOf({ difference, exchange });
    assert.deepEqual([texts.expected, texts.got], [expected, actual]);
  }
  const noStatus = textsOf({ difference: TABLE[0]?.[0] as Difference, exchange: response(undefined, {}) });
  assert.equal(noStatus.got, 'no status: {"body":{}}');
});

test("of numbers of outcomes, the report names one that is too rare, and one that is too frequent", () => {
  const tally = [
    { outcome: SUCCESS, count: 1 },
    { outcome: FULL, count: 2 },
  ];
  const rare = outcomesOf({ difference: { kind: "tally", expected: [tally], got } });
  const accepted = FULL.codes.map((code) => ({ status: 429, code }));
  assert.deepEqual(rare, { accepted, response: { status: 200 } });
});
