import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { serveHttp } from "./http.ts";
import { controlledService } from "./http-control.ts";

const module = {
  implementation: { name: "x", version: "1" },
  capabilities: { clock: "virtual" },
  facts: { metadataHosts: ["a.example", "b.example"] },
  createService({ now }: { now: () => number }) {
    const startedAt = now();
    return { handle: () => ({ status: 200, body: { startedAt, now: now() } }) };
  },
};

async function controlled(context: TestContext) {
  const service = await controlledService(module, 5);
  const server = await serveHttp(service, { port: 0, control: service.control });
  context.after(() => server.close());
  const post = async (body: string) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${server.url}/control`, { method: "POST", headers, body });
    return (await answer.json()) as { readonly result: object; readonly error: { readonly message: string } };
  };
  return {
    server,
    post,
    send: (method: string, params: object) => post(JSON.stringify({ jsonrpc: "2.0", id: 7, method, params })),
    state: async (url = server.url) => (await fetch(url)).json(),
  };
}

test("start sets the clock, advance moves it, and the next start sets it again", async (context) => {
  const { send, state } = await controlled(context);
  assert.deepEqual(await state(), { startedAt: 5, now: 5 });
  await send("start", { nowMs: 1_000 });
  assert.deepEqual(await send("advance", { ms: 20 }), { jsonrpc: "2.0", id: 7, result: { nowMs: 1_020 } });
  assert.deepEqual(await state(), { startedAt: 1_000, now: 1_020 });
  await send("start", { nowMs: 9 });
  assert.deepEqual(await state(), { startedAt: 9, now: 9 });
});

test("initialize returns the implementation, capabilities, and facts of the module", async (context) => {
  const { send } = await controlled(context);
  const { implementation, capabilities, facts } = module;
  assert.deepEqual(await send("initialize", { protocol: 1 }), {
    jsonrpc: "2.0",
    id: 7,
    result: { protocol: 1, implementation, capabilities, facts },
  });
});

test("shutdown gets a response, and then the server stops", async (context) => {
  const { send, server } = await controlled(context);
  assert.deepEqual(await send("shutdown", {}), { jsonrpc: "2.0", id: 7, result: {} });
  await server.stopped;
  await assert.rejects(fetch(server.url));
});

test("a faulty message gets a JSON-RPC error", async (context) => {
  const { post, send } = await controlled(context);
  const error = (id: number | null, code: number, message: string) => ({
    jsonrpc: "2.0",
    id,
    error: { code, message },
  });
  assert.deepEqual(await post("{"), error(null, -32700, "the message must be JSON"));
  assert.deepEqual(await post("5"), error(null, -32600, "the message must be an object"));
  assert.deepEqual(await send("pause", {}), error(7, -32601, "unknown method"));
  for (const nowMs of [-1, 0.5, "1", undefined]) {
    assert.deepEqual(
      await send("start", { nowMs }),
      error(7, -32602, "nowMs must be an integer of 0 or more"),
    );
  }
});

test("the clock refuses times after the start of 31 December 9999", async (context) => {
  const { server, state } = await controlled(context);
  const post = async (method: string, params: object) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method, params });
    const answer = await fetch(`${server.url}/control`, { method: "POST", headers, body });
    return [answer.status, ((await answer.json()) as { error?: object }).error];
  };
  const last = Date.UTC(9999, 11, 31);
  const beyond = (name: string) => [400, { code: -32602, message: `${name} exceeds the year 9999` }];
  for (let times = 0; times < 2; times++)
    assert.deepEqual(await post("advance", { ms: Number.MAX_SAFE_INTEGER }), beyond("ms"));
  assert.deepEqual(await post("start", { nowMs: last + 1 }), beyond("nowMs"));
  assert.deepEqual(await state(), { startedAt: 5, now: 5 });
  assert.deepEqual(await post("advance", { ms: last - 5 }), [200, undefined]);
  assert.deepEqual(await post("advance", { ms: 1 }), beyond("ms"));
  assert.equal((await post("pause", {}))[0], 200);
});

test("a web page of another origin cannot control the service", async (context) => {
  const { server, state } = await controlled(context);
  const { port } = new URL(server.url);
  const start = async (origin: string) => {
    const headers = { "content-type": "application/json", origin };
    const body = '{"jsonrpc":"2.0","id":1,"method":"start","params":{"nowMs":1}}';
    return (await fetch(`${server.url}/control`, { method: "POST", headers, body })).status;
  };
  for (const origin of [
    "https://evil.example",
    `http://evil.example:${port}`,
    "null",
    `https://127.0.0.1:${port}`,
  ])
    assert.equal(await start(origin), 403, origin);
  assert.deepEqual(await state(), { startedAt: 5, now: 5 });
  assert.equal(await start(`http://localhost:${port}`), 200);
  assert.deepEqual(await state(), { startedAt: 1, now: 1 });
});

test("a web page's form cannot control the service", async (context) => {
  const { server, state } = await controlled(context);
  const body = '{"jsonrpc":"2.0","id":1,"method":"start","params":{"nowMs":1}}';
  assert.equal((await fetch(`${server.url}/control`, { method: "POST", body })).status, 415);
  assert.deepEqual(await state(), { startedAt: 5, now: 5 });
});

test("without a control handler, the service gets requests to /control", async (context) => {
  const server = await serveHttp({ handle: ({ path }) => ({ status: 404, body: { path } }) }, { port: 0 });
  context.after(() => server.close());
  assert.deepEqual(await (await fetch(`${server.url}/control`, { method: "POST" })).json(), {
    path: "/control",
  });
});
