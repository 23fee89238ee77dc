import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { type CallHandler, type HttpCall, serveHttp } from "./http.ts";
import { createService } from "./service.ts";

const LIMIT = 16 * 1024;

/** Serves a service during one test (default: one that returns its arguments). Returns the base URL. */
async function served(context: TestContext, service?: CallHandler): Promise<string> {
  const server = await serveHttp(service ?? { handle: (call) => ({ status: 200, body: { ...call } }) }, {
    port: 0,
  });
  context.after(() => server.close());
  return server.url;
}

async function call(url: string, init?: RequestInit): Promise<HttpCall> {
  return (await (await fetch(url, init)).json()) as HttpCall;
}

/** Sends text over a socket. Returns the text received until the server closes it or `enough` is true. */
async function raw(url: string, text: string, enough: (received: string) => boolean): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(text);
  let received = "";
  for await (const chunk of socket) {
    received += chunk;
    if (enough(received)) break;
  }
  return received;
}

test("the reference is served by the contract's HTTP mapping", async (context) => {
  const url = await served(context, createService({ now: () => 0 }));
  const profile = await fetch(`${url}/v1/platform`);
  assert.equal(profile.status, 200);
  assert.equal(profile.headers.get("content-type"), "application/json");
  assert.equal(((await profile.json()) as { mode: string }).mode, "OFFLINE_PROTOTYPE");
  const build = await fetch(`${url}/v1/launch/build`, { method: "POST", body: "{}" });
  assert.equal(build.status, 401);
  assert.equal(build.headers.get("www-authenticate"), "Bearer");
  assert.deepEqual(await build.json(), { code: "UNAUTHORIZED", productionApproved: false });
});

test("method, path, body and headers reach the service", async (context) => {
  const url = await served(context);
  const headers = { authorization: "bearer  abc.def", "idempotency-key": "key-0001" };
  assert.deepEqual(await call(`${url}/v1/x?y=%20`, { method: "PUT", headers, body: '{ "ü" :1}' }), {
    method: "PUT",
    path: "/v1/x?y=%20",
    body: '{ "ü" :1}',
    bearer: "abc.def",
    idempotencyKey: "key-0001",
  });
  assert.deepEqual(await call(`${url}/`), { method: "GET", path: "/" });
  assert.equal((await call(url, { method: "POST", body: "" })).body, undefined);
});

test("a body that is not UTF-8 reaches the service as bytes", async (context) => {
  const url = await served(context, {
    handle: ({ body }) => ({
      status: 200,
      body: { isBytes: body instanceof Uint8Array, bytes: [...(body ?? [])] },
    }),
  });
  const answer = await fetch(url, { method: "POST", body: new Uint8Array([0x22, 0xff, 0x22]) });
  assert.deepEqual(await answer.json(), { isBytes: true, bytes: [0x22, 0xff, 0x22] });
});

test("a scheme other than Bearer is a missing bearer, and Bearer alone is an empty bearer", async (context) => {
  const url = await served(context);
  assert.equal((await call(url, { headers: { authorization: "Basic abc" } })).bearer, undefined);
  assert.equal((await call(url, { headers: { authorization: "Bearer" } })).bearer, "");
});

test("a repeated header is one value, joined by a comma", async (context) => {
  const url = await served(context);
  const request =
    `GET / HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: close\r\nAuthorization: Bearer a\r\nAuthorization: Bearer a\r\n` +
    "Idempotency-Key: key-0001\r\nIdempotency-Key: key-0001\r\n\r\n";
  const received = await raw(url, request, () => false);
  assert.deepEqual(JSON.parse(received.slice(received.indexOf("{"))), {
    method: "GET",
    path: "/",
    bearer: "a, Bearer a",
    idempotencyKey: "key-0001, key-0001",
  });
});

test("a body of exactly 16 KiB is not truncated", async (context) => {
  const body = "x".repeat(LIMIT);
  assert.equal((await call(await served(context), { method: "POST", body })).body, body);
});

