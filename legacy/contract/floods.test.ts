import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcessAdapter, type Service, type ServiceModule } from "../adapters/in-process.ts";
import { run } from "../engine/run/run.ts";
import { reference } from "../testing/reference.ts";
import { loadKitData } from "./kit-data.ts";
import { BUILDS_PER_MINUTE } from "./operations.ts";

const { contract, suites } = loadKitData();

/** Above what it takes to fill each store once. */
const AT_MOST = 1.2;

/** The reference with as many of each as it says. */
function holding(size: number): ServiceModule {
  const capacity = { challenges: size, sessions: size, drafts: size };
  const create = reference.createService as (options: object) => Service;
  return {
    facts: { ...(reference.facts as object), capacity },
    createService: (options) => create({ ...options, capacity }),
  };
}

/** Requests that fill each store once: two open a session, and whoever has one builds as often as one may. */
function toFillEach(size: number): number {
  return size + 1 + 2 * (size + 1) + (size + 1) + 2 * Math.ceil(size / BUILDS_PER_MINUTE);
}

for (const size of [24, 64])
  test(`floods of stores of ${size} send little more than what fills each once, and reach its bound`, async () => {
    const { time, choices } = await run({
      contract,
      suites,
      adapter: inProcessAdapter(holding(size), { name: "reference" }),
      kitVersion: "0.0.0",
      seed: 1,
      only: suites.vectors.filter(({ steps }) => steps.some(fillsStores)).map(({ id }) => id),
      bail: false,
      runs: 0,
      maxWaitMs: 0,
      accepted: new Set(),
      time: { now: () => 0, sleep: async () => undefined },
    });
    const { floods = Infinity } = time?.requests ?? {};
    assert.ok(
      floods <= AT_MOST * toFillEach(size),
      `${floods} requests, ${toFillEach(size)} fill each store`,
    );
    const reached = choices.filter(({ observed }) => observed === "reached").map(({ point }) => point);
    assert.deepEqual(reached, ["CAPACITY-CHALLENGES", "CAPACITY-SESSIONS", "CAPACITY-DRAFTS"]);
  });

function fillsStores(step: { readonly kind: string; readonly verb?: string }): boolean {
  return step.kind === "custom" && (step.verb === "flood" || step.verb === "crowd");
}
