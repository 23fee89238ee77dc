import assert from "node:assert/strict";
import { test } from "node:test";
import type { Service, ServiceModule } from "../../adapters/in-process.ts";
import { reference, spoiled } from "../../testing/reference.ts";
import { playSteps } from "../../testing/run-vectors.ts";

interface Small {
  readonly challenges?: number;
  readonly sessions?: number;
  readonly drafts?: number;
}

/** The reference with small stores, of which it states these sizes (or none). */
function sized(capacity: Small, stated: Small | null = capacity): ServiceModule {
  const { capacity: _, ...facts } = reference.facts as { readonly capacity: object };
  const create = reference.createService as (options: object) => Service;
  return {
    facts: stated === null ? facts : { ...facts, capacity: stated },
    createService: (options) => create({ ...options, capacity }),
  };
}

const FLOODS = [
  ["challenges", "LIMIT-14", "CAPACITY-CHALLENGES", { challenges: 6 }],
  ["sessions", "LIMIT-15", "CAPACITY-SESSIONS", { sessions: 6 }],
  ["drafts", "LIMIT-16", "CAPACITY-DRAFTS", { drafts: 6 }],
] as const;

for (const [store, rule, point, capacity] of FLOODS) {
  const steps = `- flood: { store: ${store}, open: ${point} }\n  as: full`;
  const used = `${steps}\n- compare: { value: $full.status, equals: 429 }`;
  const reading = (result: { observations: readonly { point: string; reading: string }[] }) =>
    result.observations.filter((seen) => seen.point === point).map((seen) => seen.reading);

  test(`the bound of ${store} is reached, and the answer is kept`, async (context) => {
    const result = await playSteps(context, used, sized(capacity), rule);
    assert.deepEqual([result.outcome, reading(result)], ["passed", ["reached"]]);
  });

  test(`the bound of ${store} is reached where none is stated`, async (context) => {
    const result = await playSteps(context, used, sized({ [store]: 30 }, null), rule);
    assert.deepEqual([result.outcome, reading(result)], ["passed", ["reached"]]);
  });

  test(`a small bound of ${store} that is not stated is to be stated`, async (context) => {
    const { outcome, reason = "" } = await playSteps(context, used, sized(capacity, null), rule);
    assert.deepEqual(
      [outcome, reason.split(":").slice(0, 2)],
      ["skipped", ['state the fact "capacity"', `{"${store}"`]],
    );
  });

  test(`a store that is full before it holds the ${store} that are stated is a failure`, async (context) => {
    const result = await playSteps(context, used, sized(capacity, { [store]: 40 }), rule);
    assert.deepEqual(
      result.failures.map(({ rules, expected, got }) => [rules, expected, got]),
      [[[rule], "200", "429 OFFLINE_CAPACITY"]],
    );
  });

  test(`more ${store} than the implementation states are a failure`, async (context) => {
    const stated = Object.fromEntries(Object.entries(capacity).map(([name, size]) => [name, size - 1]));
    const result = await playSteps(context, used, sized(capacity, stated), rule);
    assert.deepEqual(
      result.failures.map(({ rules, expected, got }) => [rules, expected, got]),
      [[[rule], "429 OFFLINE_CAPACITY", "200"]],
    );
  });

  test(`a full store of ${store} that is told by another code is a failure`, async (context) => {
    const service = sized(capacity);
    const lying: ServiceModule = {
      ...service,
      async createService(options) {
        const inner = await service.createService(options);
        return {
          handle(call) {
            const answer = inner.handle(call) as { status: number; body: { code?: string } };
            if (answer.body.code !== "OFFLINE_CAPACITY") return answer;
            return { status: 429, body: { code: "OFFLINE_RATE_LIMIT", productionApproved: false } };
          },
        };
      },
    };
    const { failures } = await playSteps(context, used, lying, rule);
    assert.deepEqual(
      failures.map(({ rules, expected, got }) => [rules, expected, got]),
      [[[rule], "200, or 429 OFFLINE_CAPACITY", "429 OFFLINE_RATE_LIMIT"]],
    );
  });
}

