import assert from "node:assert/strict";
import { test } from "node:test";
import { Activity } from "../engine/run/activity.ts";
import { Progress } from "./progress.ts";

/** A run that waits for the clock for 41 s, as it is shown. */
function waiting({ live, width = 110 }: { readonly live: boolean; readonly width?: number }) {
  const clock = { nowMs: 1_000_000 };
  const never = () => new Promise<void>(() => {});
  const activity = new Activity({ now: () => clock.nowMs, sleep: never });
  const texts: string[] = [];
  const progress = new Progress({
    output: { err: (text) => texts.push(text), live, width },
    activity,
    now: () => clock.nowMs,
  });
  const tick = (times: number) => {
    for (let count = 0; count < times; count++) {
      clock.nowMs += 1_000;
      progress.tick();
    }
  };
  return { activity, progress, texts, tick };
}

const FOR = "until just after 60s since challenge (challenge/a)";

test("without a terminal what is waited for is a line every ten seconds", () => {
  const { activity, progress, texts, tick } = waiting({ live: false });
  progress.onResult(undefined, 1396, 1410);
  tick(25);
  assert.deepEqual(texts, []);
  activity.time.sleep(41_000, { for: FOR });
  activity.time.sleep(11_000, { for: "until something else" });
  tick(20);
  assert.deepEqual(texts, [
    `1396/1410  waiting, 31 s left: ${FOR}, and 1 more\n`,
    `1396/1410  waiting, 21 s left: ${FOR}, and 1 more\n`,
  ]);
});

test("on a terminal it is one line, drawn again every second, cut to its width, and taken away", () => {
  const { activity, progress, texts, tick } = waiting({ live: true, width: 60 });
  progress.onResult(undefined, 1396, 1410);
  activity.time.sleep(41_000, { for: FOR });
  tick(2);
  progress.onResult(undefined, 1410, 1410);
  progress.end();
  assert.deepEqual(texts, [
    "\r\u001b[K1396/1410",
    "\r\u001b[K1396/1410  waiting, 40 s left: until just after 60s since …",
    "\r\u001b[K1396/1410  waiting, 39 s left: until just after 60s since …",
    "\r\u001b[K",
  ]);
});

test("an answer that takes long is waited for, by its request; one that comes soon is not told", () => {
  const { activity, texts, tick } = waiting({ live: true });
  const hang = () => new Promise<never>(() => {});
  activity.call(hang, { operation: "build", id: "launch/a", step: "3" }, "asked");
  tick(1);
  assert.deepEqual(texts, []);
  tick(1);
  assert.deepEqual(texts, ["\r\u001b[Kwaiting, 2 s so far: for an answer to build (launch/a, step 3)"]);
});
