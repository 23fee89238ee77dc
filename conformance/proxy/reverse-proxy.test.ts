import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import type { TLSSocket } from "node:tls";
import { generate } from "selfsigned";
import { httpTarget } from "../adapters/http-target.ts";
import { type RawService, rawClient, rawService } from "../testing/proxy/raw-connections.ts";
import type { PassedExchange } from "./passed-exchange.ts";
import { type ReverseProxyOptions, startReverseProxy } from "./reverse-proxy.ts";

/** A proxy before a service, on a clock that gains 5 ms at each look; gives a connection to it, and all that it told. */
async function proxied(
  context: TestContext,
  { origin }: Pick<RawService, "origin">,
  options: Partial<ReverseProxyOptions> = {},
) {
  let ms = 0;
  const clock = { now: () => 1_000_000 + ms, precise: () => (ms += 5), sleep: async () => {} };
  const [exchanges, troubles]: [PassedExchange[], string[]] = [[], []];
  const told = new EventEmitter();
  const proxy = await startReverseProxy({
    target: httpTarget(origin),
    trusted: { rejectUnauthorized: true },
    host: "127.0.0.1",
    port: 0,
    keepHost: false,
    clock,
    onExchange: (exchange) => {
      exchanges.push(exchange);
      told.emit("exchange");
    },
    onTrouble: (_, line) => troubles.push(line),
    ...options,
  });
  context.after(() => proxy.close(0));
  const port = Number(new URL(proxy.url).port);
  return {
    proxy,
    exchanges,
    troubles,
    client: () => rawClient(context, port),
    /** Settles when so many exchanges were told of. */
    async toldOf(count: number): Promise<void> {
      while (exchanges.length < count) await once(told, "exchange");
    },
  };
}

const bytes = (body: Uint8Array | undefined) => Buffer.from(body ?? []).toString("latin1");

