import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { NoAnswer } from "./adapter.ts";
import { withinLimit } from "./within-limit.ts";

/** A call with a limit of a second, on a clock that stands until it is moved. */
function call(context: TestContext, limitMs = 1_000) {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const seen = { givenUp: 0 };
  let answer: (value: string) => void = () => undefined;
  let refuse: (error: Error) => void = () => undefined;
  const pending = new Promise<string>((resolve, reject) => {
    answer = resolve;
    refuse = reject;
  });
  const limited = withinLimit(pending, {
    limitMs,
    message: () => "too long",
    fatal: false,
    giveUp: () => {
      seen.givenUp += 1;
    },
  });
  limited.catch(() => undefined);
  return { limited, answer, refuse, seen, tick: (ms: number) => context.mock.timers.tick(ms) };
}

/** What a call is refused with, once its limit has passed. */
async function overdue({ limited, tick }: ReturnType<typeof call>): Promise<NoAnswer> {
  tick(1_000);
  const fault = await limited.catch((thrown: unknown) => thrown);
  assert.ok(fault instanceof NoAnswer);
  return fault;
}

test("an answer in time is the answer", async (context) => {
  const it = call(context);
  it.tick(999);
  it.answer("yes");
  assert.equal(await it.limited, "yes");
  it.tick(10_000);
  assert.equal(it.seen.givenUp, 0);
});

test("a refusal in time is the refusal", async (context) => {
  const it = call(context);
  it.refuse(new Error("no"));
  await assert.rejects(it.limited, { message: "no" });
});

test("a slow answer is told with the time that it took", async (context) => {
  const it = call(context);
  const fault = await overdue(it);
  assert.deepEqual([fault.message, fault.limitMs, fault.awaitedMs], ["too long", 1_000, 3_000]);
  it.tick(1_100);
  it.answer("yes");
  assert.equal(await fault.late, 2_100);
  it.tick(10_000);
  assert.equal(it.seen.givenUp, 0);
});

test("an answer that never comes is given up at three times the limit", async (context) => {
  const it = call(context);
  const fault = await overdue(it);
  it.tick(2_000);
  assert.equal(await fault.late, "given up");
  assert.equal(it.seen.givenUp, 1);
});

test("what breaks after the limit was no late answer", async (context) => {
  const it = call(context);
  const fault = await overdue(it);
  it.refuse(new Error("closed"));
  assert.equal(await fault.late, "broken");
  it.tick(10_000);
  assert.equal(it.seen.givenUp, 0);
});

test("without a limit a call is awaited for ever", async (context) => {
  const it = call(context, 0);
  it.tick(1_000_000);
  it.answer("yes");
  assert.equal(await it.limited, "yes");
});
