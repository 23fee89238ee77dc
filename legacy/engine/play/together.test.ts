import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServiceModule } from "../../adapters/in-process.ts";
import { reference, spoiled } from "../../testing/reference.ts";
import { playSteps } from "../../testing/run-vectors.ts";

const REFUSED = { code: "INVALID_FIELDS", productionApproved: false };
const REPLAYS = (tally: string) => `
- session: { for: alice }
- together:
    times: 3
    steps:
      - build: { by: alice, key: my-key-0001 }
    tally: { ${tally} }`;

test("a tally holds where every answer is of an outcome, and each outcome comes so often", async (context) => {
  const kept = await playSteps(context, REPLAYS("200: 3"), reference, "IDEMPOTENCY-5");
  assert.deepEqual([kept.outcome, kept.failures], ["passed", []]);
});

for (const [tally, expected] of [
  ["200: 2", "2 × 200"],
  ["200: 2, 409 IDEMPOTENCY_CONFLICT: 1", "2 × 200, 1 × 409 IDEMPOTENCY_CONFLICT"],
  ["200: 3, 429 OFFLINE_RATE_LIMIT: 1", "3 × 200, 1 × 429 OFFLINE_RATE_LIMIT"],
] as const) {
  test(`a tally of ${tally} fails where three answers are 200`, async (context) => {
    const { failures } = await playSteps(context, REPLAYS(tally), reference, "IDEMPOTENCY-5");
    assert.deepEqual(
      failures.map((failure) => [failure.rules, failure.expected, failure.got]),
      [[["IDEMPOTENCY-5"], expected, "3 × 200"]],
    );
  });
}

test("of several tallies one has to hold", async (context) => {
  const several = (tallies: string) => REPLAYS("").replace("{  }", `[${tallies}]`);
  const one = several("{ 200: 2, 429 OFFLINE_CAPACITY: 1 }, { 200: 3 }");
  assert.deepEqual((await playSteps(context, one, reference, "IDEMPOTENCY-5")).failures, []);
  const none = several("{ 200: 2 }, { 200: 1, 429 OFFLINE_CAPACITY: 2 }");
  const { failures } = await playSteps(context, none, reference, "IDEMPOTENCY-5");
  assert.equal(failures[0]?.expected, "2 × 200; or 1 × 200, 2 × 429 OFFLINE_CAPACITY");
});

test("an answer that the tally does not name is the one shown", async (context) => {
  let builds = 0;
  const service = spoiled((answer, call) => {
    // Some come before, by which time is measured.
    if (call.path !== "/v1/launch/build" || call.idempotencyKey?.startsWith("calibration")) return;
    // The play of the first three waits for that.
    if (++builds !== 5) return;
    answer.status = 400;
    answer.body = REFUSED;
  });
  const { failures } = await playSteps(context, REPLAYS("200: 3"), service, "IDEMPOTENCY-5");
  assert.equal(failures[0]?.got, "2 × 200, 1 × 400 INVALID_FIELDS");
  assert.deepEqual(failures[0]?.response, { status: 400, body: REFUSED });
});

test("requests of a group are in flight before the first of them is answered", async (context) => {
  let inFlight = 0;
  let most = 0;
  const slow: ServiceModule = {
    ...reference,
    async createService(options) {
      const service = await reference.createService(options);
      return {
        async handle(call) {
          most = Math.max(most, ++inFlight);
          await new Promise(setImmediate);
          inFlight -= 1;
          return service.handle(call);
        },
      };
    },
  };
  const { outcome } = await playSteps(context, REPLAYS("200: 3"), slow, "IDEMPOTENCY-5");
  assert.deepEqual([outcome, most], ["passed", 3]);
});
