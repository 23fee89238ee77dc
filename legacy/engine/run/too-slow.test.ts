import assert from "node:assert/strict";
import { test } from "node:test";
import type { Service, ServiceModule } from "../../adapters/in-process.ts";
import { type Envelope, reference } from "../../testing/reference.ts";
import { runWith, suitesOf, vectorText } from "../../testing/run-vectors.ts";

const CAPABILITIES = { clock: "real", restart: true, rawBody: true, concurrency: true };
const REPLAY = `
- build: { by: alice, key: my-key-0001 }
  as: first
- advance: { just-before: 30s, since: $first }
- build: { by: alice, key: my-key-0001 }
  expect: { is: 200, same-as: $first }`;
const TOO_LATE =
  "too slow for what it tries: step 3 was answered 31.0 s after step 1 was sent, which was to be 28.0 s";

/** The wait before the second try. */
const NO_MORE = 0;

/** A machine whose clock nobody can move, and which oversleeps by so many ms, one after the other. */
function machine(overslept: readonly number[], began = Date.UTC(2026, 9, 10, 12, 0, 20)) {
  const left = [...overslept];
  const clock = { now: began };
  const sleep = async (ms: number) => {
    const until = clock.now + ms + (ms === 0 ? 0 : (left.shift() ?? 0));
    while (clock.now < until) {
      await new Promise(setImmediate);
      clock.now = Math.min(until, clock.now + 100);
    }
  };
  return { clock, time: { now: () => clock.now, sleep } };
}

/** The reference on that machine. */
function on(
  { clock }: ReturnType<typeof machine>,
  spoil: (answer: Envelope, path: string, body: string) => Envelope = (answer) => answer,
): ServiceModule {
  return {
    facts: reference.facts,
    capabilities: CAPABILITIES,
    async createService() {
      const service = (await reference.createService({ now: () => clock.now })) as Service;
      return {
        handle: (call) =>
          spoil(structuredClone(service.handle(call)) as Envelope, call.path, String(call.body)),
      };
    },
  };
}

test("a vector that failed only since the machine was slow is played once more, by other people", async (context) => {
  const slow = machine([3_000]);
  const creators = new Set<string>();
  const service = on(slow, (answer, path, body) => {
    if (path === "/v1/launch/build") creators.add(JSON.parse(body).creator);
    return answer;
  });
  const suites = suitesOf(context, vectorText(REPLAY, "IDEMPOTENCY-5"));
  const { results } = await runWith({ suites, time: slow.time }, service);
  assert.deepEqual(
    results.map(({ outcome, reason }) => [outcome, reason]),
    [["passed", undefined]],
  );
  assert.equal(creators.size, 2);
});

test("a vector for which the machine is too slow again is left out, with the reason", async (context) => {
  const slow = machine([3_000, NO_MORE, 3_000]);
  const suites = suitesOf(context, vectorText(REPLAY, "IDEMPOTENCY-5"));
  const { results, exitStatus } = await runWith({ suites, time: slow.time }, on(slow));
  assert.deepEqual(
    results.map(({ outcome, reason, failures }) => [outcome, reason, failures]),
    [["skipped", TOO_LATE, []]],
  );
  assert.equal(exitStatus, 4);
});

test("a vector with a service of its own is played once more, too", async (context) => {
  const slow = machine([3_000]);
  const suites = suitesOf(context, vectorText(`- restart: true${REPLAY}`, "IDEMPOTENCY-5"));
  const { totals } = await runWith({ suites, time: slow.time }, on(slow));
  assert.deepEqual(totals, { passed: 1, failed: 0, skipped: 0, error: 0 });
});

/** A service that forgets drafts after twenty seconds: it says so to whoever asks later. */
function forgetful(slow: ReturnType<typeof machine>): ServiceModule {
  let built: number | undefined;
  return on(slow, (answer, path) => {
    if (path !== "/v1/launch/build") return answer;
    built ??= slow.clock.now;
    return slow.clock.now - built < 20_000
      ? answer
      : { status: 409, body: { code: "REBUILD_WITH_NEW_KEY", productionApproved: false } };
  });
}

for (const overslept of [0, 900]) {
  test(`a failure on a machine ${overslept} ms slow is a failure`, async (context) => {
    const slow = machine([overslept]);
    const suites = suitesOf(context, vectorText(REPLAY, "IDEMPOTENCY-5"));
    const { results } = await runWith({ suites, time: slow.time }, forgetful(slow));
    assert.deepEqual(
      results.map(({ outcome, failures }) => [outcome, failures.map(({ got }) => got)]),
      [["failed", ["409 REBUILD_WITH_NEW_KEY"]]],
    );
  });
}

