import assert from "node:assert/strict";
import { test } from "node:test";
import { Interrupted } from "../play/breakage.ts";
import { Activity } from "./activity.ts";

const CALL = { operation: "build", id: "v/1", step: "2" };

/** A clock that stands still until it is moved, on which nobody wakes by itself. */
function still() {
  const clock = { nowMs: 1_000_000 };
  const wakes: (() => void)[] = [];
  const sleep = (_: number, { signal }: { readonly signal?: AbortSignal } = {}) =>
    new Promise<void>((resolve, reject) => {
      wakes.push(resolve);
      signal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  return {
    clock,
    wake: () => {
      for (const wake of wakes.splice(0)) wake();
    },
    time: { now: () => clock.nowMs, sleep },
  };
}

test("time goes on the service, the clock and the kit, each moment on one of them", async () => {
  const { clock, wake, time } = still();
  const activity = new Activity(time);
  clock.nowMs += 1;
  let answer: (value: string) => void = () => undefined;
  const call = activity.call(
    () =>
      new Promise<string>((resolve) => {
        answer = resolve;
      }),
    CALL,
    "floods",
  );
  clock.nowMs += 20;
  const wait = activity.time.sleep(500, { for: "for it" });
  clock.nowMs += 20;
  assert.deepEqual(activity.oldestCall, { ...CALL, sinceMs: 1_000_001 });
  answer("yes");
  assert.equal(await call, "yes");
  clock.nowMs += 300;
  assert.deepEqual(activity.waits, { count: 1, longest: { for: "for it", untilMs: 1_000_521 } });
  wake();
  await wait;
  clock.nowMs += 2;
  const { operations, ...spent } = activity.facts();
  const requests = { asked: 0, preparing: 0, floods: 1, searches: 0, measuring: 0 };
  assert.deepEqual(spent, { serviceMs: 40, clockMs: 300, kitMs: 3, playedAgain: 0, requests });
  assert.deepEqual(
    operations.map(({ operation, requests, worstMs, worstId, worstStep }) => [
      operation,
      requests,
      worstMs,
      worstId,
      worstStep,
    ]),
    [["build", 1, 40, "v/1", "2"]],
  );
  assert.deepEqual([activity.waits, activity.oldestCall], [{ count: 0 }, undefined]);
});

test("an interrupt ends waits at once, calls after a moment, and whatever would begin then", async () => {
  const { wake, time } = still();
  const stop = new AbortController();
  const activity = new Activity(time, stop.signal);
  const wait = activity.time.sleep(80_000, { for: "for it" });
  let given = "";
  const call = activity
    .call(() => new Promise<never>(() => {}), CALL, "asked")
    .catch((error: Error) => {
      given = error.message;
    });
  stop.abort("enough");
  await assert.rejects(wait, Interrupted);
  assert.equal(given, "");
  wake();
  await call;
  assert.equal(given, "enough");
  await assert.rejects(activity.time.sleep(1), Interrupted);
  await assert.rejects(
    activity.call(async () => 1, CALL, "asked"),
    { message: "enough" },
  );
});

test("where nobody is left to ask, waits end and nothing more is asked", async () => {
  const activity = new Activity(still().time);
  const wait = activity.time.sleep(80_000, { for: "for it" });
  activity.abandon("not run: the service is gone");
  const gone = { name: "AdapterFault", message: "not run: the service is gone" };
  await assert.rejects(wait, gone);
  await assert.rejects(
    activity.call(async () => 1, CALL, "asked"),
    gone,
  );
});

test("who looks on is told when the last wait ends", async () => {
  const { wake, time } = still();
  const told: number[] = [];
  const activity = new Activity(time, undefined, (untilMs) => told.push(untilMs));
  const waits = [activity.time.sleep(5, { for: "a" }), activity.time.sleep(9, { for: "b" })];
  wake();
  await Promise.all(waits);
  assert.deepEqual(told, [1_000_005, 1_000_009, 1_000_009, 0]);
});
