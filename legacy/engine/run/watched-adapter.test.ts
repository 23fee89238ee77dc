import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Adapter,
  AdapterFault,
  type Late,
  NoAnswer,
  type ServiceRequest,
} from "../../adapters/adapter.ts";
import { COUNTER } from "../../testing/counter/counter-contract.ts";
import { type GivenUp, ServiceFault } from "../play/breakage.ts";
import { Activity } from "./activity.ts";
import { watchedAdapter } from "./watched-adapter.ts";

const ASKED = COUNTER.identity.request;
const ADD: ServiceRequest = { method: "POST", path: "/counter/add", body: '{"by":1}' };
const INFO = {
  implementation: { name: "fake", version: "1" },
  capabilities: { clock: "real", restart: false, rawBody: true, concurrency: true },
  facts: { metadataHosts: ["a.example", "b.example"], signedBytes: "utf8", capacity: {} },
  transport: "http",
} as const;

const overdue = (late: Late | Promise<Late>, fatal = false) =>
  new NoAnswer("no answer", {
    fatal,
    log: "said",
    limitMs: 5_000,
    awaitedMs: 15_000,
    late: Promise.resolve(late),
  });

interface Fake {
  readonly answer: (request: ServiceRequest) => Promise<unknown>;
  readonly info?: Partial<typeof INFO> & { readonly transport?: "http" };
}

/** A watched connection to a service that answers so; sleeps last as long as everything else that is to be done. */
async function connected({ answer }: Fake, transport: "http" | undefined = "http") {
  const { transport: _, ...plain } = INFO;
  const adapter: Adapter = {
    transport: "fake",
    jobs: 1,
    connect: async () => ({
      info: transport === undefined ? plain : INFO,
      handle: answer,
      start: async () => {},
      advance: async () => 0,
      bytesToSign: async () => new Uint8Array(),
      close: async () => {},
    }),
    close: async () => {},
  };
  const sleep = () => new Promise<void>((resolve) => setImmediate(resolve));
  const activity = new Activity({ now: () => 0, sleep });
  return watchedAdapter(adapter, COUNTER, activity).connect(COUNTER);
}

/** What is found out of a request that is not answered, the plainest one being answered or not. */
async function found(fault: AdapterFault, alive: boolean, transport: "http" | undefined = "http") {
  const connection = await connected(
    {
      answer: async (request) => {
        if (request !== ASKED) throw fault;
        if (!alive) throw new AdapterFault("connect ECONNREFUSED", { fatal: false });
        return { status: 200, body: {} };
      },
    },
    transport,
  );
  const thrown = await connection.handle(ADD).catch((error: unknown) => error);
  assert.ok(thrown instanceof AdapterFault);
  const { message, fatal, log } = thrown;
  return {
    message,
    fatal,
    log,
    finding: thrown instanceof ServiceFault ? thrown.finding : undefined,
    ended: connection.ended,
  };
}

test("a slow answer is told from a hang, and is no reason to end the connection", async () => {
  assert.deepEqual(await found(overdue(6_100, true), true), {
    message: "slow: no answer to `add` within 5 s, but later",
    fatal: false,
    log: "said",
    finding: { kind: "slow", alive: true, answeredAfterMs: 6_100 },
    ended: false,
  });
});

test("a hang says whether the service answers anything else", async () => {
  for (const alive of [true, false]) {
    assert.deepEqual(await found(overdue("given up", true), alive), {
      message: "hang: no answer to `add` within 5 s",
      fatal: true,
      log: "said",
      finding: { kind: "hang", awaitedMs: 15_000, alive },
      ended: true,
    });
  }
});

test("a connection that breaks says whether the service is still there", async () => {
  const broke = new AdapterFault("POST /add: the connection was closed", { fatal: false });
  for (const alive of [true, false]) {
    const { message, finding } = await found(broke, alive);
    assert.deepEqual([message, finding], [broke.message, { kind: "lost", alive }]);
  }
  const late = await found(overdue("broken"), true);
  assert.equal(late.message, "no answer to `add` within 5 s, and then the connection broke");
  assert.equal(late.finding?.kind, "lost");
});

test("a fault of a program is told as it is", async () => {
  const { message, finding, ended } = await found(
    new AdapterFault("the adapter exited", { fatal: true }),
    true,
    undefined,
  );
  assert.deepEqual([message, finding, ended], ["the adapter exited", undefined, true]);
});

test("what was overdue while others were is suspect where the service answered nothing else meanwhile", async () => {
  for (const [blocked, late] of [
    [true, 6_100],
    [false, "given up"],
  ] as const) {
    let unblock: () => void = () => undefined;
    const block = new Promise<void>((resolve) => {
      unblock = resolve;
    });
    const connection = await connected({
      answer: async (request) => {
        if (request === ASKED && blocked) await block;
        if (request !== ASKED) throw overdue(block.then(() => late));
        return { status: 200, body: {} };
      },
    });
    const calls = [connection.handle(ADD), connection.handle(ADD)];
    setTimeout(unblock, 20);
    const faults = await Promise.all(calls.map((call) => call.catch((error: unknown) => error)));
    assert.deepEqual(
      faults.map((fault) => fault instanceof ServiceFault && fault.suspect),
      [blocked, blocked],
    );
  }
});

test("what is suspect is told when nothing that was asked after it is under way", async () => {
  const order: string[] = [];
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const connection = await connected({
    answer: async (request) => {
      if (request !== ASKED) throw overdue(turn().then(() => 6_100));
      for (let turns = 0; turns < 9; turns++) await turn();
      order.push("answered");
      return { status: 200, body: {} };
    },
  });
  const told = () => order.push("told");
  await Promise.all([connection.handle(ADD).catch(told), connection.handle(ADD).catch(told)]);
  assert.equal(order[0], "answered", order.join(", "));
});

test("an operation that hangs over and over is given up, and no other is", async () => {
  const connection = await connected({
    answer: async (request) => {
      if (request.path === "/counter/add") throw overdue("given up");
      return { status: 200, body: {} };
    },
  });
  const place = { file: "f", line: 1 };
  const purpose = (id: string) => ({ id, step: "1", place, operation: "add", kind: "asked" as const });
  const reasons: string[] = [];
  for (const id of ["a", "b", "c", "d", "e"]) {
    await connection.handle(ADD, purpose(id)).catch(({ message }: GivenUp) => reasons.push(message));
  }
  const hang = "hang: no answer to `add` within 5 s";
  const notTried = "not tried: `add` hung in 3 vectors";
  assert.deepEqual(reasons, [hang, hang, hang, notTried, notTried]);
  assert.deepEqual(await connection.handle(ASKED), { status: 200, body: {} });
});

test("one that hangs now and then is given up at last", async () => {
  let calls = 0;
  const connection = await connected({
    answer: async (request) => {
      if (request.path === "/counter/add" && ++calls % 2 === 0) throw overdue(6_100);
      return { status: 200, body: {} };
    },
  });
  const reasons = new Set<string>();
  for (let count = 0; count < 100; count++) {
    await connection.handle(ADD).catch(({ message }: AdapterFault) => reasons.add(message));
  }
  assert.deepEqual(
    [...reasons],
    ["slow: no answer to `add` within 5 s, but later", "not tried: `add` was too slow in 1 vector"],
  );
  assert.equal(calls, 60);
});
