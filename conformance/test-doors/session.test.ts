import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Adapter, AdapterFault, type Connection } from "../adapters/adapter.ts";
import { inProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import type { Vector } from "../engine/vectors/vector.ts";
import { contract } from "../testing/contract-data.ts";
import { reference } from "../testing/reference.ts";
import { suitesOf, vectorText } from "../testing/run-vectors.ts";
import { NotTried, Session, type SessionOptions } from "./session.ts";

function vectorOf(context: TestContext, steps: string): Vector {
  const [vector] = suitesOf(context, vectorText(steps)).vectors;
  assert.ok(vector);
  return vector;
}

/** An adapter to the reference that counts its connections, each changed as a test needs it. */
function counted(service: ServiceModule = reference, change = (connection: Connection) => connection) {
  const inner = inProcessAdapter(service, { name: "service" });
  const counts = { connected: 0, closed: 0 };
  const adapter: Adapter = {
    ...inner,
    async connect() {
      counts.connected += 1;
      return change(await inner.connect());
    },
    async close() {
      counts.closed += 1;
    },
  };
  return { adapter, counts };
}

function sessionOf(adapter: Adapter, options: Partial<SessionOptions> = {}): Session {
  return new Session({
    openAdapter: async () => adapter,
    given: { contract, seed: 1 },
    searching: { runs: 2, exhaustive: 1 },
    maxWaitMs: 90_000,
    time: { now: () => 0, sleep: async () => {} },
    shared: false,
    ...options,
  });
}

test("one connection serves one vector after the other, and none is opened before the first", async (context) => {
  const { adapter, counts } = counted();
  const session = sessionOf(adapter);
  assert.equal(counts.connected, 0);
  const vector = vectorOf(context, "- platform:");
  const results = await Promise.all([session.play(vector), session.play(vector)]);
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ["passed", "passed"],
  );
  await session.close();
  assert.deepEqual(counts, { connected: 1, closed: 1 });
});

test("a search is tried in its turn, on the connection that vectors have", async (context) => {
  const { adapter, counts } = counted();
  const session = sessionOf(adapter);
  const vector = vectorOf(context, "- platform:");
  const results = await Promise.all([
    session.play(vector),
    session.search("property/uris"),
    session.search("property/exhaustive"),
    session.play(vector),
  ]);
  assert.deepEqual(
    results.map(({ id, outcome }) => [id, outcome]),
    [
      [vector.id, "passed"],
      ["property/uris", "passed"],
      ["property/exhaustive", "passed"],
      [vector.id, "passed"],
    ],
  );
  await session.close();
  assert.deepEqual(counts, { connected: 1, closed: 1 });
});

test("where a service cannot be started anew on a test clock, each vector has a connection of its own", async (context) => {
  const { adapter, counts } = counted({ ...reference, capabilities: { restart: false } });
  const session = sessionOf(adapter);
  const vector = vectorOf(context, "- platform:");
  await session.play(vector);
  await session.play(vector);
  assert.equal(counts.connected, 2);
});

test("after three broken connections in a row no more is played", async (context) => {
  const { adapter, counts } = counted(reference, (connection) => ({
    info: connection.info,
    start: (nowMs) => connection.start(nowMs),
    advance: (ms) => connection.advance(ms),
    bytesToSign: (message) => connection.bytesToSign(message),
    close: () => connection.close(),
    handle: async ({ path }) => {
      if (path === "/crash") throw new AdapterFault("gone", { fatal: true });
      return connection.handle({ method: "GET", path });
    },
  }));
  const session = sessionOf(adapter);
  const crash = vectorOf(
    context,
    '- request: { method: GET, path: "/crash" }\n  expect: 404 NO_EXECUTION_ENDPOINT',
  );
  const good = vectorOf(context, "- platform:");
  const outcomes = [];
  for (const vector of [crash, crash, good, crash, crash, crash]) {
    outcomes.push((await session.play(vector)).outcome);
  }
  assert.deepEqual(outcomes, ["error", "error", "passed", "error", "error", "error"]);
  await assert.rejects(session.play(good), new NotTried("not run: the adapter broke 3 times in a row"));
  assert.equal(counts.connected, 5);
});

test("an implementation that cannot be reached is a fault, and the end", async (context) => {
  const fault = new AdapterFault("no such command", { fatal: true });
  const { adapter } = counted();
  const session = sessionOf({ ...adapter, connect: () => Promise.reject(fault) });
  const vector = vectorOf(context, "- platform:");
  await assert.rejects(session.play(vector), fault);
  await assert.rejects(session.play(vector), new NotTried("not run: the implementation could not be run"));
  await session.close();
});

test("something else than the service is a fault, told once", async (context) => {
  const page = { status: 200, body: "<h1>hello</h1>" };
  const { adapter } = counted({ ...reference, createService: () => ({ handle: () => page }) });
  const session = sessionOf(adapter, { shared: true });
  const vector = vectorOf(context, "- platform:");
  const [first, second] = await Promise.allSettled([session.play(vector), session.play(vector)]);
  assert.equal(first.status === "rejected" && first.reason instanceof AdapterFault, true);
  assert.equal(second.status === "rejected" && second.reason instanceof NotTried, true);
});

test("on a shared service vectors wait side by side", async (context) => {
  const { adapter, counts } = counted({ ...reference, capabilities: { clock: "real", restart: false } });
  const waiting: (() => void)[] = [];
  const sleep = () => new Promise<void>((resolve) => waiting.push(resolve));
  const session = sessionOf(adapter, { shared: true, time: { now: () => 0, sleep } });
  const vector = vectorOf(context, "- platform:\n- advance: 60s\n- platform:");
  const results = Promise.all([session.play(vector), session.play(vector)]);
  while (waiting.length < 2) await new Promise(setImmediate);
  for (const wake of waiting) wake();
  assert.deepEqual(
    (await results).map(({ outcome }) => outcome),
    ["passed", "passed"],
  );
  assert.equal(counts.connected, 1);
});
