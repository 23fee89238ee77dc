import assert from "node:assert/strict";
import { test } from "node:test";
import { statedEnd } from "./stated-end.ts";

const BEGAN_MS = [0, 61_137, 122_403].map((ms) => 1_791_633_607_000 + ms);
const stated = (value: (beganMs: number, index: number) => unknown) =>
  BEGAN_MS.map((beganMs, index) => ({ beganMs, value: value(beganMs, index) }));

for (const [what, value, expected] of [
  ["milliseconds", (ms) => ms + 30_000, { unitMs: 1, afterMs: 30_000, withinMs: 0 }],
  [
    "milliseconds of whole seconds",
    (ms) => ms - (ms % 1000) + 30_000,
    { unitMs: 1, afterMs: 30_000, withinMs: 403 },
  ],
  ["seconds", (ms) => Math.floor(ms / 1000) + 300, { unitMs: 1000, afterMs: 300_000, withinMs: 403 }],
] as const satisfies readonly (readonly [string, (ms: number) => number, object])[]) {
  test(`an expiry in ${what} follows the clock`, () => assert.deepEqual(statedEnd(stated(value)), expected));
}

for (const [what, value] of [
  ["a constant", () => 1_800_000_000],
  ["a counter", (_, index) => 30 * index],
  ["a clock that began with the service", (ms) => ms - 1_791_633_607_000],
  ["a moment of last week", (ms) => ms - 604_800_000],
  ["a moment of next week", (ms) => ms + 604_800_000],
  ["a text", (ms) => String(ms + 30_000)],
] as const satisfies readonly (readonly [string, (ms: number, index: number) => unknown])[]) {
  test(`${what} is of another clock`, () => assert.equal(statedEnd(stated(value)), undefined));
}

test("one answer shows nothing", () => {
  assert.equal(statedEnd(stated((ms) => ms + 30_000).slice(1, 2)), undefined);
});
