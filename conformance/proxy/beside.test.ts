import assert from "node:assert/strict";
import { test } from "node:test";
import { passed } from "../testing/proxy/passed.ts";
import { WorkInPlace } from "../testing/proxy/work-thread.ts";
import type { BesideWork } from "./beside.ts";
import { Beside, type WorkRoom } from "./beside.ts";

const NEVER = () => new Promise<void>(() => {});
const AT_ONCE = async () => {};
const NOTHING_OPEN = Number.POSITIVE_INFINITY;

/** Work that tells the number of each exchange, and at the end how many there were. */
class Counting implements BesideWork<number, number> {
  taken = 0;
  readonly #breaksAt: number;

  constructor(breaksAt = Number.POSITIVE_INFINITY) {
    this.#breaksAt = breaksAt;
  }

  take({ number }: { readonly number: number }): readonly number[] {
    if (number >= this.#breaksAt) throw new Error("a judge that\nbreaks");
    this.taken += 1;
    return [number];
  }

  tick(nowMs: number): readonly number[] {
    return [-nowMs];
  }

  end(): number {
    return this.taken;
  }
}

function beside(work: BesideWork<number, number>, room?: WorkRoom, atOnce = true) {
  const thread = new WorkInPlace(work, atOnce);
  const events: string[] = [];
  const made = new Beside(
    thread,
    {
      told: (told) => events.push(`told ${told.join()}`),
      behind: () => events.push("behind"),
      broke: (reason) => events.push(`broke: ${reason}`),
    },
    room,
  );
  const offer = (from: number, to: number) => {
    for (let number = from; number <= to; number++) made.offer(passed({ number }), NOTHING_OPEN);
  };
  return { thread, events, offer, made };
}

test("what is told comes at once, and the end with all that was taken", async () => {
  const { made, events, offer, thread } = beside(new Counting());
  offer(1, 2);
  made.tick(7, NOTHING_OPEN);
  assert.deepEqual(events, ["told 1", "told 2", "told -7"]);
  assert.deepEqual(await made.end(NEVER), { end: 2, missed: 0 });
  assert.ok(thread.terminated);
});

test("work that is slower holds no more than there is room, and what passes meanwhile is counted", async () => {
  const { made, events, offer, thread } = beside(new Counting(), { exchanges: 60, bytes: 1_000 }, false);
  offer(1, 100);
  assert.deepEqual(events, ["behind"]);
  thread.work();
  offer(101, 150);
  thread.atOnce = true;
  thread.work();
  assert.equal(events.filter((event) => event === "behind").length, 1);
  assert.deepEqual(await made.end(NEVER), { end: 110, missed: 40 });
});

test("large bodies take the room, too", async () => {
  const { made, thread } = beside(new Counting(), { exchanges: 1_000, bytes: 100 }, false);
  for (let number = 1; number <= 4; number++)
    made.offer(passed({ number, body: "x".repeat(40) }), NOTHING_OPEN);
  thread.atOnce = true;
  thread.work();
  assert.deepEqual(await made.end(NEVER), { end: 2, missed: 2 });
});

test("work that throws is told once, and what follows passes without it", async () => {
  const { made, events, offer } = beside(new Counting(3));
  offer(1, 5);
  made.tick(7, NOTHING_OPEN);
  assert.deepEqual(events, ["told 1", "told 2", "broke: a judge that breaks"]);
  assert.deepEqual(await made.end(NEVER), { missed: 3, broke: "a judge that breaks" });
});

test("a thread that dies is told once, and what waited for it is missed", async () => {
  const { made, events, offer, thread } = beside(new Counting(), undefined, false);
  offer(1, 3);
  thread.die("no more memory");
  offer(4, 5);
  assert.deepEqual(events, ["broke: no more memory"]);
  assert.deepEqual(await made.end(NEVER), { missed: 5, broke: "no more memory" });
});

test("a thread that hangs is left", async () => {
  const { made, offer, thread } = beside(new Counting(), undefined, false);
  offer(1, 3);
  assert.deepEqual(await made.end(AT_ONCE), { missed: 0, broke: "it came to no end" });
  assert.ok(thread.terminated);
});