test("a bound that is not reached is recorded and no failure", async (context) => {
  const steps = `
- flood: { store: sessions, open: CAPACITY-SESSIONS }
  as: last
- compare: { value: $last.status, equals: 200 }`;
  const roomy = sized({ sessions: 100_000, challenges: 100_000 }, { sessions: 100_000 });
  const { outcome, observations } = await playSteps(context, steps, roomy, "LIMIT-15");
  assert.equal(outcome, "passed");
  const readings = observations.flatMap(({ point, reading }) =>
    point === "CAPACITY-SESSIONS" ? reading : [],
  );
  assert.deepEqual(readings, ["not-reached"]);
});

test("a vector that asks for more room than is stated is left out, and says so", async (context) => {
  const steps = "- repeat: { times: 3, steps: [{ challenge: { for: alice } }] }";
  const { outcome, reason } = await playSteps(context, steps, sized({ challenges: 2 }), "ENDPOINT-2");
  assert.equal(outcome, "skipped");
  assert.equal(
    reason,
    "needs more challenges at once than the 2 that the implementation states (fact capacity)",
  );
});

test("a service that is full before its stated bound fails", async (context) => {
  const steps = "- challenge: { for: alice }";
  const full = spoiled((answer, call) => {
    if (call.path !== "/v1/auth/challenge") return;
    answer.status = 429;
    answer.body = { code: "OFFLINE_CAPACITY", productionApproved: false };
  });
  const { outcome, failures } = await playSteps(context, steps, full, "ENDPOINT-2");
  assert.deepEqual([outcome, failures[0]?.rules], ["failed", ["ENDPOINT-2"]]);
});

test("a shared service without room is passed over, with what would give it more", async (context) => {
  const shared: ServiceModule = {
    ...sized({ challenges: 2 }, null),
    capabilities: { clock: "virtual", restart: false, rawBody: true, concurrency: true },
  };
  const steps = "- repeat: { times: 3, steps: [{ challenge: { for: alice } }] }";
  const { outcome, reason, lacks } = await playSteps(context, steps, shared, "ENDPOINT-2");
  assert.deepEqual([outcome, lacks], ["skipped", ["room"]]);
  assert.match(
    reason ?? "",
    /^429 OFFLINE_CAPACITY: .* start it anew, or with more room: what earlier runs stored lives up to an hour$/,
  );
});

test("a full store that is told before a used challenge is looked at is no failure where no bound is stated", async (context) => {
  const full = sized({ sessions: 30 }, null);
  const roomFirst: ServiceModule = {
    ...full,
    async createService(options) {
      const inner = await full.createService(options);
      let opened = 0;
      return {
        async handle(call) {
          const isProof = call.path === "/v1/auth/verify";
          if (isProof && opened >= 30)
            return { status: 429, body: { code: "OFFLINE_CAPACITY", productionApproved: false } };
          const answer = (await inner.handle(call)) as { readonly status: number };
          if (isProof && answer.status === 200) opened += 1;
          return answer;
        },
      };
    },
  };
  const steps = `
- challenge: { for: alice }
  as: proven
- verify: { challenge: $proven }
- crowd: { store: sessions, times: 40, leaving: 2, open: CROWD-OF-CREATORS }
- verify: { challenge: $proven }
  expect: 401 EXPIRED_OR_USED_CHALLENGE`;
  const told = await playSteps(context, steps, roomFirst, "CHALLENGE-22");
  assert.deepEqual([told.outcome, told.reason?.split(":")[0]], ["skipped", 'state the fact "capacity"']);
  const stated = await playSteps(context, steps, sized({ sessions: 30 }), "CHALLENGE-22");
  assert.equal(stated.outcome, "passed");
});