test("what is end to end passes in its order and spelling, what is of the connection does not", async (context) => {
  const service = await rawService(context);
  const { client, exchanges, toldOf } = await proxied(context, service);
  const asking = await client();
  asking.socket.write(
    [
      "POST /v1//auth/%63hallenge/../x?b=1&&a=%zz HTTP/1.1",
      "HOST: elsewhere.example",
      "X-Twice: one",
      "authorization: Bearer a",
      "Connection: keep-alive, X-Private",
      "X-Private: of this hop",
      "Authorization: Bearer b",
      "TE: trailers",
      "Keep-Alive: timeout=3",
      "x-twice: tw\xf6",
      "Content-Length: 7",
      "",
      "\x00\xff{\r\n\r\n",
    ].join("\r\n"),
    "latin1",
  );
  const serving = await service.next();
  const sent = await serving.until(/\{\r\n\r\n$/);
  assert.deepEqual(sent.split("\r\n").slice(0, -2), [
    "POST /v1//auth/%63hallenge/../x?b=1&&a=%zz HTTP/1.1",
    `HOST: 127.0.0.1:${service.port}`,
    "X-Twice: one",
    "X-Twice: tw\xf6",
    "authorization: Bearer a",
    "authorization: Bearer b",
    "Content-Length: 7",
    "Connection: keep-alive",
    "",
    "\x00\xff{",
  ]);
  serving.socket.write(
    [
      "HTTP/1.1 418 I am a\tpot",
      "X-One: 1",
      "Set-Cookie: a=1",
      "content-LENGTH: 4",
      "set-cookie: b=2",
      "Keep-Alive: timeout=9",
      "Connection: x-hop",
      "X-Hop: gone",
      "Date: never",
      "",
      "\x00\xfe\r\n",
    ].join("\r\n"),
    "latin1",
  );
  const answer = await asking.until(/\xfe\r\n$/);
  assert.deepEqual(answer.split("\r\n"), [
    "HTTP/1.1 418 I am a\tpot",
    "X-One: 1",
    "Set-Cookie: a=1",
    "content-LENGTH: 4",
    "set-cookie: b=2",
    "Date: never",
    "connection: keep-alive",
    "keep-alive: timeout=9",
    "",
    "\x00\xfe",
    "",
  ]);
  await toldOf(1);
  const [{ request, response, ...exchange } = assert.fail()] = exchanges;
  assert.deepEqual(exchange, { number: 1, startedMs: 1_000_000, endedMs: 1_000_006, tookMs: 5 });
  assert.deepEqual(request.headers[1], ["X-Twice", "one"]);
  assert.equal(request.target, "/v1//auth/%63hallenge/../x?b=1&&a=%zz");
  assert.equal(bytes(request.body), "\x00\xff{\r\n\r\n");
  assert.deepEqual([response?.status, response?.reason, response?.bytes], [418, "I am a\tpot", 4]);
  assert.deepEqual(response?.headers.at(-1), ["Date", "never"]);
  assert.equal(bytes(response?.body), "\x00\xfe\r\n");
});

test("each piece passes when it comes, either way, and trailers after the last", async (context) => {
  const service = await rawService(context);
  const { client, exchanges, toldOf } = await proxied(context, service);
  const asking = await client();
  asking.socket.write("PUT /a HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n");
  const serving = await service.next();
  assert.match(await serving.until(/\r\n\r\n$/), /^PUT \/a HTTP\/1\.1\r\n/);
  asking.socket.write("3\r\none\r\n");
  await serving.until(/one/);
  asking.socket.write("3\r\ntwo\r\n0\r\n\r\n");
  await serving.until(/two\r\n0\r\n\r\n$/);
  serving.socket.write("HTTP/1.1 200 OK\r\ntrailer: x-sum\r\ntransfer-encoding: chunked\r\n\r\n2\r\nto\r\n");
  await asking.until(/\r\n2\r\nto\r\n$/);
  serving.socket.write("2\r\nld\r\n0\r\nX-Sum: 4\r\n\r\n");
  await asking.until(/2\r\nld\r\n0\r\nX-Sum: 4\r\n\r\n$/);
  await toldOf(1);
  assert.equal(bytes(exchanges[0]?.request.body), "onetwo");
  assert.equal(bytes(exchanges[0]?.response?.body), "told");
});

test("a GET with a body in chunks keeps it, and one without any has none", async (context) => {
  const service = await rawService(context);
  const { client } = await proxied(context, service);
  const asking = await client();
  asking.socket.write("GET /a HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n\r\n");
  const first = await service.next();
  await first.until(/transfer-encoding: chunked\r\n.*\r\n\r\n1\r\n\{\r\n0\r\n\r\n$/s);
  first.socket.end("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
  assert.equal(await asking.end(), "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
  const other = await client();
  other.socket.write("OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n");
  assert.equal(
    await (await service.next()).until(/\r\n\r\n$/),
    `OPTIONS * HTTP/1.1\r\nhost: 127.0.0.1:${service.port}\r\nConnection: keep-alive\r\n\r\n`,
  );
});

test("a path before the service's own, an absolute target and the client's host go with it where they are to", async (context) => {
  const service = await rawService(context);
  const { client } = await proxied(context, { origin: `${service.origin}/below//here/` }, { keepHost: true });
  const asking = await client();
  asking.socket.write("GET http://a.example?x HTTP/1.1\r\nhost: a.example\r\n\r\n");
  assert.match(
    await (await service.next()).until(/\r\n\r\n$/),
    /^GET \/below\/\/here\/\?x HTTP\/1\.1\r\nhost: a\.example\r\n/,
  );
});

test("requests that are sent together are served one after the other, and answered in their order", async (context) => {
  const service = await rawService(context);
  const { client } = await proxied(context, service);
  const asking = await client();
  asking.socket.write("GET /1 HTTP/1.1\r\nhost: a\r\n\r\nGET /2 HTTP/1.1\r\nhost: a\r\n\r\n");
  const serving = await service.next();
  assert.doesNotMatch(await serving.until(/\r\n\r\n$/), /GET \/2/);
  serving.socket.write("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\none");
  await serving.until(/GET \/2[\s\S]*\r\n\r\n$/);
  serving.socket.write("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\ntwo");
  await asking.until(/one[\s\S]*two$/);
  assert.equal(service.connections, 1);
});

test("an idle connection that the service closes is closed to the client", async (context) => {
  const service = await rawService(context);
  const { client } = await proxied(context, service);
  const asking = await client();
  asking.socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  const serving = await service.next();
  serving.socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
  await asking.until(/\r\n\r\n$/);
  serving.socket.end();
  await asking.end();
});

test("where the service cannot be reached the proxy says so, in its own name, and tells of no exchange", async (context) => {
  const service = await rawService(context);
  await service.close();
  const { client, proxy, exchanges, troubles } = await proxied(context, service);
  const asking = await client();
  asking.socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 20000\r\n\r\n");
  asking.socket.write("x".repeat(20_000));
  const [head = "", body] = (await asking.end()).split("\r\n\r\n");
  assert.match(head, /^HTTP\/1\.1 502 Bad Gateway\r\n/);
  assert.match(head, /\r\nproxy-status: launch-draft-conformance; error=connection_refused\r\n/);
  const reason = `${service.origin} cannot be reached: connect ECONNREFUSED 127.0.0.1:${service.port}`;
  assert.equal(body, `launch-draft-conformance proxy: ${reason}\n`);
  assert.deepEqual(troubles, [reason]);
  assert.deepEqual(exchanges, []);
  assert.equal(proxy.passed().unreachable, 1);
});

for (const [when, answered] of [
  ["before it answers", ""],
  ["in the middle of its answer", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"],
  ["in the middle of a chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nhalf"],
  ["with what is no HTTP", "SSH-2.0-OpenSSH\r\n\r\n"],
] as const)
  test(`a service that breaks off ${when} breaks off to the client`, async (context) => {
    const service = await rawService(context);
    const { client, proxy, exchanges, troubles, toldOf } = await proxied(context, service);
    const asking = await client();
    asking.socket.write("GET /v1/platform HTTP/1.1\r\nhost: a\r\n\r\n");
    const serving = await service.next();
    await serving.until(/\r\n\r\n$/);
    serving.socket.write(answered);
    if (answered.endsWith("half")) await asking.until(/half/);
    serving.socket.destroy();
    assert.equal((await asking.end()).includes("half"), answered.endsWith("half"));
    await toldOf(1);
    assert.deepEqual([exchanges[0]?.brokenOff, exchanges[0]?.response], ["service", undefined]);
    assert.equal(troubles.length, 1);
    assert.match(troubles.join(), /^GET \/v1\/platform: the service broke off: [^\n]+$/);
    assert.deepEqual(proxy.passed().brokenOff, { client: 0, service: 1 });
  });

test("a client that breaks off is broken off from the service, and others are not", async (context) => {
  const service = await rawService(context);
  const { client, proxy, exchanges, troubles, toldOf } = await proxied(context, service);
  const [going, staying] = [await client(), await client()];
  going.socket.write("POST /1 HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nhalf");
  const first = await service.next();
  await first.until(/half$/);
  staying.socket.write("GET /2 HTTP/1.1\r\nhost: a\r\n\r\n");
  const second = await service.next();
  await second.until(/\r\n\r\n$/);
  going.socket.destroy();
  await first.end();
  second.socket.write("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\ntwo");
  await staying.until(/two$/);
  await toldOf(2);
  assert.deepEqual(
    exchanges.map(({ brokenOff, response, request: { target } }) => [target, brokenOff, response?.status]),
    [
      ["/1", "client", undefined],
      ["/2", undefined, 200],
    ],
  );
  assert.deepEqual(troubles, []);
  assert.deepEqual(proxy.passed().brokenOff, { client: 1, service: 0 });
});

test("what waits behind another when its client breaks off is told of, too, and nothing stays under way", async (context) => {
  const service = await rawService(context);
  const { client, exchanges, proxy, toldOf } = await proxied(context, service);
  const asking = await client();
  const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  asking.socket.write(ask("/one") + ask("/two") + ask("/three"));
  const asked = await service.next();
  await asked.until(/\/one/);
  asking.socket.end();
  await toldOf(3);
  assert.deepEqual(
    exchanges.map(({ brokenOff }) => brokenOff),
    ["client", "client", "client"],
  );
  assert.equal(proxy.openSinceMs(), Number.POSITIVE_INFINITY);
  const { requests, answered, brokenOff } = proxy.passed();
  assert.deepEqual([requests, answered + brokenOff.client + brokenOff.service], [3, 3]);
});

test("an answer before the end of the body reaches the client, which may go on sending", async (context) => {
  const service = await rawService(context);
  const { client } = await proxied(context, service);
  const asking = await client();
  asking.socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 400000\r\n\r\n");
  const serving = await service.next();
  serving.socket.end("HTTP/1.1 413 Content Too Large\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}");
  await asking.until(/\{\}$/);
  asking.socket.write("x".repeat(400_000));
  await asking.end();
  assert.match(asking.text, /^HTTP\/1\.1 413 Content Too Large\r\n/);
});

test("answers that no HTTP server may send end the connection, and nothing else", async (context) => {
  const service = await rawService(context);
  const { client, troubles } = await proxied(context, service);
  for (const [head, passes] of [
    ["HTTP/1.1 200 a\x01b\r\ncontent-length: 0", false],
    ["HTTP/1.1 099 Odd\r\ncontent-length: 0", false],
    ["HTTP/1.1 200 OK\r\ncontent-length: 0\r\ntrailer: x", true],
  ] as const) {
    const asking = await client();
    asking.socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    const serving = await service.next();
    await serving.until(/\r\n\r\n$/);
    serving.socket.write(`${head}\r\n\r\n`);
    if (passes) await asking.until(/200 OK\r\n[\s\S]*\r\n\r\n$/);
    else assert.equal(await asking.end(), "");
  }
  assert.equal(troubles.length, 2);
});

test("what is no HTTP is refused in the proxy's own name, and reaches no service", async (context) => {
  const service = await rawService(context);
  const { client, proxy, troubles } = await proxied(context, service);
  const asking = await client();
  asking.socket.write("\x16\x03\x01 hello\r\n\r\n");
  const answer = await asking.end();
  assert.match(String(troubles), /sent TLS, which the proxy does not speak/);
  assert.match(
    answer,
    /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*proxy-status: launch-draft-conformance; error=/,
  );
  assert.equal(service.connections, 0);
  assert.equal(proxy.passed().notHttp, 1);
});

test("whoever is told of an exchange and throws disturbs nothing", async (context) => {
  const service = await rawService(context);
  const { client, proxy, troubles } = await proxied(context, service, {
    onExchange: () => {
      throw new Error("a judge that breaks");
    },
  });
  const asking = await client();
  for (let count = 1; count <= 2; count++) {
    asking.socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    if (count === 1)
      service.next().then(({ socket }) => {
        socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"));
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
      });
    await asking.until(new RegExp(`(?:\\{\\}[\\s\\S]*){${count}}$`));
  }
  await proxy.close(0);
  assert.deepEqual(new Set(troubles), new Set(["an exchange could not be handed on: a judge that breaks"]));
  assert.equal(proxy.passed().answered, 2);
});

test("a body of which only the start is kept passes whole, and is counted whole", async (context) => {
  const service = await rawService(context);
  const { client, exchanges, toldOf } = await proxied(context, service);
  const asking = await client();
  const body = "0123456789abcdef".repeat(70_000);
  asking.socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  const serving = await service.next();
  const sent = await serving.until(new RegExp(`\r\n\r\n[\\s\\S]{${body.length}}$`));
  assert.ok(sent.endsWith(`\r\n\r\n${body}`));
  serving.socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
  await toldOf(1);
  const { request } = exchanges[0] ?? assert.fail();
  assert.deepEqual([request.bytes, request.body.length], [body.length, 64 * 1024]);
});

test("a proxy that closes lets an answer end, and says that the connection ends with it", async (context) => {
  const service = await rawService(context);
  const forever = { now: () => 0, precise: () => 0, sleep: () => new Promise<void>(() => {}) };
  const { client, proxy } = await proxied(context, service, { clock: forever });
  const asking = await client();
  asking.socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  const serving = await service.next();
  await serving.until(/\r\n\r\n$/);
  const closed = proxy.close(1);
  serving.socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
  assert.match(await asking.end(), /\r\nconnection: close\r\n\r\n\{\}$/);
  await closed;
});

test("a service with a certificate of its own is reached where that is trusted, and else told to be unreachable", async (context) => {
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }]);
  const { address, served } = await secureService(context, { cert, key });
  for (const [trusted, status] of [
    [{ rejectUnauthorized: false }, 200],
    [{ rejectUnauthorized: true }, 502],
  ] as const) {
    const { client, exchanges, toldOf } = await proxied(
      context,
      { origin: address },
      { trusted, keepHost: true },
    );
    const asking = await client();
    asking.socket.write("GET /a HTTP/1.1\r\nhost: elsewhere.example\r\n\r\n");
    await asking.until(new RegExp(`^HTTP/1\\.1 ${status} `));
    if (status === 200) await toldOf(1);
    assert.equal(exchanges.length, status === 200 ? 1 : 0);
  }
  assert.deepEqual(served, ["localhost elsewhere.example /a"]);
});

test("a service on IPv6 is reached", async (context) => {
  const server = createServer((_, response) => response.end("six")).listen(0, "::1");
  context.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { client } = await proxied(context, { origin: `http://[::1]:${port}` });
  const asking = await client();
  asking.socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  await asking.until(/six/);
});

/** An HTTPS server by the name of localhost; notes which name it was asked for in TLS and in HTTP, and the path. */
async function secureService(context: TestContext, options: { readonly cert: string; readonly key: string }) {
  const served: string[] = [];
  const server = createSecureServer(options, (request, response) => {
    const { servername } = request.socket as TLSSocket;
    served.push(`${servername} ${request.headers.host} ${request.url}`);
    response.end("{}");
  }).listen(0, "localhost");
  context.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { address: `https://localhost:${port}`, served };
}
