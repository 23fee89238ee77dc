import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Adapter, AdapterFault, NoAnswer, type ServiceRequest } from "../../adapters/adapter.ts";
import { inProcessAdapter } from "../../adapters/in-process.ts";
import { reference } from "../../testing/reference.ts";
import { runWith, suitesOf } from "../../testing/run-vectors.ts";
import type { Report } from "./report.ts";

const SUITE = `suite: s
vectors:
${["a", "b", "c", "d"].map((id) => `  - { id: ${id}, title: gives a profile, rules: [PLATFORM-1], steps: [{ platform: }] }`).join("\n")}
  - { id: session, title: opens a session, rules: [SESSION-1], steps: [{ session: { for: alice } }] }
  - { id: other, title: opens another, rules: [SESSION-1], steps: [{ session: { for: alice } }] }
`;
const WAITS = `  - { id: later, title: gives a profile, rules: [PLATFORM-1], steps: [{ platform: }, { advance: 80s }, { platform: }] }
`;

const NOW_MS = Date.UTC(2026, 9, 10, 12);

type Answer = (request: ServiceRequest) => Promise<unknown>;

/** A run against the reference as a running server, on whose way something happens; sleeps last until all else is done. */
async function runServed(
  context: TestContext,
  way: (answer: Answer) => Answer,
  { suite = SUITE, controlled = false } = {},
): Promise<Report> {
  const served = inProcessAdapter(reference, { name: "served" });
  const adapter: Adapter = {
    transport: "http",
    jobs: 1,
    async connect() {
      const connection = await served.connect();
      await connection.start(NOW_MS);
      const { info } = connection;
      const plain = { clock: "real", restart: false, rawBody: true, concurrency: true } as const;
      const capabilities = controlled ? info.capabilities : plain;
      return {
        info: { ...info, capabilities, transport: "http" },
        handle: way((request) => connection.handle(request)),
        start: async (nowMs) => (controlled ? connection.start(nowMs) : undefined),
        advance: (ms) => connection.advance(ms),
        bytesToSign: (message) => connection.bytesToSign(message),
        close: async () => {},
      };
    },
    close: async () => {},
  };
  const sleep = (ms: number, { signal }: { readonly signal?: AbortSignal } = {}) =>
    new Promise<void>((resolve, reject) => {
      // Vectors that wait do so until the end of what is tried here; what the kit waits for is soon over.
      if (ms <= 60_000) setImmediate(resolve);
      signal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  const time = { now: () => NOW_MS, sleep };
  return runWith({ suites: suitesOf(context, suite), adapter, time });
}

const told = ({ results }: Report) =>
  Object.fromEntries(results.map(({ id, outcome, reason }) => [id.slice(2), reason ?? outcome]));

const overdue = (late: Promise<number>) =>
  new NoAnswer("no answer", { fatal: false, limitMs: 5_000, awaitedMs: 15_000, late });

test("a server that dies ends the run at once, waits included, with one cause", async (context) => {
  const report = await runServed(
    context,
    (answer) => {
      let dead = false;
      return async (request) => {
        dead ||= request.path === "/v1/auth/challenge";
        if (dead) throw new AdapterFault("connect ECONNREFUSED", { fatal: false });
        return answer(request);
      };
    },
    { suite: SUITE + WAITS },
  );
  const { session, other, later, ...profiles } = told(report);
  assert.deepEqual(new Set(Object.values(profiles)), new Set(["passed"]));
  assert.equal(session, "connect ECONNREFUSED");
  assert.match(String(other), /ECONNREFUSED$/);
  assert.equal(later, "not run: the service is gone: connect ECONNREFUSED");
  const breakage = report.results.find(({ id }) => id === "s/session")?.breakage;
  assert.deepEqual([breakage?.kind, breakage?.alive, breakage?.step], ["lost", false, "1"]);
  assert.deepEqual([report.verdict, report.exitStatus], ["undecided", 3]);
});

test("one with a control URL, too", async (context) => {
  const way = (answer: Answer): Answer => {
    let [dead, profiles] = [false, 0];
    return async (request) => {
      const isProfile = request.path === "/v1/platform";
      // Not where the kit measures it before the first vector.
      dead ||= request.path === "/v1/auth/challenge" && profiles > 4;
      profiles = isProfile ? profiles + 1 : 0;
      if (dead) throw new AdapterFault("connect ECONNREFUSED", { fatal: false });
      return answer(request);
    };
  };
  const { session, other, ...profiles } = told(await runServed(context, way, { controlled: true }));
  assert.deepEqual(new Set(Object.values(profiles)), new Set(["passed"]));
  assert.deepEqual(
    [session, other],
    ["connect ECONNREFUSED", "not run: the service is gone: connect ECONNREFUSED"],
  );
});

test("a request that stops the whole server for a while is told, and spoils no other's", async (context) => {
  const report = await runServed(context, (answer) => {
    let stall: Promise<number> | undefined;
    return async (request) => {
      if (stall === undefined && request.path === "/v1/auth/challenge") {
        stall = new Promise((resolve) => setTimeout(resolve, 30, 6_100));
        stall.then(() => {
          stall = undefined;
        });
        throw overdue(stall);
      }
      if (stall !== undefined && request.path === "/v1/auth/challenge") throw overdue(stall);
      await stall;
      return answer(request);
    };
  });
  const { session, other, ...profiles } = told(report);
  assert.deepEqual(new Set(Object.values(profiles)), new Set(["passed"]));
  // Whoever signs in first stops the server each time: alone, it is what the request itself does.
  const slow = "slow: no answer to `challenge` within 5 s, but later";
  assert.deepEqual([session, other], [slow, slow]);
});

test("what was overdue only because of another is judged when it is played once more", async (context) => {
  let stalls = 0;
  const report = await runServed(context, (answer) => {
    let stall: Promise<number> | undefined;
    return async (request) => {
      if (stalls === 0 && request.path === "/v1/auth/challenge") {
        stalls += 1;
        stall = new Promise((resolve) => setTimeout(resolve, 30, 6_100));
        stall.then(() => {
          stall = undefined;
        });
      }
      if (stall !== undefined && request.path === "/v1/auth/challenge") throw overdue(stall);
      await stall;
      return answer(request);
    };
  });
  assert.deepEqual(new Set(Object.values(told(report))), new Set(["passed"]));
  assert.equal(report.time?.playedAgain, 2);
});