test("a failure that the second try shows is a failure", async (context) => {
  const slow = machine([3_000]);
  const suites = suitesOf(context, vectorText(REPLAY, "IDEMPOTENCY-5"));
  const { results } = await runWith({ suites, time: slow.time }, forgetful(slow));
  assert.deepEqual(
    results.map(({ outcome, failures }) => [outcome, failures.map(({ got }) => got)]),
    [["failed", ["409 REBUILD_WITH_NEW_KEY"]]],
  );
});

for (const [what, rules, spoil] of [
  [
    "an answer that no time explains",
    "IDEMPOTENCY-5",
    (answer: Envelope) =>
      answer.status === 409 ? { status: 400, body: { ...answer.body, code: "INVALID_FIELDS" } } : answer,
  ],
  [
    "a wrong constant that was seen before",
    "IDEMPOTENCY-5, DRAFT-1",
    (answer: Envelope) =>
      answer.body.mode === "OFFLINE_PROTOTYPE" && answer.body.cost !== undefined
        ? { ...answer, body: { ...answer.body, mode: "ONLINE" } }
        : answer,
  ],
] as const) {
  test(`${what} is a failure on a machine of any speed`, async (context) => {
    const slow = machine([3_000, NO_MORE, 3_000]);
    const suites = suitesOf(context, vectorText(REPLAY, rules));
    const { totals } = await runWith({ suites, time: slow.time }, on(slow, spoil));
    assert.deepEqual([totals.failed, totals.skipped], [1, 0]);
  });
}

test("what was seen broken on the way is not lost with the first try", async (context) => {
  const slow = machine([3_000]);
  let sessions = 0;
  const service = on(slow, (answer) => {
    if (answer.body.scope !== undefined && ++sessions === 1) answer.body.scope = "everything";
    return answer;
  });
  const suites = suitesOf(context, vectorText(REPLAY, "IDEMPOTENCY-5"));
  const { results } = await runWith({ suites, time: slow.time }, service);
  assert.deepEqual(
    results.map(({ outcome, failures }) => [outcome, failures.map(({ rule }) => rule)]),
    [["failed", ["SESSION-3"]]],
  );
});

/** A service that counts builds by the minutes of the clock, and takes a while for each. */
function clockAligned(slow: ReturnType<typeof machine>, perMinute: number): ServiceModule {
  let draft: unknown;
  const counts = new Map<string, number>();
  return on(slow, (answer, path, body) => {
    if (path !== "/v1/launch/build") return answer;
    slow.clock.now += 300;
    if (answer.status === 200) draft = answer.body;
    const minute = `${JSON.parse(body).creator} ${Math.floor(slow.clock.now / 60_000)}`;
    const count = (counts.get(minute) ?? 0) + 1;
    counts.set(minute, count);
    return count <= perMinute
      ? { status: 200, body: draft }
      : { status: 429, body: { code: "OFFLINE_RATE_LIMIT", productionApproved: false } };
  });
}

const SPENT_MINUTE = `
- repeat: { times: 5, steps: [{ build: { by: alice, mint: $gold } }] }
- build: { by: alice, mint: $gold }
  expect: 429 OFFLINE_RATE_LIMIT`;

for (const [perMinute, outcome] of [
  [5, "passed"],
  [6, "failed"],
] as const) {
  test(`a service that counts ${perMinute} builds by the minutes of the clock has ${outcome}, even where one ends on the way`, async (context) => {
    const slow = machine([], Date.UTC(2026, 9, 10, 12, 0, 59));
    const suites = suitesOf(context, vectorText(SPENT_MINUTE, "LIMIT-6"));
    const { results } = await runWith({ suites, time: slow.time }, clockAligned(slow, perMinute));
    assert.deepEqual(
      results.map((result) => result.outcome),
      [outcome],
    );
  });
}

test("a run that was stopped tries nothing again", async (context) => {
  const slow = machine([3_000]);
  let builds = 0;
  const service = on(slow, (answer, path) => {
    if (path === "/v1/launch/build") builds += 1;
    return answer;
  });
  const suites = suitesOf(context, vectorText(REPLAY, "IDEMPOTENCY-5"));
  const reason = "not run: interrupted (Ctrl-C)";
  const stopped = () => (builds > 0 ? reason : undefined);
  const { results } = await runWith({ suites, time: slow.time, stopped }, service);
  assert.deepEqual([builds, results.map((result) => result.outcome)], [2, ["skipped"]]);
});
