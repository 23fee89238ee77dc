import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { AdapterFault, NoAnswer } from "../../adapters/adapter.ts";
import type { Service, ServiceModule } from "../../adapters/in-process.ts";
import { oneProcess } from "../../testing/adapters/one-process.ts";
import { reference } from "../../testing/reference.ts";
import { runWith, suitesOf } from "../../testing/run-vectors.ts";
import { withoutChance } from "../../testing/without-chance.ts";
import type { RealTime } from "../play/real-time.ts";
import type { Report } from "./report.ts";

const LANES = 9;
const SUITE = `suite: s
vectors:
${["a", "b", "c", "d"].map((id) => `  - { id: ${id}, title: builds a draft, rules: [DRAFT-1], steps: [{ build: { by: alice } }, { build: { by: bob } }] }`).join("\n")}
  - { id: odd, title: asks for something else, rules: [ERROR-15], steps: [{ platform: }, { request: { method: POST, path: /v1/buy }, expect: 404 NO_EXECUTION_ENDPOINT }] }
${["e", "f", "g", "h"].map((id) => `  - { id: ${id}, title: builds a draft, rules: [DRAFT-1], steps: [{ build: { by: alice } }, { build: { by: bob } }] }`).join("\n")}
`;

/** The module spoilt: \`odd\` sees each call first. */
function module(odd: (path: string) => unknown): ServiceModule {
  return {
    ...reference,
    createService: async (options) => {
      const { handle } = await reference.createService(options);
      return { handle: (call) => odd(call.path) ?? handle(call) };
    },
  };
}

const told = ({ results }: Report) =>
  results.map(({ id, outcome, reason }) => [id.slice(2), reason ?? outcome].join(" "));
const EACH = ["a", "b", "c", "d", "odd", "e", "f", "g", "h"];
const but = (odd: string) => EACH.map((id) => (id === "odd" ? odd : `${id} passed`));

/** What is told of a module alone, and of several services of one process side by side: the same. */
async function toldEither(
  context: TestContext,
  adapterOf: (jobs: number) => ReturnType<typeof oneProcess>,
  {
    text = SUITE,
    requestMs,
    ...options
  }: { readonly bail?: boolean; readonly text?: string; readonly requestMs?: number } = {},
): Promise<readonly string[]> {
  const suites = suitesOf(context, text);
  const judged = (jobs: number) => {
    const time = requestMs === undefined ? {} : { time: clockOf(requestMs) };
    return runWith({ ...options, ...time, suites, adapter: adapterOf(jobs) });
  };
  const [alone, together] = [await judged(1), await judged(LANES)];
  assert.deepEqual(together.results.map(withoutChance), alone.results.map(withoutChance));
  assert.deepEqual(together.choices, alone.choices);
  return told(together);
}

/** A clock by which each request takes so long, and nothing else takes time. */
function clockOf(requestMs: number): RealTime {
  let ms = 0;
  return {
    now: () => 0,
    sleep: async () => {},
    precise: () => {
      ms += requestMs;
      return ms;
    },
  };
}

test("vectors that are played side by side are told in their order", async (context) => {
  assert.deepEqual(await toldEither(context, (jobs) => oneProcess(reference, jobs)), but("odd passed"));
});

test("only what is asked when nothing else is under way there says how long a request takes", async (context) => {
  const suites = suitesOf(context, SUITE);
  const timed = async (jobs: number) => {
    const { time } = await runWith({ suites, adapter: oneProcess(reference, jobs) });
    const [build] = time?.operations.filter(({ operation }) => operation === "build") ?? [];
    return [
      build?.requests,
      build?.spread.reduce((sum, [, requests]) => sum + requests, build.amongOthers ?? 0),
    ];
  };
  const [alone, together] = [await timed(1), await timed(LANES)];
  assert.deepEqual(together, alone);
  assert.equal(alone[0], alone[1]);
  const { time } = await runWith({ suites, adapter: oneProcess(reference, LANES) });
  assert.ok(
    time?.operations.some(({ requests, amongOthers = 0 }) => 0 < amongOthers && amongOthers < requests),
  );
});

/** The reference in one place, which is emptied when a service is made: nobody who is asked for one at a time can tell. */
function inOnePlace(): ServiceModule {
  let only: Service;
  return {
    ...reference,
    createService: async (options) => {
      only = await reference.createService(options);
      return { handle: (call) => only.handle(call) };
    },
  };
}

test("services that stand in each other's place are judged as by themselves", async (context) => {
  const shared = inOnePlace();
  assert.deepEqual(await toldEither(context, (jobs) => oneProcess(shared, jobs)), but("odd passed"));
});

