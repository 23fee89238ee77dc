import assert from "node:assert/strict";
import { test } from "node:test";
import type { Result } from "../engine/play/result.ts";
import { failedResult, resultOf } from "../testing/results.ts";
import { counts, waiver } from "./waiver.ts";

const FAILED = failedResult("limits/bad", ["LIMIT-1"]);
const KNOWN = { reason: "the store\nsweeps late", link: "https://a.example/41", expires: "2027-01-31" };

for (const [what, result, reason, counting] of [
  ["a pass", resultOf("limits/good", ["LIMIT-1"]), undefined, false],
  ["a failure", FAILED, undefined, true],
  [
    "a failure that is known",
    { ...FAILED, known: KNOWN },
    "the store\\u{a}sweeps late https://a.example/41 (until 2027-01-31)",
    false,
  ],
  ["one of a vector that came later", { ...FAILED, later: true }, "came after the suite that counts", false],
  ["one after which the adapter broke", { ...FAILED, known: KNOWN, broke: true }, undefined, true],
  ["a crash", resultOf("limits/x", ["LIMIT-1"], { outcome: "error", later: true }), undefined, true],
  ["a skip", resultOf("limits/x", ["LIMIT-1"], { outcome: "skipped", reason: "no" }), undefined, false],
] as const satisfies readonly (readonly [string, Result, string | undefined, boolean])[]) {
  test(`${what} ${counting ? "counts" : "does not count"} as a failure`, () => {
    assert.equal(waiver(result), reason);
    assert.equal(counts(result), counting);
  });
}
