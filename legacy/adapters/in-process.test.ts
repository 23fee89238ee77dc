import assert from "node:assert/strict";
import { test } from "node:test";
import { AdapterFault, NotTransportable } from "./adapter.ts";
import { inProcessAdapter, type Service, type ServiceCall } from "./in-process.ts";

const facts = { metadataHosts: ["a.example", "b.example"] };
const GET = { method: "GET", path: "/v1/platform" };

async function started(handle: Service["handle"], capabilities?: object) {
  const module = { facts, createService: () => ({ handle }), ...(capabilities && { capabilities }) };
  const connection = await inProcessAdapter(module, { name: "fake" }).connect();
  await connection.start(0);
  return connection;
}

test("the service reads the virtual clock", async () => {
  const module = {
    facts,
    createService: ({ now }: { now: () => number }) => ({ handle: async () => now() }),
  };
  const connection = await inProcessAdapter(module, { name: "fake" }).connect();
  await connection.start(1_000);
  assert.equal(await connection.handle(GET), 1_000);
  assert.equal(await connection.advance(500), 1_500);
  assert.equal(await connection.handle(GET), 1_500);
  await connection.start(7);
  assert.equal(await connection.handle(GET), 7);
});

test("what the module does not say has defaults", async () => {
  const { info } = await started(() => 0);
  assert.deepEqual(info, {
    implementation: { name: "fake", version: "unversioned" },
    capabilities: { clock: "virtual", restart: true, rawBody: true, concurrency: true },
    facts: { metadataHosts: ["a.example", "b.example"], signedBytes: "utf8", capacity: {} },
    transport: "in-process",
  });
});

test("a module may say who it is", async () => {
  const implementation = { name: "mine", version: "2.1", language: "TypeScript" };
  const module = { facts, implementation, createService: () => ({ handle: () => 0 }) };
  const { info } = await inProcessAdapter(module, { name: "file.ts" }).connect();
  assert.deepEqual(info.implementation, implementation);
});

test("the call has exactly the five arguments of the contract", async () => {
  const connection = await started((call) => Object.entries(call).map(([key, value]) => [key, typeof value]));
  assert.deepEqual(await connection.handle({ method: "POST", path: "/p", body: "{ }", bearer: "b" }), [
    ["method", "string"],
    ["path", "string"],
    ["body", "string"],
    ["bearer", "string"],
    ["idempotencyKey", "undefined"],
  ]);
});

test("an answer is a copy: what the service changes later does not change it", async () => {
  const body = { n: 0 };
  const connection = await started(() => {
    body.n += 1;
    return { status: 200, body };
  });
  const first = await connection.handle(GET);
  const second = await connection.handle(GET);
  assert.deepEqual(
    [first, second],
    [
      { status: 200, body: { n: 1 } },
      { status: 200, body: { n: 2 } },
    ],
  );
});

test("without rawBody the service gets the parsed value, and what is no JSON cannot be sent", async () => {
  const connection = await started((call: ServiceCall) => call.body, { rawBody: false });
  assert.deepEqual(await connection.handle({ ...GET, body: '{"a":1}' }), { a: 1 });
  assert.equal(await connection.handle(GET), undefined);
  await assert.rejects(connection.handle({ ...GET, body: "{" }), NotTransportable);
  await assert.rejects(connection.handle({ ...GET, body: new Uint8Array([0xff]) }), NotTransportable);
});

for (const [what, handle, message] of [
  [
    "throws",
    () => {
      throw new Error("no\nluck");
    },
    "handle threw: no luck",
  ],
  ["rejects", () => Promise.reject("why"), "handle threw: why"],
  [
    "answers what is no JSON value",
    () => ({ status: 1n }),
    "handle threw: Do not know how to serialize a BigInt",
  ],
] as const) {
  test(`a handle that ${what} is a fault, and the connection lives on`, async () => {
    const connection = await started(handle);
    await assert.rejects(connection.handle(GET), { name: "AdapterFault", message, fatal: false });
  });
}

for (const [what, createService, message] of [
  [
    "throws",
    () => {
      throw new Error("no port");
    },
    "createService threw: no port",
  ],
  ["rejects", () => Promise.reject(new Error("no port")), "createService threw: no port"],
  [
    "gives no service",
    () => ({}) as Service,
    "createService threw: it gave no object with a handle function",
  ],
] as const) {
  test(`a createService that ${what} is a fault`, async () => {
    const connection = await inProcessAdapter({ facts, createService }, { name: "fake" }).connect();
    await assert.rejects(connection.start(0), { name: "AdapterFault", message, fatal: true });
    await assert.rejects(connection.handle(GET), AdapterFault);
  });
}

test("a module without facts is a fault that names what is missing", async () => {
  const adapter = inProcessAdapter({ createService: () => ({ handle: () => 0 }) }, { name: "my.ts" });
  await assert.rejects(adapter.connect(), {
    name: "AdapterFault",
    message: "my.ts: facts.metadataHosts is missing",
  });
});

test("a slip in the name of an export, or below it, is a fault that names what was meant", async () => {
  for (const [exports, message] of [
    [
      { facts, capabilites: { restart: false } },
      'capabilites is no name of the protocol (did you mean "capabilities"?)',
    ],
    [
      { facts, capabilities: { concurency: false } },
      'capabilities.concurency is no name of the protocol (did you mean "concurrency"?)',
    ],
    [
      { facts: { ...facts, operatorkey: "x" } },
      'facts.operatorkey is no name of the protocol (did you mean "operatorKey"?)',
    ],
  ] as const) {
    const module = { ...exports, createService: () => ({ handle: () => 0 }), handle: 0 };
    await assert.rejects(async () => inProcessAdapter(module, { name: "my.ts" }).connect(), {
      name: "AdapterFault",
      message: `my.ts: ${message}`,
    });
  }
});
