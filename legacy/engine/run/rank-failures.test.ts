import assert from "node:assert/strict";
import { test } from "node:test";
import { failureOf, resultOf } from "../../testing/results.ts";
import { rankFailures } from "./rank-failures.ts";

test("what was met on the way comes after what was asked for, each in the order of the results", () => {
  const onTheWay = failureOf(["A-1"], { aside: true });
  const results = [
    resultOf("w", ["B-1"], { failures: [onTheWay] }),
    resultOf("x", ["B-1"], { failures: [failureOf(["B-1"]), onTheWay] }),
    resultOf("y", ["B-1"]),
    resultOf("z", ["C-1"], { failures: [failureOf(["C-1"])] }),
  ];
  assert.deepEqual(
    rankFailures(results).map(({ result, failure }) => `${result.id} ${failure.rule}`),
    ["x B-1", "z C-1", "w A-1", "x A-1"],
  );
});
