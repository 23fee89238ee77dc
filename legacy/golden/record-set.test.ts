import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import { loadSuites } from "../engine/vectors/load.ts";
import { PATHS } from "../paths.ts";
import { contract } from "../testing/contract-data.ts";
import { reference, spoiled } from "../testing/reference.ts";
import type { GoldenSet } from "./fixture.ts";
import { exchangesOf } from "./fixture.ts";
import { nameOf, recordSet } from "./record.ts";

const flows = loadSuites(PATHS.goldenFlows, PATHS.suiteSchema, contract).vectors;

const wall = { nowMs: Date.UTC(2026, 9, 10) };
let recordings = 0;

/** Records some flows of a service, with a salt that no other recording has. */
async function recorded(service: ServiceModule, ...names: readonly string[]): Promise<GoldenSet> {
  return recordSet({
    contract,
    flows: flows.filter((flow) => names.includes(nameOf(flow))),
    adapter: inProcessAdapter(service, { name: "service" }),
    time: { now: () => wall.nowMs, sleep: async () => {} },
    deterministic: false,
    salt: { text: `recording ${++recordings}`, told: false },
  });
}

/** Pointers of the matchers of one exchange, by what varies. */
function varying({ fixtures }: GoldenSet, exchange: number): Readonly<Record<string, string>> {
  const [fixture] = fixtures;
  assert.ok(fixture);
  const matchers = exchangesOf(fixture)[exchange]?.matchers ?? [];
  return Object.fromEntries(matchers.map(({ pointer, varies }) => [pointer, varies]));
}

test("flows have names of their own, which are good file names", () => {
  const names = flows.map(nameOf);
  assert.ok(names.length > 30, `${names.length} flows`);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test("ids, messages and bearers vary from run to run, and an implementation's own values between implementations", async () => {
  const set = await recorded(reference, "happy-path");
  assert.deepEqual(varying(set, 1), { "/id": "run", "/message": "run", "/expiresAt": "implementation" });
  assert.deepEqual(varying(set, 2), { "/bearer": "run", "/expiresAt": "implementation" });
  assert.equal(varying(set, 3)["/messageHash"], "implementation");
  assert.deepEqual(varying(set, 0), {
    "/platform": "implementation",
    "/feeWallet": "implementation",
    "/withdrawAuthority": "implementation",
    "/termsHash": "implementation",
    "/signing": "implementation",
  });
});

test("what differs between two recordings varies from run to run", async () => {
  let count = 0;
  const fickle = spoiled(({ body }) => {
    if (body.nextGate) body.nextGate = `GATE_${++count}`;
  });
  assert.equal(varying(await recorded(fickle, "happy-path"), 3)["/nextGate"], "run");
});

test("an answer that breaks the contract gives no fixture and tells the rule", async () => {
  const cheap = spoiled(({ body }) => {
    if (body.cost) body.cost.reserveLamports = 5;
  });
  const { fixtures, broken, omitted } = await recorded(cheap, "happy-path", "unauthorized");
  assert.deepEqual(
    fixtures.map(({ name }) => name),
    ["unauthorized"],
  );
  assert.deepEqual(broken, [
    {
      name: "happy-path",
      reason: "COST-7 is broken: expected cost.reserveLamports: 1000000, got cost.reserveLamports: 5",
    },
  ]);
  assert.deepEqual(omitted, []);
});

test("a wrong answer to a flow's own step gives no fixture either", async () => {
  const trusting = spoiled(({ body, status }) => (status === 401 ? { status: 200, body } : undefined));
  const { fixtures, broken, omitted } = await recorded(trusting, "invalid-proof");
  assert.deepEqual([fixtures, omitted], [[], []]);
  assert.deepEqual(
    broken.map(({ name }) => name),
    ["invalid-proof"],
  );
  assert.match(broken[0]?.reason ?? "", /expected 401 INVALID_PROOF, got 200/);
});

test("an implementation that breaks in a flow leaves that flow out", async () => {
  const frail = spoiled((_, { path }) => {
    if (path === "/v1/nothing-here") throw new Error("no idea");
  });
  const { omitted, fixtures } = await recorded(frail, "unknown-path", "happy-path");
  assert.deepEqual(omitted, [{ name: "unknown-path", reason: "handle threw: no idea" }]);
  assert.equal(fixtures.length, 1);
});

test("a clock that cannot be moved, and a key that is not known, leave flows out with the reason", async () => {
  const facts = { metadataHosts: (reference.facts as { metadataHosts: unknown }).metadataHosts };
  const real = spoiled(() => undefined, { facts, capabilities: { clock: "real" } });
  const names = ["session-lifetime", "operator-key-as-mint", "unknown-path"];
  const { omitted, fixtures } = await recorded(real, ...names);
  assert.deepEqual(omitted, [
    {
      name: "session-lifetime",
      reason: "takes 3601 s on a clock that cannot be moved (capability clock: virtual)",
    },
    {
      name: "operator-key-as-mint",
      reason: "needs what only the implementation can tell (fact operatorKey)",
    },
  ]);
  assert.equal(fixtures.length, 1);
});

/** The reference, of which there is one for all who come. */
function lasting(clock: "virtual" | "real"): ServiceModule {
  let service: Awaited<ReturnType<ServiceModule["createService"]>> | undefined;
  return {
    facts: reference.facts,
    capabilities: { clock, restart: false },
    async createService(options) {
      service ??= await reference.createService(clock === "real" ? { now: () => wall.nowMs } : options);
      return service;
    },
  };
}

test("a service that remembers an earlier recording can be recorded again", async () => {
  const service = lasting("real");
  for (let times = 0; times < 2; times++) {
    const { broken, fixtures } = await recorded(service, "retry", "conflict", "happy-path");
    assert.deepEqual(broken, []);
    assert.ok(fixtures.length > 0);
    wall.nowMs += 31_000;
  }
});

test("on a service that cannot be restarted every flow has actors and keys of its own, and everything varies", async () => {
  const set = await recorded(lasting("virtual"), "happy-path", "second-session", "restart");
  assert.deepEqual(
    set.omitted.map(({ name }) => name),
    ["restart"],
  );
  const [first, second] = set.fixtures.map(({ keys }) => keys["alice"]?.publicKey);
  assert.notEqual(first, second);
  assert.equal(varying(set, 3)["/platform"], "run");
});
