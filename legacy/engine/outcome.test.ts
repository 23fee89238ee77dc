import assert from "node:assert/strict";
import { test } from "node:test";
import { formatOutcome, matchesOutcome, parseOutcome } from "./outcome.ts";

test("an outcome is a status, and the codes of an error", () => {
  assert.deepEqual(parseOutcome(200), { status: 200, codes: [] });
  assert.deepEqual(parseOutcome("401 UNAUTHORIZED"), { status: 401, codes: ["UNAUTHORIZED"] });
  assert.deepEqual(parseOutcome(" 400 A_B | C "), { status: 400, codes: ["A_B", "C"] });
});

for (const [text, reason] of [
  ["ok", '"ok" is no outcome: write a status, and its code where it is an error'],
  ["20", '"20" is no outcome: write a status, and its code where it is an error'],
  ["400", '"400" accepts any error: name the codes'],
  ["400 |", '"400 |" accepts any error: name the codes'],
  ["429 offline_capacity", '"429 offline_capacity" holds something that is no code'],
  ["400 A B", '"400 A B" holds something that is no code'],
  ["200 DONE", '"200 DONE" names a code for a status that has none'],
] as const) {
  test(`"${text}" is no outcome`, () => assert.equal(parseOutcome(text), reason));
}

test("an answer matches where the status is the same and the code is one of those named", () => {
  const refused = { status: 400, codes: ["A", "B"] };
  assert.equal(matchesOutcome(refused, 400, "B"), true);
  assert.equal(matchesOutcome(refused, 400, "C"), false);
  assert.equal(matchesOutcome(refused, 400, undefined), false);
  assert.equal(matchesOutcome(refused, 400, ["A"]), false);
  assert.equal(matchesOutcome(refused, 401, "A"), false);
  assert.equal(matchesOutcome(refused, "400", "A"), false);
  assert.equal(matchesOutcome({ status: 200, codes: [] }, 200, undefined), true);
  assert.equal(matchesOutcome({ status: 200, codes: [] }, undefined, undefined), false);
});

test("an outcome is written as it is read", () => {
  for (const text of ["200", "400 A | B_C"]) {
    const outcome = parseOutcome(text);
    assert.equal(typeof outcome === "string" ? outcome : formatOutcome(outcome), text);
  }
});
