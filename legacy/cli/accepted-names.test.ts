import assert from "node:assert/strict";
import { test } from "node:test";
import { contract } from "../testing/contract-data.ts";
import { acceptedNames } from "./accepted-names.ts";

const names = (...given: readonly string[]) => [...acceptedNames(given, contract.rules)];

test("rules and capabilities are accepted by name and by glob", () => {
  assert.deepEqual(names(), []);
  assert.deepEqual(names("capability:restart", "LIMIT-14"), ["capability:restart", "LIMIT-14"]);
  assert.deepEqual(names("capability:c*"), ["capability:clock", "capability:concurrency"]);
  const limits = names("LIMIT-1?", "LIMIT-14");
  assert.ok(limits.includes("LIMIT-14") && limits.every((id) => /^LIMIT-1\d$/.test(id)));
  assert.equal(new Set(limits).size, limits.length);
});

const THERE = "there are capability:clock, capability:restart, capability:rawBody, capability:concurrency";
for (const [given, message] of [
  ["capability:concurency", `such capability (did you mean "capability:concurrency"?); ${THERE}`],
  ["capability:", `such capability; ${THERE}`],
  ["concurrency", 'such rule (did you mean "capability:concurrency"?)'],
  ["LIMIT-X", 'such rule (did you mean "LIMIT-1"?)'],
  ["NOTHING-*", "such rule"],
] as const) {
  test(`what is no name is told: ${given}`, () => {
    assert.throws(() => names(given), {
      name: "UsageError",
      message: `--allow-untried ${given}: there is no ${message}`,
    });
  });
}
