import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { AdapterFault } from "../../adapters/adapter.ts";
import type { Service, ServiceModule } from "../../adapters/in-process.ts";
import { oneProcess } from "../../testing/adapters/one-process.ts";
import { reference } from "../../testing/reference.ts";
import { runWith, suitesOf } from "../../testing/run-vectors.ts";
import { withoutChance } from "../../testing/without-chance.ts";
import type { RealTime } from "../play/real-time.ts";
import type { Suites } from "../vectors/load.ts";
import { noRequests } from "./activity.ts";
import type { Report } from "./report.ts";

const LANES = 5;
/** So long takes each request. */
const REQUEST_MS = 25;
const IDS = Array.from({ length: 6 * LANES }, (_, place) => `v${place}`);
const SUITE = `suite: s
vectors:
${IDS.map((id) => `  - { id: ${id}, title: builds a draft, rules: [DRAFT-1], steps: [{ build: { by: alice } }, { build: { by: bob } }] }`).join("\n")}
`;

/** A clock by which whatever is asked when nothing else is under way takes so long. */
function slowClock(): RealTime {
  let ms = 0;
  return {
    now: () => 0,
    sleep: async () => {},
    precise: () => {
      ms += REQUEST_MS;
      return ms;
    },
  };
}

type AdapterOf = (jobs: number) => ReturnType<typeof oneProcess>;

/** What a slow service is told of: alone, or on several services of one process side by side. */
function judged(suites: Suites, adapterOf: AdapterOf, jobs: number): Promise<Report> {
  return runWith({
    suites,
    adapter: adapterOf(jobs),
    time: slowClock(),
    runs: 5,
    exhaustive: 1,
    budget: { steps: 300, requestsOfCase: 30 },
  });
}

/** Holds the reports of a service alone and of several side by side to the same, and gives the latter. */
async function sameAsAlone(context: TestContext, adapterOf: AdapterOf) {
  const suites = suitesOf(context, SUITE);
  const alone = await judged(suites, adapterOf, 1);
  const report = await judged(suites, adapterOf, LANES);
  assert.deepEqual(report.results.map(withoutChance), alone.results.map(withoutChance));
  assert.deepEqual(report.choices, alone.choices);
  assert.deepEqual(report.search && withoutTime(report.search), alone.search && withoutTime(alone.search));
  return { report, alone };
}

function withoutTime({ durationMs: _, ...search }: NonNullable<Report["search"]>) {
  return search;
}

test("stretches of searches on several services tell the same as searches on one", async (context) => {
  const { report, alone } = await sameAsAlone(context, (jobs) => oneProcess(reference, jobs));
  assert.equal(report.totals.failed + report.totals.error, 0);
  const { measuring, ...judged } = report.time?.requests ?? noRequests();
  const { measuring: __, ...judgedAlone } = alone.time?.requests ?? noRequests();
  assert.deepEqual(judged, judgedAlone);
  assert.ok(measuring > 0);
});

test("searches are tried on several services at once", async (context) => {
  let [underWay, most] = [0, 0];
  const adapter = oneProcess(reference, LANES, async (connection, request) => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    return connection.handle(request);
  });
  const report = await runWith({
    suites: suitesOf(context, SUITE),
    only: ["s/v0", "property/exhaustive"],
    adapter,
    time: slowClock(),
    exhaustive: 3,
    budget: { steps: 900 },
    // The vector is over, and so is what was measured before it.
    onResult: ({ kind }) => {
      if (kind === "vector") most = 0;
    },
  });
  assert.equal(report.totals.passed, 2);
  assert.ok(most > 1);
});

test("what a search finds in company is told as by itself", async (context) => {
  const spoilt: ServiceModule = {
    ...reference,
    createService: async (options) => {
      const { handle } = await reference.createService(options);
      const built = new Set<string | undefined>();
      return {
        handle(call) {
          const again = built.has(call.idempotencyKey);
          if (call.path === "/v1/launch/build") built.add(call.idempotencyKey);
          return again ? { status: 200, body: {} } : handle(call);
        },
      };
    },
  };
  const { report } = await sameAsAlone(context, (jobs) => oneProcess(spoilt, jobs));
  assert.ok(report.results.some(({ id, outcome }) => id === "property/stateful" && outcome === "failed"));
});

test("searches on services that stand in each other's place are tried anew", async (context) => {
  const adapterOf = (jobs: number) => {
    let only: Service;
    let last: string | undefined;
    const inOnePlace: ServiceModule = {
      ...reference,
      createService: async (options) => {
        only = await reference.createService(options);
        return {
          handle(call) {
            // Seen where nobody else asks in between.
            if (call.idempotencyKey !== undefined && call.idempotencyKey === last)
              return { status: 200, body: {} };
            last = call.idempotencyKey;
            return only.handle(call);
          },
        };
      },
    };
    return oneProcess(inOnePlace, jobs);
  };
  const { report } = await sameAsAlone(context, adapterOf);
  assert.ok(report.results.some(({ id, outcome }) => id === "property/exhaustive" && outcome === "failed"));
  assert.ok(report.results.every(({ kind, outcome }) => kind !== "vector" || outcome === "passed"));
});

test("what a search breaks breaks for the search alone", async (context) => {
  const adapterOf = (jobs: number) => {
    let [living, dead] = [new Set<unknown>(), new Set<unknown>()];
    const used = new Map<string, unknown>();
    return oneProcess(reference, jobs, async (connection, request) => {
      living.add(connection);
      const draft = `${request.bearer} ${request.idempotencyKey}`;
      const changed =
        request.path === "/v1/launch/build" && (used.get(draft) ?? request.body) !== request.body;
      used.set(draft, request.body);
      if (changed) [living, dead] = [new Set(), new Set([...living, ...dead])];
      if (dead.has(connection)) throw new AdapterFault("it exited", { fatal: true });
      return connection.handle(request);
    });
  };
  const suites = suitesOf(context, SUITE);
  const [alone, together] = [await judged(suites, adapterOf, 1), await judged(suites, adapterOf, LANES)];
  const outcomes = ({ results }: Report) => results.map(({ id, outcome }) => [id, outcome]);
  assert.deepEqual(outcomes(together), outcomes(alone));
  const broken = together.results.filter(({ outcome }) => outcome === "error").map(({ id }) => id);
  assert.deepEqual(broken, ["property/stateful", "property/spellings", "property/exhaustive"]);
});
