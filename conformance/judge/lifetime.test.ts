import assert from "node:assert/strict";
import test from "node:test";
import { ALL_CLOCKS, expiryBy, stepOf } from "./clocks.ts";
import { judgeExpiries, type ObservedExpiry } from "./lifetime.ts";

const LIFETIME_MS = 60_000;
const CREATED_MS = [0, 137, 403, 571, 998].map((ms) => Date.UTC(2026, 9, 10) + ms);

/** Returns what a measurement observes of a service: one or two ages at which an entry may have expired. */
function expiriesBy(clock: string, shiftMs = 0): readonly ObservedExpiry[] {
  return CREATED_MS.map((atMs) => {
    const ageMs = expiryBy(clock, atMs + LIFETIME_MS) - atMs + shiftMs;
    const isExact = ageMs === LIFETIME_MS || ageMs === LIFETIME_MS + 1;
    return isExact
      ? { atMs, fromMs: LIFETIME_MS, toMs: LIFETIME_MS + 1 }
      : { atMs, fromMs: ageMs, toMs: ageMs };
  });
}

test("a lifetime by any clock of a service is right, and its clock is among those that agree", () => {
  for (const clock of ALL_CLOCKS) {
    const { violation, clocks, stepMs, earlyMs, lateMs } = judgeExpiries("challenge", expiriesBy(clock), []);
    assert.equal(violation, undefined, clock);
    assert.ok(clocks?.includes(clock), clock);
    assert.equal(stepMs, stepOf(clock), clock);
    assert.ok(earlyMs < 1000 && lateMs <= 1000, clock);
  }
});

test("a lifetime that is wrong by one step is a violation, unless another clock explains it", () => {
  for (const [clock, shiftMs] of [
    ["1 exact", -1],
    ["1 exact", 2],
    ["1000 down", -1000],
    ["1000 up + 1", 1000],
    ["100 nearest", 1000],
  ] as const) {
    const { violation } = judgeExpiries("challenge", expiriesBy(clock, shiftMs), []);
    assert.deepEqual(violation?.rules, [shiftMs < 0 ? "CHALLENGE-20" : "CHALLENGE-21"], clock);
  }
});

test("a stated step excludes other steps", () => {
  const expiries = expiriesBy("250 down");
  assert.equal(judgeExpiries("challenge", expiries, [], 250).violation, undefined);
  assert.notEqual(judgeExpiries("challenge", expiries, [], 200).violation, undefined);
});
