import assert from "node:assert/strict";
import { test } from "node:test";
import { median, ratio, type Side, take } from "./measure.ts";

test("the sides take turns, and the figure is that of their medians", async () => {
  const turns: string[] = [];
  const side = (name: string, values: number[]): Side => ({
    name,
    unit: "s",
    async sample() {
      turns.push(name);
      return { value: values.shift() ?? 0 };
    },
  });
  const open = async () => ({ sides: [side("a", [4, 9, 6]), side("b", [2, 1, 3])], figure: ratio("a", "b") });
  const { figure, holds, sides } = await take({ id: "x", title: "x", bar: { atMost: 3 }, open }, 3);
  assert.deepEqual(turns, ["a", "b", "a", "b", "a", "b"]);
  assert.deepEqual([figure, holds, sides.map(({ median: of }) => of)], [3, true, [6, 2]]);
  assert.equal(median([1, 2, 3, 10]), 2.5);
});

test("what cannot be measured says why in one line, and holds no bar", async () => {
  const open = () => Promise.reject(new Error("there is no newman\n    at somewhere"));
  const { fault, holds } = await take({ id: "x", title: "x", bar: { atLeast: 1 }, open }, 5);
  assert.deepEqual([fault, holds], ["there is no newman", false]);
});
