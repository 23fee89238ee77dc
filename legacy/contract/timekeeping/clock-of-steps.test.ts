import assert from "node:assert/strict";
import { test } from "node:test";
import { clockOf, type EndAtPhase } from "./clock-of-steps.ts";

const LIFETIME_MS = 60_000;
const PHASES_MS = [0, 137, 403, 571, 998];

/** Ends of what began at each phase, to the millisecond. */
const ends = (end: (phaseMs: number) => number): readonly EndAtPhase[] =>
  PHASES_MS.map((phaseMs) => ({ phaseMs, fromMs: end(phaseMs), toMs: end(phaseMs) }));
const intoStep = (phaseMs: number, stepMs: number) => phaseMs % stepMs;

for (const [what, seen, stepMs, earlyMs, lateMs] of [
  ["to the millisecond", ends(() => LIFETIME_MS), 1, 0, 0],
  ["one past the instant", ends(() => LIFETIME_MS + 1), 1, 0, 0],
  [
    "as two questions show it",
    PHASES_MS.map((phaseMs) => ({ phaseMs, fromMs: LIFETIME_MS, toMs: LIFETIME_MS + 1 })),
    1,
    0,
    0,
  ],
  ["with the first of its last second", ends((phase) => LIFETIME_MS - phase), 1000, 999, 0],
  ["with the end of its last second", ends((phase) => LIFETIME_MS + 1000 - phase), 1000, 0, 1000],
  [
    "with the second that is nearest",
    ends((phase) => LIFETIME_MS + 500 - ((phase + 500) % 1000)),
    1000,
    999,
    1000,
  ],
  ["with the end of its last tenth", ends((phase) => LIFETIME_MS + 100 - intoStep(phase, 100)), 100, 0, 100],
  ["with the first of its last quarter", ends((phase) => LIFETIME_MS - intoStep(phase, 250)), 250, 249, 0],
] as const) {
  test(`what ends ${what} is kept by a clock of ${stepMs} ms`, () => {
    assert.deepEqual(clockOf(seen, LIFETIME_MS), { stepMs, earlyMs, lateMs });
  });
}

for (const [what, seen] of [
  ["a millisecond early", ends(() => LIFETIME_MS - 1)],
  ["two milliseconds late", ends(() => LIFETIME_MS + 2)],
  ["half a second late", ends(() => LIFETIME_MS + 500)],
  ["a second late", ends(() => LIFETIME_MS + 1000)],
  ["a second early", ends(() => LIFETIME_MS - 1000)],
  ["late in the middle of a second", ends((phase) => LIFETIME_MS + (phase === 403 ? 250 : 0))],
  ["with the second after its last", ends((phase) => LIFETIME_MS + 2000 - phase)],
  ["with the second before its last", ends((phase) => LIFETIME_MS - 1000 - phase)],
  ["with one second or another", ends((phase) => LIFETIME_MS - phase + (phase === 137 ? 1000 : 0))],
  ["long after", [{ phaseMs: 0, fromMs: 61_101, toMs: Number.POSITIVE_INFINITY }]],
  ["long before", [{ phaseMs: 0, fromMs: 0, toMs: 58_900 }]],
] as const) {
  test(`what ends ${what} is kept by no clock`, () => {
    assert.equal(clockOf(seen, LIFETIME_MS), undefined);
  });
}