test("services that leave something to those after them are judged in their order", async (context) => {
  let left = false;
  const leaky = module((path) => {
    left ||= path === "/v1/buy";
    return left && path === "/v1/launch/build" ? { status: 200, body: {} } : undefined;
  });
  const renew = async () => {
    left = false;
  };
  const adapterOf = (jobs: number) => {
    left = false;
    return { ...oneProcess(leaky, jobs), renew };
  };
  assert.deepEqual(
    await toldEither(context, adapterOf),
    EACH.map((id, place) => `${id} ${place > 4 ? "failed" : "passed"}`),
  );
});

const IN_TURN = `suite: s
vectors:
${["first", "a"].map((id) => `  - { id: ${id}, title: builds a draft, rules: [DRAFT-1], steps: [{ build: { by: alice } }, { build: { by: bob } }] }`).join("\n")}
  - id: restarted
    title: forgets keys in a restart
    rules: [IDEMPOTENCY-23]
    steps: [{ build: { by: alice, key: the-key-1, name: Before } }, { restart: true }, { build: { by: alice, key: the-key-1, name: After }, expect: 200 }]
${["late", "later"].map((id) => `  - { id: ${id}, title: drafts end, rules: [IDEMPOTENCY-14], steps: [{ build: { by: alice, key: key-${id} } }, { advance: 40s }, { build: { by: alice, key: key-${id} }, expect: 409 REBUILD_WITH_NEW_KEY }] }`).join("\n")}
${["b", "c", "d"].map((id) => `  - { id: ${id}, title: builds a draft, rules: [DRAFT-1], steps: [{ build: { by: alice } }, { build: { by: bob } }] }`).join("\n")}
`;
const ALL_BUT = (...failed: readonly string[]) =>
  ["first", "a", "restarted", "late", "later", "b", "c", "d"].map(
    (id) => `${id} ${failed.includes(id) ? "failed" : "passed"}`,
  );

/** The reference, but a service knows the keys of the one that was made before it. */
function handingOn(): ServiceModule {
  let last = new Set<string | undefined>();
  return {
    ...reference,
    createService: async (options) => {
      const { handle } = await reference.createService(options);
      const [inherited, own] = [last, new Set<string | undefined>()];
      last = own;
      return {
        handle: (call) => {
          own.add(call.idempotencyKey);
          return call.idempotencyKey !== undefined && inherited.has(call.idempotencyKey)
            ? { status: 409, body: { code: "IDEMPOTENCY_CONFLICT", productionApproved: false } }
            : handle(call);
        },
      };
    },
  };
}

test("what a service takes over from the one that was made last is seen", async (context) => {
  const adapterOf = (jobs: number) => oneProcess(handingOn(), jobs);
  assert.deepEqual(await toldEither(context, adapterOf, { text: IN_TURN }), ALL_BUT("restarted"));
});

const RESTARTED = ["one", "two", "three", "four"];
const RESTARTS = `suite: s
vectors:
${RESTARTED.map(
  (id) => `  - id: ${id}
    title: forgets keys in a restart
    rules: [IDEMPOTENCY-23]
    steps: [{ build: { by: alice, key: the-key-${id} } }, { restart: true }, { platform: }, { build: { by: alice, key: the-key-${id} }, expect: 200 }]`,
).join("\n")}
  - { id: last, title: builds a draft, rules: [DRAFT-1], steps: [{ build: { by: alice } }] }
`;

test("where requests take long, a restart of each rule is asked for alone, and all where one fails", async (context) => {
  const adapterOf = (service: ServiceModule) => (jobs: number) => oneProcess(service, jobs);
  const slow = { text: RESTARTS, requestMs: 25 };
  const each = (told: string) => [...RESTARTED.map((id) => `${id} ${told}`), "last passed"];
  assert.deepEqual(await toldEither(context, adapterOf(handingOn()), slow), each("failed"));
  assert.deepEqual(await toldEither(context, adapterOf(reference), slow), each("passed"));
});

test("what is handed on from one request of the process to the next is seen", async (context) => {
  let last: { readonly key: string | undefined; readonly answer: unknown } | undefined;
  const remembering: ServiceModule = {
    ...reference,
    createService: async (options) => {
      const { handle } = await reference.createService(options);
      return {
        handle: (call) => {
          const key = call.idempotencyKey;
          if (key === undefined || key !== last?.key || key === "the-key-1")
            last = { key, answer: handle(call) };
          return last.answer;
        },
      };
    },
  };
  const adapterOf = (jobs: number) => oneProcess(remembering, jobs);
  assert.deepEqual(await toldEither(context, adapterOf, { text: IN_TURN }), ALL_BUT("late", "later"));
});

