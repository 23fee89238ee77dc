import assert from "node:assert/strict";
import { test } from "node:test";
import { Memo } from "./memo.ts";

/** Returns a function that squares the number of a key, and the numbers that it has computed. */
function squares() {
  const memo = new Memo<number>();
  const computed: number[] = [];
  const square = (number: number, key = String(number)) =>
    memo.get(key, () => {
      computed.push(number);
      return number * number;
    });
  return { square, computed };
}

test("a memo computes a value once", () => {
  const { square, computed } = squares();
  assert.deepEqual([square(3), square(3), square(4)], [9, 9, 16]);
  assert.deepEqual(computed, [3, 4]);
});

test("a memo keeps the values in use, and forgets the others", () => {
  const { square, computed } = squares();
  for (let number = 0; number < 100_000; number++) {
    square(number);
    square(0);
  }
  assert.equal(computed.length, 100_000);
  assert.equal(square(1), 1);
  assert.equal(computed.length, 100_001);
});

test("a memo does not keep a long key", () => {
  const { square, computed } = squares();
  const key = "k".repeat(10_000);
  assert.deepEqual([square(3, key), square(3, key)], [9, 9]);
  assert.deepEqual(computed, [3, 3]);
});
