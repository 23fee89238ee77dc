import assert from "node:assert/strict";
import { test } from "node:test";
import { LEGAL_ANSWERS } from "../testing/answers/legal-answers.ts";
import { contract } from "../testing/contract-data.ts";
import { GOOD, judged } from "../testing/exchanges.ts";

for (const [operation, good] of Object.entries(GOOD)) {
  test(`the reference's answer to ${operation} breaks nothing`, () => {
    assert.deepEqual(judged(good), { ...judged(good), mismatches: [], advice: [] });
  });
}

for (const { what, exchange, context } of LEGAL_ANSWERS) {
  test(`legal: ${what}`, () => {
    const { mismatches, observations } = judged(exchange, context);
    assert.deepEqual(mismatches, []);
    for (const { point, reading } of observations) {
      const known = contract.points.get(point)?.readings.map(({ id }) => id) ?? [];
      assert.ok(known.includes(reading), `${point} has no reading ${reading}`);
    }
  });
}
