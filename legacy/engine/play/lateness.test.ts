import assert from "node:assert/strict";
import { test } from "node:test";
import { lateness, type Timed, untilClearOfMark } from "./lateness.ts";

const NOON = Date.UTC(2026, 9, 10, 12, 0, 0);
/** Far from every end of a minute. */
const BEGAN = NOON + 20_000;
const LIFETIMES = { periodsMs: [30_000], toleranceMs: 5_000 };
const RATE = { periodsMs: [30_000, 12_000], markMs: 60_000, toleranceMs: 5_000 };

/** An exchange that was planned, and then sent and answered, so many seconds after the vector began. */
const exchange = (step: string, planned: number, sent: number, answered = sent, began = BEGAN): Timed => ({
  step,
  plannedMs: 1_000 * planned,
  sentAt: began + 1_000 * sent,
  answeredAt: began + 1_000 * answered,
});

for (const [what, timed, hangs] of [
  ["nothing was sent", [], RATE],
  ["all ran as planned", [exchange("1", 0, 0), exchange("3", 28, 28)], LIFETIMES],
  ["some of the margin was used up", [exchange("1", 0, 0), exchange("3", 28, 29.2)], LIFETIMES],
  ["a limit was passed by a short delay", [exchange("1", 0, 0), exchange("3", 29.5, 30.1)], LIFETIMES],
  ["the plan lay past the limit as well", [exchange("1", 0, 0), exchange("3", 30.25, 55)], LIFETIMES],
  ["no limit lies in a long delay", [exchange("1", 0, 0), exchange("2", 0, 20)], LIFETIMES],
  ["a minute is spent within seconds", [exchange("1", 0, 0), exchange("2", 0, 2)], RATE],
] as const) {
  test(`an answer is judged as it is where ${what}`, () => {
    assert.equal(lateness(timed, hangs), undefined);
  });
}

for (const [what, timed, hangs, reason] of [
  [
    "the last wait took too long",
    [exchange("1", 0, 0), exchange("3", 28, 31.2)],
    LIFETIMES,
    "step 3 was answered 31.2 s after step 1 was sent, which was to be 28.0 s",
  ],
  [
    "an answer took so long that the service may have looked late",
    [exchange("1", 0, 0), exchange("3", 28, 28, 29.8)],
    LIFETIMES,
    "step 3 was answered 29.8 s after step 1 was sent, which was to be 28.0 s",
  ],
  [
    "the service may have begun to count long before it answered",
    [exchange("1", 0, 0, 9), exchange("2", 0, 9), exchange("4", 28, 37)],
    LIFETIMES,
    "step 4 was answered 37.0 s after step 1 was sent, which was to be 28.0 s",
  ],
  [
    "the steps came slowly one by one",
    [exchange("1", 0, 0), exchange("2", 0, 4), exchange("4", 25, 31), exchange("5", 25, 34)],
    LIFETIMES,
    "step 5 was answered 34.0 s after step 1 was sent, which was to be 25.0 s",
  ],
  [
    "five builds took as long as a refill",
    [exchange("1[1].1", 0, 0), exchange("2", 0, 12)],
    RATE,
    "step 2 was answered 12.0 s after step 1[1].1 was sent, which was to be 0.0 s",
  ],
] as const) {
  test(`an answer is too late where ${what}`, () => {
    assert.equal(lateness(timed, hangs), `too slow for what it tries: ${reason}`);
  });
}

for (const [secondsPast, doubtful] of [
  [52, true],
  [59.5, true],
  [4, true],
  [6, false],
  [45, false],
] as const) {
  test(`a minute that is spent ${secondsPast} s past the minute mark ${doubtful ? "may" : "cannot"} end on the way`, () => {
    const began = NOON + 1_000 * secondsPast;
    const timed = [exchange("1", 0, 0, 0, began), exchange("2", 0, 3, 3.5, began)];
    const reason = "a minute of the service's clock may have ended between step 1 and step 2";
    assert.equal(lateness(timed, RATE), doubtful ? reason : undefined);
    assert.equal(lateness(timed, LIFETIMES), undefined, "a lifetime does not hang on it");
  });
}

test("only what was to happen at the instant of the last answer must lie within one minute", () => {
  const timed = [exchange("1", 0, 0), exchange("3", 60.25, 60.25), exchange("4", 60.25, 60.5)];
  assert.equal(lateness(timed, RATE), undefined);
});

test("a second try begins when no minute is about to end, or has just ended", () => {
  const waits = [0, 4, 6, 29, 30, 59].map((past) => untilClearOfMark(NOON + 1_000 * past, 60_000, 5_000));
  assert.deepEqual(waits, [6_000, 2_000, 0, 0, 36_000, 7_000]);
});
