import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientClock } from "./client-clock.ts";

/** A clock that time passes on by hand, and how far it told others that it was moved. */
function clockByHand() {
  let realMs = 7;
  const moved: number[] = [];
  const clock = new ClientClock({ now: () => realMs, sleep: async () => {} }, async (ms) => {
    moved.push(ms);
  });
  const pass = (ms: number) => {
    realMs += ms;
  };
  return { clock, moved, pass };
}

test("waits move it on at once, and real time that passes is counted besides", async () => {
  const { clock, moved, pass } = clockByHand();
  await clock.sleep(250);
  pass(3);
  assert.equal(clock.nowMs, 253);
  assert.equal(clock.movedMs, 250);
  assert.deepEqual(moved, [250]);
});

test("those who wait at the same time wait together", async () => {
  const { clock, moved } = clockByHand();
  await Promise.all([clock.sleep(100), clock.sleep(300), clock.sleep(100)]);
  assert.equal(clock.movedMs, 300);
  assert.deepEqual(moved, [100, 200]);
});

test("parts of milliseconds add up, and none is waited backwards", async () => {
  const { clock, moved } = clockByHand();
  for (const ms of [0.4, 0.4, 0.4, -5, 0]) await clock.sleep(ms);
  assert.equal(clock.movedMs, 1);
  assert.deepEqual(moved, [1]);
});
