import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "../outcome.ts";
import type { RepeatStep, Step, TogetherStep } from "../vectors/vector.ts";
import type { Recorded } from "./checked-scene.ts";
import { writeRounds, writeTally } from "./write-group.ts";

const place = { file: "sequence", line: 1 };
const STEP: Step = { kind: "operation", verb: "add", fields: {}, place };
const SERVED: Outcome = { status: 200, codes: [] };
const FULL: Outcome = { status: 409, codes: ["FULL"] };

/** A served answer where these were allowed, by an open point where there are several. */
function served(...outcomes: readonly Outcome[]): Recorded {
  const points = outcomes.length > 1 ? ["FULL-EARLY"] : [];
  return { expected: { outcomes, points }, exchange: { status: 200 } } as unknown as Recorded;
}

test("rounds stay together for as long as they had to succeed", () => {
  const repeat: RepeatStep = { kind: "repeat", times: 3, steps: [STEP], atMost: [], place };
  const sure = new Map([1, 2, 3].map((round) => [`4[${round}].1`, served(SERVED)]));
  assert.deepEqual(writeRounds(repeat, 4, sure, undefined, []), [{ step: repeat }]);
  const open = new Map([...sure, ["4[2].1", served(SERVED, FULL)] as const]);
  assert.deepEqual(writeRounds(repeat, 4, open, undefined, []), [
    { step: { ...repeat, times: 1 } },
    { step: STEP, number: "4[2].1" },
    { step: STEP, number: "4[3].1" },
  ]);
  assert.deepEqual(writeRounds(repeat, 4, open, undefined, ["FULL-EARLY"]), [{ step: repeat }]);
});

test("a tally has all ways in which the answers may fall out", () => {
  const together: TogetherStep = { kind: "together", times: 1, steps: [STEP, STEP], tallies: [], place };
  const tally = (...answers: readonly Recorded[]) =>
    writeTally(together, 4, new Map(answers.map((answer, index) => [`4[1].${index + 1}`, answer])));
  assert.deepEqual(tally(served(SERVED), served(SERVED)), { 200: 2 });
  assert.deepEqual(tally(served(SERVED), served(SERVED, FULL)), [{ 200: 2 }, { 200: 1, "409 FULL": 1 }]);
  assert.deepEqual(tally(served(SERVED, FULL), served(SERVED, FULL)), [
    { 200: 2 },
    { 200: 1, "409 FULL": 1 },
    { "409 FULL": 2 },
  ]);
});
