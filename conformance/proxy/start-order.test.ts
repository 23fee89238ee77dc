import assert from "node:assert/strict";
import { test } from "node:test";
import { passed } from "../testing/proxy/passed.ts";
import { StartOrder } from "./live-judge.ts";

const at = (startedMs: number) => passed({ startedMs });
const starts = (given: readonly { readonly startedMs: number }[]) => given.map(({ startedMs }) => startedMs);

test("what began first comes first, once nothing is under way that began before it", () => {
  const order = new StartOrder();
  for (const startedMs of [30, 20, 40]) order.take(at(startedMs));
  assert.deepEqual(starts(order.due(50, 10)), []);
  assert.deepEqual(starts(order.due(50, 25)), [20]);
  order.take(at(25));
  assert.deepEqual(starts(order.due(50, Number.POSITIVE_INFINITY)), [25, 30, 40]);
});

test("what has waited for half a second for one that hangs waits no longer", () => {
  const order = new StartOrder();
  order.take(at(1_000));
  assert.deepEqual(starts(order.due(1_500, 1)), []);
  assert.deepEqual(starts(order.due(1_501, 1)), [1_000]);
  order.take(at(1));
  assert.deepEqual(starts(order.due(1_510, Number.POSITIVE_INFINITY)), [1]);
});

test("at the end all that is left comes out in order", () => {
  const order = new StartOrder();
  for (const startedMs of [3, 1, 2]) order.take(at(startedMs));
  assert.deepEqual(starts(order.rest()), [1, 2, 3]);
  assert.deepEqual(order.rest(), []);
});
