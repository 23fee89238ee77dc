import assert from "node:assert/strict";
import { test } from "node:test";
import type { Connection } from "../../adapters/adapter.ts";
import type { Template } from "../vectors/vector.ts";
import { type SceneClock, virtualClock, waitFor, wallClock } from "./clock.ts";
import { EXACT, type Grace } from "./timekeeping.ts";

const ISSUED = { sentAt: 10_000, answeredAt: 10_040, plannedMs: 500 };
/** Where the vector stands, a little late. */
const PLANNED_MS = 520;
const still = (now: number, real = false): SceneClock => ({ real, now: () => now, pass: async () => {} });
const waitAndPlan = (advance: Template, clock = still(10_100), others: Grace = EXACT.others) =>
  waitFor(
    advance,
    clock,
    PLANNED_MS,
    () => ({ lives: [], others }),
    (name) => {
      assert.equal(name, "$issued");
      return ISSUED;
    },
  );
const wait = (...given: Parameters<typeof waitAndPlan>) => waitAndPlan(...given).waitMs;

const COARSE: Grace = { earlyMs: 999, lateMs: 1000 };
for (const [what, advance, grace, until] of [
  ["a plain wait", "30s", EXACT.others, 10_100 + 30_000],
  ["a plain wait on a coarse clock", "30s", COARSE, 10_100 + 30_000],
  ["just before", { "just-before": "60s", since: "$issued" }, EXACT.others, 10_000 + 59_999],
  [
    "just before on a coarse clock, which may be early",
    { "just-before": "60s", since: "$issued" },
    COARSE,
    10_000 + 59_000,
  ],
  ["at", { at: "60s", since: "$issued" }, COARSE, 10_000 + 60_000],
  ["just after", { "just-after": "60s", since: "$issued" }, EXACT.others, 10_040 + 60_001],
  [
    "just after on a coarse clock, which may be late",
    { "just-after": "60s", since: "$issued" },
    COARSE,
    10_040 + 61_001,
  ],
  ["just after now", { "just-after": "30s" }, EXACT.others, 10_100 + 30_001],
  ["just before now", { "just-before": "30s" }, EXACT.others, 10_100 + 29_999],
] as const) {
  test(`a virtual clock moves to ${what}`, () =>
    assert.equal(10_100 + wait(advance, undefined, grace), until));
}

for (const [what, advance, until] of [
  ["just before, by two seconds", { "just-before": "60s", since: "$issued" }, 10_000 + 58_000],
  ["just before a short limit, by half of it", { "just-before": "3s", since: "$issued" }, 10_000 + 1_500],
  ["just after, by a quarter of a second", { "just-after": "60s", since: "$issued" }, 10_040 + 60_250],
] as const) {
  test(`a real clock is waited for until ${what}`, () => {
    assert.equal(10_100 + wait(advance, still(10_100, true)), until);
  });
}

for (const [what, advance, plannedMs] of [
  ["from where the vector stands", "30s", 520 + 30_000],
  ["from where the vector stands, where nothing is named", { "just-after": "30s" }, 520 + 30_250],
  ["from the plan of what is named, to before", { "just-before": "60s", since: "$issued" }, 500 + 58_000],
  ["from the plan of what is named, to after", { "just-after": "60s", since: "$issued" }, 500 + 60_250],
] as const) {
  test(`a wait is planned ${what}, however late the steps before it were`, () => {
    assert.equal(waitAndPlan(advance, still(10_200, true)).plannedMs, plannedMs);
  });
}

test("a moment that has passed is a slip of the vector, or means that a real service is slow", () => {
  const advance = { "just-before": "60s", since: "$issued" };
  assert.throws(() => wait(advance, still(80_000)), {
    name: "BadStep",
    message: "the moment to advance to passed 10001 ms ago",
  });
  assert.throws(() => wait(advance, still(80_000, true)), {
    name: "NotApplicable",
    message: "the moment to advance to passed 12000 ms ago, since the steps before took so long",
  });
});

for (const advance of ["60", "soon", { at: null }, { at: 60 }, {}, null]) {
  test(`${JSON.stringify(advance)} is no duration`, () => {
    assert.throws(() => wait(advance), { name: "BadStep", message: /is no duration: write 59\.999s/ });
  });
}

test("a virtual clock counts what the service was told", async () => {
  const told: number[] = [];
  const connection = { advance: async (ms: number) => told.push(ms) } as unknown as Connection;
  const clock = virtualClock(connection, 500);
  await clock.pass(1_000);
  await clock.pass(1);
  assert.deepEqual([clock.now(), told, clock.real], [1_501, [1_000, 1], false]);
});

test("a real clock is the time of day, and sleeps", async () => {
  const slept: number[] = [];
  const clock = wallClock({ now: () => 77, sleep: async (ms) => void slept.push(ms) });
  await clock.pass(1_000);
  assert.deepEqual([clock.now(), slept, clock.real], [77, [1_000], true]);
});
