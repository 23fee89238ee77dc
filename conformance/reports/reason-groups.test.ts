import assert from "node:assert/strict";
import { test } from "node:test";
import { resultOf } from "../testing/results.ts";
import { groupByReason } from "./reason-groups.ts";

function reasons(...some: readonly (string | undefined)[]) {
  const results = some.map((reason, index) =>
    resultOf(`limits/${index}`, [], { outcome: "skipped", ...(reason === undefined ? {} : { reason }) }),
  );
  return groupByReason(results).map(({ reason, results: { length } }) => [reason, length]);
}

test("what differs in how long it takes alone is one reason, from the shortest to the longest", () => {
  const waits = (seconds: string) => `waits ${seconds} s on a real clock, longer than --max-wait 90 s`;
  assert.deepEqual(reasons(waits("3600"), waits("120.004"), waits("3600")), [
    ["waits 120.004 to 3600 s on a real clock, longer than --max-wait 90 s", 3],
  ]);
});

test("other reasons stand apart, other numbers included; the most frequent comes first", () => {
  assert.deepEqual(reasons("gave 404", "gave 405", undefined, "gave 405"), [
    ["gave 405", 2],
    ["gave 404", 1],
    ["no reason given", 1],
  ]);
});