test("a new process in which all is played in order was asked what the first was before", async (context) => {
  let requests = 0;
  const renew = async () => {
    requests = 0;
  };
  const counted = module(() => (++requests % 23 === 0 ? { status: 200, body: {} } : undefined));
  const adapterOf = (jobs: number) => {
    requests = 0;
    return { ...oneProcess(counted, jobs), renew };
  };
  assert.ok((await toldEither(context, adapterOf)).some((line) => line.endsWith("failed")));
});

const BUILDERS = Array.from({ length: 2 * LANES }, (_, place) => `builder-${place}`);
const LONG_LAST = `suite: s
vectors:
${BUILDERS.map((id) => `  - { id: ${id}, title: builds a draft, rules: [DRAFT-1], steps: [{ build: { by: alice } }] }`).join("\n")}
  - { id: repeated, title: asks for something else, rules: [ERROR-15], steps: [{ repeat: { times: 3, steps: [{ request: { method: POST, path: /v1/buy }, expect: 404 NO_EXECUTION_ENDPOINT }] } }] }
  - { id: last, title: builds a draft, rules: [DRAFT-1], steps: [{ build: { by: bob } }] }
`;
const LONG_LAST_BUT = (odd: string, after = "last passed") => [
  ...BUILDERS.map((id) => `${id} passed`),
  `repeated ${odd}`,
  after,
];
const SLOW = { text: LONG_LAST, requestMs: 25 };

test("what stands for many requests is begun first where each takes long, and told in its turn", async (context) => {
  assert.deepEqual(
    await toldEither(context, (jobs) => oneProcess(reference, jobs), SLOW),
    LONG_LAST_BUT("passed"),
  );
  const suites = suitesOf(context, LONG_LAST);
  const asked: string[] = [];
  const adapter = oneProcess(reference, LANES, (connection, request) => {
    asked.push(request.path);
    return connection.handle(request);
  });
  await runWith({ suites, adapter, time: clockOf(SLOW.requestMs) });
  // All but the first, by which it was seen how long a request takes.
  const after = asked.slice(asked.lastIndexOf("/v1/buy"));
  assert.ok(after.filter((path) => path === "/v1/launch/build").length >= BUILDERS.length);
});

test("what was begun before its turn is judged as in its turn", async (context) => {
  const spoilt = module((path) => (path === "/v1/buy" ? { status: 200, body: {} } : undefined));
  const adapterOf = (jobs: number) => oneProcess(spoilt, jobs);
  assert.deepEqual(await toldEither(context, adapterOf, SLOW), LONG_LAST_BUT("failed"));
  assert.deepEqual(
    await toldEither(context, adapterOf, { ...SLOW, bail: true }),
    LONG_LAST_BUT("failed", "last not run: stopped at the first failure (--bail)"),
  );
});

test("what was begun before its turn on services that stand in each other's place is judged by itself", async (context) => {
  const shared = inOnePlace();
  const adapterOf = (jobs: number) => oneProcess(shared, jobs);
  assert.deepEqual(await toldEither(context, adapterOf, SLOW), LONG_LAST_BUT("passed"));
});

test("what fails in company fails alone, and --bail stops where it would alone", async (context) => {
  const spoilt = module((path) => (path === "/v1/buy" ? { status: 200, body: {} } : undefined));
  const adapterOf = (jobs: number) => oneProcess(spoilt, jobs);
  assert.deepEqual(await toldEither(context, adapterOf), but("odd failed"));
  const stopped = "not run: stopped at the first failure (--bail)";
  assert.deepEqual(
    await toldEither(context, adapterOf, { bail: true }),
    EACH.map((id, place) => `${id} ${place < 4 ? "passed" : place === 4 ? "failed" : stopped}`),
  );
});

test("who ends a process of several services is named, and the others are judged", async (context) => {
  const adapterOf = (jobs: number) => {
    let [living, dead] = [new Set<unknown>(), new Set<unknown>()];
    return oneProcess(reference, jobs, async (connection, request) => {
      living.add(connection);
      if (request.path === "/v1/buy") [living, dead] = [new Set(), new Set([...living, ...dead])];
      if (dead.has(connection)) throw new AdapterFault("it exited", { fatal: true });
      return connection.handle(request);
    });
  };
  assert.deepEqual(await toldEither(context, adapterOf), but("odd it exited"));
});

test("requests that are overdue in a crowd and not alone are no errors", async (context) => {
  let underWay = 0;
  const adapterOf = (jobs: number) =>
    oneProcess(reference, jobs, async (connection, request) => {
      underWay += 1;
      await new Promise((resolve) => setImmediate(resolve));
      const crowded = underWay > 2;
      underWay -= 1;
      if (crowded)
        throw new NoAnswer("no answer", {
          fatal: false,
          limitMs: 5_000,
          awaitedMs: 15_000,
          late: Promise.resolve(6_000),
        });
      return connection.handle(request);
    });
  assert.deepEqual(await toldEither(context, adapterOf), but("odd passed"));
});