test("a body over the limit is refused before all of it has arrived", async (context) => {
  const url = await served(context, createService({ now: () => 0 }));
  const head = `POST /v1/auth/challenge HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Length: 1000000\r\n\r\n`;
  const received = await raw(url, head + "x".repeat(LIMIT + 1), (text) => text.includes("}"));
  assert.match(received, /^HTTP\/1\.1 413 .*"BODY_TOO_LARGE"/s);
});

test("the handler gets the configured number of bytes of a body", async (context) => {
  const handler = { handle: ({ body }: HttpCall) => ({ status: 200, body: { length: body?.length } }) };
  for (const [bodyBytes, length] of [
    [undefined, LIMIT + 1],
    [90_000, 90_000],
    [Number.POSITIVE_INFINITY, 100_000],
  ] as const) {
    const server = await serveHttp(handler, { port: 0, ...(bodyBytes === undefined ? {} : { bodyBytes }) });
    context.after(() => server.close());
    const answer = await fetch(server.url, { method: "POST", body: "x".repeat(100_000) });
    assert.deepEqual(await answer.json(), { length });
  }
});

test("after an oversized body the same connection serves the next request", async (context) => {
  const url = await served(context, createService({ now: () => 0 }));
  const { host } = new URL(url);
  const large = `POST /v1/auth/verify HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 90000\r\n\r\n${"x".repeat(90_000)}`;
  const next = `GET /v1/platform HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  const received = await raw(url, large + next, () => false);
  assert.match(received, /^HTTP\/1\.1 413 .*HTTP\/1\.1 200 /s);
});

test("a service that throws gives status 500, without details of the error", async (context) => {
  const url = await served(context, {
    handle() {
      throw new Error("secret");
    },
  });
  const answer = await fetch(url);
  assert.equal(answer.status, 500);
  assert.deepEqual(await answer.json(), { code: "INTERNAL_ERROR", productionApproved: false });
});

test("a result that is not an envelope ends the connection, not the server", async (context) => {
  const url = await served(context, {
    handle: ({ path }) => (path === "/none" ? undefined : { status: 200, body: {} }),
  });
  await assert.rejects(fetch(`${url}/none`));
  assert.equal((await fetch(`${url}/some`)).status, 200);
});

test("a request whose body is incomplete does not stop the server", async (context) => {
  const url = await served(context);
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.end(`POST / HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Length: 10\r\n\r\nab`);
  socket.resume();
  await once(socket, "close");
  assert.equal((await fetch(url)).status, 200);
});

test("only loopback addresses are served", async () => {
  const service = { handle: () => undefined };
  for (const host of ["0.0.0.0", "::", "192.0.2.1", "example.com", ""]) {
    await assert.rejects(serveHttp(service, { port: 0, host }), {
      message: `${host} is not a loopback address; this service is served on this machine only`,
    });
  }
  for (const host of ["127.0.0.1", "localhost"]) await (await serveHttp(service, { port: 0, host })).close();
});

test("a port that is in use is reported in one line", async (context) => {
  const port = Number(new URL(await served(context)).port);
  await assert.rejects(serveHttp({ handle: () => undefined }, { port }), {
    message: `cannot listen on 127.0.0.1:${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
  });
});

test("a request with a foreign host name (DNS rebinding) is refused before it reaches the service", async (context) => {
  let calls = 0;
  const url = await served(context, {
    handle: () => {
      calls += 1;
      return { status: 200, body: {} };
    },
  });
  const { port } = new URL(url);
  const statusFor = async (host: string) => {
    const text = `POST /v1/auth/verify HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
    return Number((await raw(url, text, () => false)).split(" ")[1]);
  };
  for (const host of [`127.0.0.1:${port}`, `LocalHost:${port}`, `[::1]:${port}`, `127.8.8.8:${port}`])
    assert.equal(await statusFor(host), 200, host);
  assert.equal(calls, 4);
  for (const host of [
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `localhost.evil.example:${port}`,
    `10.0.0.1:${port}`,
    "127.0.0.1:1",
    "127.0.0.1",
    `user@127.0.0.1:${port}`,
    "",
  ])
    assert.equal(await statusFor(host), 421, host);
  assert.equal(calls, 4);
});
