import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { SERVED } from "../testing/adapters/served-contract.ts";
import { httpAdapter } from "./http.ts";

const IDENTITY = {
  protocol: 1,
  implementation: { name: "x", version: "1" },
  facts: { metadataHosts: ["a", "b"] },
};

type Message = { readonly id: number; readonly method: string; readonly params: object };

/** A service whose control URL answers by `control`; gives its adapter and the messages that it got. */
async function controlled(context: TestContext, control: (message: Message) => unknown) {
  const messages: Message[] = [];
  const server = createServer(async (request, response) => {
    if (request.url !== "/test/control") return response.end(JSON.stringify({ path: request.url }));
    const message = JSON.parse(Buffer.concat(await request.toArray()).toString());
    messages.push(message);
    const answer = control(message);
    if (answer === undefined) response.statusCode = 503;
    return response.end(typeof answer === "string" ? answer : JSON.stringify(answer ?? { code: "x" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const adapter = httpAdapter({ url, controlUrl: `${url}/test/control` });
  context.after(() => adapter.close());
  return { adapter, messages, url };
}

const answers = (results: Record<string, unknown>) => (message: Message) => ({
  jsonrpc: "2.0",
  id: message.id,
  result: results[message.method] ?? {},
});

test("start, advance and shutdown are posted, and calls go to the service", async (context) => {
  const { adapter, messages } = await controlled(
    context,
    answers({ initialize: IDENTITY, advance: { nowMs: 1_250 } }),
  );
  const connection = await adapter.connect(SERVED);
  assert.equal(connection.info.capabilities.clock, "virtual");
  await connection.start(1_000);
  assert.equal(await connection.advance(250), 1_250);
  assert.deepEqual(await connection.handle({ method: "GET", path: "/x" }), {
    status: 200,
    body: { path: "/x" },
  });
  await connection.close();
  await adapter.close();
  await adapter.close();
  assert.deepEqual(
    messages.map(({ method, params }) => [method, params]),
    [
      ["initialize", { protocol: 1, contract: SERVED.id }],
      ["start", { nowMs: 1_000 }],
      ["advance", { ms: 250 }],
      ["shutdown", {}],
    ],
  );
});

test("services of one server are asked where start says that they are, seen from the control URL", async (context) => {
  let started = 0;
  const places = (service: string) => (service === "s1" ? `${url}/s1` : "../s2");
  const { adapter, messages, url } = await controlled(context, ({ id, method, params }) => {
    if (method === "start" && !("service" in params)) started += 1;
    const { service = `s${started}`, ms = 0 } = params as { service?: string; ms?: number };
    const results: Record<string, object> = {
      initialize: { ...IDENTITY, capabilities: { instances: 3 } },
      start: { service, baseUrl: places(service) },
      advance: { nowMs: 1_000 + ms },
    };
    return { jsonrpc: "2.0", id, result: results[method] ?? {} };
  });
  const first = await adapter.connect(SERVED);
  assert.equal(adapter.jobs, 3);
  const second = await adapter.connect(SERVED);
  assert.ok(first.carrier !== undefined && first.carrier === second.carrier);
  for (const connection of [first, second, first]) await connection.start(1_000);
  const asked = (connection: typeof first) => connection.handle({ method: "GET", path: "/x" });
  assert.deepEqual(await Promise.all([first, second].map(asked)), [
    { status: 200, body: { path: "/s1/x" } },
    { status: 200, body: { path: "/s2/x" } },
  ]);
  await second.advance(5);
  assert.deepEqual(
    messages.map(({ method, params }) => [method, (params as { service?: string }).service]),
    [
      ["initialize", undefined],
      ["start", undefined],
      ["start", undefined],
      ["start", "s1"],
      ["advance", "s2"],
    ],
  );
});

for (const [what, answer, message] of [
  ["another status", undefined, 'start: the control URL answered with status 503: {"code":"x"}'],
  ["no JSON", "<html>", 'start: the control URL sent what is no JSON-RPC answer: "<html>"'],
  ["another id", { jsonrpc: "2.0", id: 9, result: {} }, "start: the control URL answered to id 9, not 2"],
  [
    "an error",
    { jsonrpc: "2.0", id: 2, error: { code: -32601, message: "no\nsuch method" } },
    "start: the control URL sent JSON-RPC error -32601: no such method",
  ],
] as const) {
  test(`a control URL that gives ${what} is a fault`, async (context) => {
    const honest = answers({ initialize: IDENTITY });
    const { adapter } = await controlled(context, (request) =>
      request.method === "start" ? answer : honest(request),
    );
    const connection = await adapter.connect(SERVED);
    await assert.rejects(connection.start(0), { name: "AdapterFault", message });
  });
}
