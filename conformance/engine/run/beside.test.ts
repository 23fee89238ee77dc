import assert from "node:assert/strict";
import { test } from "node:test";
import { AdapterFault, type Connection } from "../../adapters/adapter.ts";
import { Activity } from "./activity.ts";
import { Beside, DoneInVain } from "./beside.ts";

const activity = new Activity({ now: () => 0, sleep: async () => {} });
const LANE = {} as Connection;
const open = async () => LANE;

/** What is to be done, begun, and a list of what was done. */
function begun(begin: (beside: Beside) => void = () => undefined) {
  const beside: Beside = new Beside(
    () => activity.facts(),
    () => begin(beside),
    1,
  );
  beside.start();
  return beside;
}

test("what takes the most requests is done first, and what takes few when it is asked for", async () => {
  const done: number[] = [];
  const beside = begun((to) => {
    for (const requests of [10, 300, 20, 300])
      void to.add(requests, async () => {
        done.push(requests);
      });
  });
  assert.equal(beside.next(), undefined);
  beside.seen(false);
  assert.equal(beside.next(), undefined);
  beside.seen(true);
  beside.seen(true);
  for (let task = beside.next(50); task !== undefined; task = beside.next(50)) await task.do(open);
  assert.deepEqual(done, [300, 300]);
  for (let task = beside.next(); task !== undefined; task = beside.next()) await task.do(open);
  assert.deepEqual(done, [300, 300, 20, 10]);
});

test("what breaks is told to who asked for it, and to who did it", async () => {
  const beside = begun();
  const fault = new AdapterFault("it exited", { fatal: true });
  const asked = assert.rejects(
    beside.add(1, () => Promise.reject(fault)),
    fault,
  );
  assert.equal(await beside.next()?.do(open), fault);
  await asked;
  const unopened = assert.rejects(
    beside.add(1, async () => undefined),
    fault,
  );
  assert.equal(await beside.next()?.do(() => Promise.reject(fault)), fault);
  await unopened;
});

test("once it is abandoned, nothing is done, and nothing that was done counts", async () => {
  const beside = begun();
  const asked = assert.rejects(
    beside.add(1, async () => undefined),
    DoneInVain,
  );
  const over = assert.rejects(beside.over(), DoneInVain);
  beside.abandon();
  await Promise.all([asked, over]);
  assert.equal(beside.next(), undefined);
  assert.equal(beside.isOpen, false);
});

test("once the vectors are through, what was done beside them counts", async () => {
  const beside = begun();
  const over = beside.over();
  beside.close();
  await over;
});
