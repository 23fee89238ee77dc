import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { createServer as createSecureServer } from "node:tls";
import { gzipSync } from "node:zlib";
import { ConnectionLost, ImplementationError, type Service, Unsupported } from "./adapter.ts";
import { type HttpAdapterOptions, mapRequest, openServer } from "./http.ts";
import { DEFAULT_OPTIONS } from "./protocol.ts";

const PROBE = { method: "GET", path: "/v1/platform" };
const BUILD = { method: "POST", path: "/v1/launch/build" };
const contract = { version: "partner-preview-1", probe: PROBE };
const usual = { ...DEFAULT_OPTIONS, contract, timeoutMs: 20_000 };
const facts = { metadataHosts: ["a.example", "b.example"] };

/** Lets a server listen on a free port until the end of the test. Returns its URL. */
async function listen(context: TestContext, server: Server, port = 0): Promise<string> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  context.after(() => {
    server.close();
    if ("closeAllConnections" in server) (server as ReturnType<typeof createServer>).closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function open(context: TestContext, url: string, options: Partial<HttpAdapterOptions> = {}) {
  const adapter = await openServer({ ...usual, url, facts, ...options });
  context.after(() => adapter.close());
  return adapter;
}

const startHttp = async (context: TestContext, listener: RequestListener, options = {}): Promise<Service> =>
  (await open(context, await listen(context, createServer(listener)), options)).start(0);

const startSocket = async (context: TestContext, onRequest: (socket: Socket) => void, options = {}) => {
  const server = createSocketServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => onRequest(socket));
  });
  return (await open(context, await listen(context, server), options)).start(0);
};

async function messageOf(promise: Promise<unknown>, type = ImplementationError): Promise<string> {
  const error = await promise.then(
    (value) => assert.fail(`expected an error, got ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  assert(error instanceof type, String(error));
  assert.doesNotMatch(error.message, /[\p{Cc}\p{Cf}]/u);
  return error.message;
}

test("a request is sent as the contract's HTTP mapping says", async (context) => {
  const service = await startHttp(context, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    response.end(
      JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }),
    );
  });
  const echo = async (request: Parameters<Service["handle"]>[0]) => {
    const { status, body } = (await service.handle(request)) as {
      status: number;
      body: IncomingMessage & { body: string };
    };
    assert.equal(status, 200);
    const { connection: _, host: __, accept, "accept-encoding": coding, ...headers } = body.headers;
    assert.deepEqual([accept, coding], ["application/json", "identity"]);
    return { ...body, headers };
  };
  const headers = { "content-type": "application/json" };
  assert.deepEqual(await echo({ ...BUILD, body: '{ "ü": 1}', bearer: "t\xe9", idempotencyKey: "k-1" }), {
    method: "POST",
    url: BUILD.path,
    headers: { ...headers, authorization: "Bearer t\xe9", "idempotency-key": "k-1", "content-length": "10" },
    body: '{ "ü": 1}',
  });
  assert.deepEqual((await echo(PROBE)).headers, {});
  const chunked = await echo({ ...BUILD, body: "{}", authorization: "bearer t", chunked: true });
  assert.deepEqual(chunked.headers, {
    ...headers,
    authorization: "bearer t",
    "transfer-encoding": "chunked",
  });
  const large = "x".repeat(200_000);
  assert.equal((await echo({ ...BUILD, body: large })).body, large);
  assert.equal((await echo({ ...BUILD, bearer: "" })).headers.authorization, "Bearer");
});

describe("a request that HTTP cannot carry is unsupported", () => {
  for (const [change, reason] of [
    [{ method: "get" }, "HTTP servers refuse the method before the service sees the request"],
    [{ method: "HEAD" }, "HTTP servers may respond to HEAD themselves, without the service"],
    [{ method: "OPTIONS" }, "HTTP servers may respond to OPTIONS themselves, without the service"],
    [{ method: "CONNECT" }, "a CONNECT request only opens a tunnel"],
    [{ path: "/a b" }, "the path has characters that HTTP cannot carry"],
    [{ path: "/v1\\u0031" }, "the path has characters that HTTP cannot carry"],
    [{ path: "v1" }, "the path has characters that HTTP cannot carry"],
    [{ path: "/a#b" }, "the path has characters that HTTP cannot carry"],
    [{ path: "//v1" }, "the path has empty or dot segments, which HTTP servers rewrite"],
    [{ path: "/v1/../v1" }, "the path has empty or dot segments, which HTTP servers rewrite"],
    [
      { path: "/v1/%zz" },
      "the path is not percent-encoded UTF-8, so HTTP servers refuse it before the service sees it",
    ],
    [
      { path: "/v1/%ff" },
      "the path is not percent-encoded UTF-8, so HTTP servers refuse it before the service sees it",
    ],
    [{ bearer: "a\nb" }, "the bearer has characters that HTTP cannot carry"],
    [{ idempotencyKey: " a" }, "the idempotency key starts or ends with white space, which HTTP removes"],
    [{ body: "\ud800" }, "UTF-8 cannot encode the lone surrogate in the body"],
  ] as const)
    test(JSON.stringify(change), () =>
      assert.throws(() => mapRequest({ ...BUILD, ...change }, ""), new Unsupported(reason)),
    );

  test("an unusual path or method is supported", () => {
    for (const path of ["/", "/v1/...", "/v1/x/?a=//b&c=%00"])
      assert.equal(mapRequest({ ...PROBE, path }, "/base").path, `/base${path}`);
    assert.equal(mapRequest({ ...PROBE, method: "PURGE" }, "").method, "PURGE");
  });
});

describe("every complete response becomes an envelope, even if it is wrong", () => {
  const respond =
    (status: number, headers: Record<string, string>, body: string | Buffer) =>
    (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(status, headers).end(body);
  for (const [name, listener, expected] of [
    ["HTML", respond(404, {}, "<html>"), { status: 404, body: "<html>" }],
    ["an empty body", respond(200, {}, ""), { status: 200, body: "" }],
    ["a wrong content type", respond(200, { "content-type": "text/html" }, "{}"), { status: 200, body: {} }],
    ["JSON in Latin-1", respond(200, {}, Buffer.from('"\xe9"', "latin1")), { status: 200, body: '"\ufffd"' }],
    ["a redirect", respond(302, { location: "/elsewhere" }, "{}"), { status: 302, body: {} }],
    [
      "gzip",
      respond(200, { "content-encoding": "gzip" }, gzipSync("{}")),
      { status: 200, body: "(content-encoding gzip, but the request accepts only identity)" },
    ],
    [
      "JSON that names a member twice",
      respond(400, {}, '{"code":"A","code":"B"}'),
      { status: 400, body: '(a JSON object that names a member twice) {"code":"A","code":"B"}' },
    ],
    ["a long text", respond(200, {}, "x".repeat(10_000)), { status: 200, body: "x".repeat(2_000) }],
  ] as const)
    test(name, async (context) =>
      assert.deepEqual(await (await startHttp(context, listener)).handle(PROBE), expected),
    );

  test("interim responses are ignored", async (context) => {
    const interim = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n";
    const final = "HTTP/1.1 000 No\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
    const service = await startSocket(context, (socket) => socket.end(interim + final));
    assert.deepEqual(await service.handle(PROBE), { status: 0, body: {} });
  });

  test("returns a 413 that arrives before the whole body is sent", async (context) => {
    const service = await startSocket(context, (socket) => {
      const head = "HTTP/1.1 413 No\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
      socket.once("data", () => socket.pause().write(head, () => socket.resetAndDestroy()));
    });
    const response = await service.handle({ ...BUILD, body: "x".repeat(1_000_000) });
    assert.deepEqual(response, { status: 413, body: {} });
  });
});

describe("a request that the server does not pass to the service is unsupported", () => {
  const [content, slash] = [
    { ...PROBE, body: "{}" },
    { ...PROBE, path: "/v1/platform/" },
  ];
  const chunked = { ...BUILD, body: "{}", chunked: true };
  const to = (location: string) => ({ location });
  const redirects = "redirects to the path without the slash at its end";
  for (const [request, status, headers, body, refusal] of [
    [content, 400, {}, "<html>", "refuses GET requests with content"],
    [content, 400, {}, "{}", undefined],
    [content, 500, {}, "<html>", undefined],
    [PROBE, 400, {}, "<html>", undefined],
    [chunked, 411, {}, "<html>", "refuses bodies of unknown length"],
    [{ ...chunked, chunked: false }, 411, {}, "<html>", undefined],
    [slash, 307, to("http://a.example:80/v1/platform"), "", redirects],
    [slash, 301, to("/v1/platform"), "", redirects],
    [slash, 301, to("/v1/other"), "", undefined],
    [slash, 200, to("/v1/platform"), "{}", undefined],
    [PROBE, 301, to("/v1/platform/"), "", undefined],
  ] as const)
    test(`${JSON.stringify(request)}, ${status} ${JSON.stringify(headers)} ${body}`, async (context) => {
      const respond: RequestListener = (_, response) => void response.writeHead(status, headers).end(body);
      const response = (await startHttp(context, respond)).handle(request);
      if (refusal === undefined) await response;
      else await assert.rejects(response, new Unsupported(`the HTTP server ${refusal}`));
    });
});

describe("a missing, incomplete, or malformed response is an error", () => {
  const HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{";
  const closed = "the connection was closed before the response was complete";
  for (const [name, onRequest, reason] of [
    ["closed without a response", (socket) => socket.end(), closed],
    ["closed in a response", (socket) => socket.end(HEAD), closed],
    ["reset in a response", (socket) => socket.write(HEAD, () => socket.resetAndDestroy()), closed],
    [
      "not HTTP",
      (socket) => socket.end("SSH-2.0 \u001b[2J\r\n\r\n"),
      /^the response is not HTTP: Parse Error: Expected HTTP/,
    ],
    [
      "a change of the protocol",
      (socket) => socket.write("HTTP/1.1 101 Other\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n{}"),
      "the connection was closed without a response",
    ],
    ["silent", () => {}, "no response within 0.3 s"],
    ["silent in a response", (socket) => socket.write(HEAD), "no response within 0.3 s"],
    [
      "silent in a response without a length",
      (socket) => socket.write("HTTP/1.1 200 OK\r\n\r\n{}"),
      "no response within 0.3 s",
    ],
    [
      "endless",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (let mebibytes = 0; mebibytes < 2; mebibytes++)
          socket.write(`100000\r\n${"x".repeat(0x100000)}\r\n`);
      },
      "the response is longer than 1 MiB",
    ],
  ] as const satisfies readonly (readonly [string, (socket: Socket) => unknown, string | RegExp])[])
    test(name, async (context) => {
      const timeoutMs = name.startsWith("silent") ? 300 : 0;
      const service = await startSocket(context, onRequest, { timeoutMs });
      const message = (await messageOf(service.handle(PROBE))).replace(/^GET \/v1\/platform: /, "");
      if (typeof reason === "string") assert.equal(message, reason);
      else assert.match(message, reason);
    });
});

describe("a 400 or an error names the previous exchange on its connection as a possible cause", () => {
  const respond = (status: string, body: string) => `HTTP/1.1 ${status}\r\nContent-Length: 2\r\n\r\n${body}`;
  const earlier = "the previous exchange on this connection was POST /v1/launch/build (status 401)";
  const cause = "the server may have left request bytes unread, or sent extra response bytes";
  const suspicion = `(${earlier}; ${cause})`;

  test("a body that the server did not read", async (context) => {
    const service = await startSocket(context, (socket) => {
      socket.write(respond("401 No", "{}"));
      socket.on("data", () => socket.write(respond("400 Bad Request", "no")));
    });
    await service.handle({ ...BUILD, body: "{}" });
    assert.deepEqual(await service.handle(PROBE), { status: 400, body: `${suspicion} no` });
  });

  test("a response that is longer than its Content-Length", async (context) => {
    const service = await startSocket(context, (socket) => {
      socket.write(respond("401 No", "{}"));
      socket.on("data", () => socket.write(`}${respond("200 OK", "{}")}`));
    });
    await service.handle({ ...BUILD, body: "{}" });
    const message = await messageOf(service.handle(PROBE));
    assert.match(message, /^GET \/v1\/platform: the response is not HTTP: Parse Error: Expected HTTP/);
    assert.ok(message.endsWith(suspicion));
  });
});

test("requests of the same turn each get a new connection, so that all start alike", async (context) => {
  const connections = new Set<Socket>();
  const server = createServer((_, response) => response.end("{}"));
  server.on("connection", (socket) => void connections.add(socket));
  const adapter = await open(context, await listen(context, server));
  const service = await adapter.start(0);
  // Leaves an idle connection.
  await service.handle(PROBE);
  connections.clear();
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on("warning", onWarning);
  await Promise.all(Array.from({ length: 20 }, () => service.handle(PROBE)));
  process.off("warning", onWarning);
  assert.equal(connections.size, 20);
  assert.deepEqual(warnings, []);
});

test("requests of the same turn report that nothing listens", async (context) => {
  const server = createServer();
  const service = await (await open(context, await listen(context, server))).start(0);
  server.close();
  await once(server, "close");
  const messages = await Promise.all([1, 2].map(() => messageOf(service.handle(PROBE))));
  const refused = "GET /v1/platform: the connection was refused; nothing listens on this port";
  assert.deepEqual(messages, [refused, refused]);
});

describe("a kept connection", () => {
  const RESPONSE = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

  /** Starts a server that handles each request by its number on the connection. Counts used connections. */
  const startNumbered = async (context: TestContext, onRequest: (socket: Socket, number: number) => void) => {
    const counts = { connections: 0 };
    const server = createSocketServer((socket) => {
      let number = 0;
      const onData = () => {
        number += 1;
        if (number === 1) counts.connections += 1;
        onRequest(socket, number);
      };
      socket.on("error", () => {}).on("data", onData);
    });
    return { service: await (await open(context, await listen(context, server))).start(0), counts };
  };

  test("that the server has closed gets no request", async (context) => {
    const { service, counts } = await startNumbered(context, (socket) => socket.end(RESPONSE));
    for (let sent = 1; sent <= 20; sent++)
      assert.deepEqual(await service.handle(BUILD), { status: 200, body: {} });
    assert.equal(counts.connections, 20);
  });

  test("that the server closes without a response is named, and is the last one", async (context) => {
    const { service, counts } = await startNumbered(context, (socket, number) =>
      number === 1 ? socket.write(RESPONSE) : socket.destroy(),
    );
    await service.handle(PROBE);
    const message = await messageOf(service.handle(BUILD), ConnectionLost);
    assert.match(
      message,
      /^POST .*: the server closed the kept connection without a response \(the previous exchange .* GET \S+ /,
    );
    for (let sent = 1; sent <= 3; sent++)
      assert.deepEqual(await service.handle(PROBE), { status: 200, body: {} });
    assert.equal(counts.connections, 4);
  });

  test("that the server closes in a response is not lost", async (context) => {
    const { service } = await startNumbered(context, (socket, number) =>
      number === 1 ? socket.write(RESPONSE) : socket.end(RESPONSE.slice(0, 20)),
    );
    await service.handle(PROBE);
    const error = await service.handle(PROBE).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ImplementationError && !(error instanceof ConnectionLost));
  });
});

test("the kit uses a stopped server again if it restarts, and gives up after three failed attempts", async (context) => {
  let whileSleeping = async () => {};
  const clock = { now: () => 0, sleep: () => whileSleeping() };
  const respond: RequestListener = (_, response) => void response.setHeader("connection", "close").end("{}");
  const server = createServer(respond);
  const url = await listen(context, server);
  const adapter = await open(context, url, { clock });
  const service = await adapter.start(0);
  await service.handle(PROBE);
  server.close();
  await once(server, "close");
  const refused = "GET /v1/platform: the connection was refused; nothing listens on this port";
  assert.equal(await messageOf(service.handle(PROBE)), refused);
  const port = Number(new URL(url).port);
  const later = createServer(respond);
  whileSleeping = async () => void (await listen(context, later, port));
  assert.deepEqual(await (await adapter.start(0)).handle(PROBE), { status: 200, body: {} });
  later.close();
  await once(later, "close");
  whileSleeping = async () => {};
  await messageOf(service.handle(PROBE));
  assert.equal(
    await messageOf(adapter.start(0)),
    `the kit gave up after 3 failed attempts to restart the implementation; ${refused}`,
  );
  assert.match(adapter.lost?.message ?? "", /^the kit gave up/);
});

test("the kit gives up on a server after thirty vectors that hang", async (context) => {
  const clock = { now: () => 0, sleep: async () => {} };
  const listener: RequestListener = ({ url, socket }, response) => {
    if (url === PROBE.path) response.end("{}");
    if (url === "/endless") socket.write("HTTP/1.1 200 OK\r\n\r\n{}");
  };
  const url = await listen(context, createServer(listener));
  const adapter = await open(context, url, { clock, timeoutMs: 60 });
  for (let vector = 1; vector <= 30; vector++) {
    assert.equal(adapter.lost, undefined);
    const service = await adapter.start(0);
    const paths = vector % 2 === 0 ? ["/hang", "/hang"] : ["/endless", "/endless"];
    const hangs = await Promise.all(paths.map((path) => messageOf(service.handle({ ...PROBE, path }))));
    for (const message of hangs) assert.match(message, /^GET \/(?:hang|endless): no response within 0.06 s$/);
  }
  const message =
    "the kit gave up after 30 requests without a response; GET /hang: no response within 0.06 s";
  assert.equal(await messageOf(adapter.start(0)), message);
});

test("without a control URL, waits take place on the machine's clock, up to a limit", async (context) => {
  let nowMs = 1_000;
  const sleep = async (ms: number) => {
    // A timer can fire early.
    nowMs += Math.ceil(ms / 2);
  };
  const clock = { now: () => nowMs, sleep };
  const url = await listen(context, createServer());
  const adapter = await open(context, url, { clock, maxWaitMs: 5_000 });
  assert.deepEqual(adapter.info.capabilities, {
    clock: "real",
    restart: false,
    rawBody: true,
    concurrency: true,
  });
  const service = await adapter.start(7);
  assert.equal(service.nowMs, 1_000);
  await service.advance(5_000);
  assert.equal(service.nowMs, 6_000);
  const reason = "needs a wait of 5.001 s on a real clock, longer than 5 s (--max-wait)";
  assert.equal(await messageOf(service.advance(5_001), Unsupported as never), reason);
});

describe("invalid options are reported in one line", () => {
  for (const [options, message] of [
    [{ url: "nowhere" }, "--url nowhere: expected a URL, such as http://127.0.0.1:8080"],
    [{ url: "ftp://127.0.0.1" }, "--url ftp://127.0.0.1: must start with http:// or https://"],
    [{ url: "http://a:b@127.0.0.1" }, "--url http://a:b@127.0.0.1: must not have credentials"],
    [
      { controlUrl: "http://127.0.0.1?x" },
      "--control-url http://127.0.0.1?x: must not have a query or a fragment",
    ],
    [{ facts: undefined }, "--url: metadata hosts are missing; add --metadata-hosts or --facts"],
    [
      { facts: { ...facts, signedBytes: "adapter" } },
      'facts.signedBytes "adapter" requires a control URL; add --control-url',
    ],
    [
      { facts: { ...facts, operator: 1 } },
      'facts: facts has the unknown name "operator"; did you mean "operatorKey"?',
    ],
    [{}, "--url http://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1"],
  ] as const)
    test(message, async (context) =>
      assert.equal(await messageOf(open(context, "http://127.0.0.1:1", options)), message),
    );
});

describe("a server that is not the service is named before the run", () => {
  const members = new Set(["code", "name"]);
  const respond =
    (status: number, body: string, headers = {}): RequestListener =>
    (_, response) =>
      void response.writeHead(status, headers).end(body);
  const refused = (came: string) =>
    `answers GET /base/v1/platform with ${came}, which is not a response of the service; ` +
    "check the URL, or add --force to test it anyway";
  const servers: readonly (readonly [Server, string | undefined, scheme?: string])[] = [
    [createServer(respond(200, "<!doctype html>")), refused('status 200 and HTML, "<!doctype html>"')],
    [createServer(respond(502, "down")), refused('status 502 and text that is not JSON, "down"')],
    [createServer(respond(401, '{"message":"no"}')), refused('status 401 and {"message":"no"}')],
    [
      createServer(respond(301, "", { location: "https://a.example/" })),
      'redirects GET /base/v1/platform to "https://a.example/" (status 301); ' +
        "name the URL of the service itself, or add --force to test it anyway",
    ],
    [
      createServer(respond(200, "")),
      "does not speak TLS on this port; write http:// instead of https://",
      "https",
    ],
    [createSecureServer(), "expects TLS on this port; write https:// instead of http://"],
    [
      createServer(respond(400, "The plain HTTP request was sent to HTTPS port")),
      "expects TLS on this port; write https:// instead of http://",
    ],
    [
      createSocketServer((socket) => socket.on("error", () => {}).write("SSH-2.0\r\n")),
      "does not speak HTTP on this port; check the port, or add --force to test it anyway",
    ],
    [createServer(respond(500, '{"code":"UNEXPECTED"}')), undefined],
    [createServer(respond(200, '{"name":1}')), undefined],
  ];
  for (const [server, reason, scheme = "http"] of servers)
    test(reason ?? "a response with a member of the service is accepted", async (context) => {
      const url = `${(await listen(context, server)).replace("http", scheme)}/base`;
      const opened = open(context, url, { members });
      if (reason === undefined) await opened;
      else assert.equal(await messageOf(opened), `--url ${url} ${reason}`);
    });

  const unfinished = { closed: "", endless: 'HTTP/1.1 200 OK\r\n\r\n{"name":1}' };
  for (const [kind, text] of Object.entries(unfinished))
    test(`a server that gives no whole response can be the service: ${kind}`, async (context) => {
      const server = createSocketServer((socket) => {
        socket.on("error", () => {}).once("data", () => (text === "" ? socket.end() : socket.write(text)));
      });
      const adapter = await open(context, await listen(context, server), { members, timeoutMs: 100 });
      const service = await adapter.start(0);
      await assert.rejects(service.handle({ method: "GET", path: "/v1/platform" }), ImplementationError);
    });
});

/** Opens a server with a control URL. `respond` can replace the usual answer to a message. */
async function openControlled(
  context: TestContext,
  respond: (message: { id: number; method: string; params: object }) => object | undefined,
) {
  const received: object[] = [];
  const listener: RequestListener = async (request, response) => {
    if (request.url !== "/control") return void response.end(JSON.stringify({ path: request.url }));
    const message = JSON.parse(Buffer.concat(await request.toArray()).toString());
    received.push({ [message.method]: message.params });
    const info = { protocol: 1, implementation: { name: "x", version: "1" }, facts };
    const usual = { initialize: info, start: { service: "s", baseUrl: "/ignored" }, advance: { nowMs: 12 } };
    const result = usual[message.method as keyof typeof usual] ?? {};
    const { httpStatus = 200, ...answer } = (respond(message) ?? { result }) as { httpStatus?: number };
    response.statusCode = httpStatus;
    response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer }));
  };
  const url = await listen(context, createServer(listener));
  return { received, adapter: await open(context, `${url}/base/`, { controlUrl: `${url}/control` }) };
}

test("a control URL starts services and moves their clock", async (context) => {
  const { adapter, received } = await openControlled(context, () => undefined);
  const service = await adapter.start(5);
  await service.advance(7);
  assert.equal(service.nowMs, 12);
  assert.deepEqual(await service.handle(PROBE), { status: 200, body: { path: "/base/v1/platform" } });
  await adapter.start(9);
  await adapter.close();
  assert.deepEqual(received, [
    { initialize: { protocol: 1, contract: "partner-preview-1" } },
    { start: { nowMs: 5 } },
    { advance: { ms: 7, service: "s" } },
    { start: { nowMs: 9, service: "s" } },
    { shutdown: {} },
  ]);
});

describe("a control URL that breaks the protocol", () => {
  for (const [answer, reason] of [
    [{ id: 9, result: {} }, "answered request 9, not 2"],
    [
      { id: null, error: { code: -32602, message: "no\u001b[2J" }, httpStatus: 400 },
      "answered with JSON-RPC error -32602: no\\u{1b}[2J",
    ],
    [{ httpStatus: 404 }, 'answered with status 404: {"jsonrpc":"2.0","id":2}; expected 200'],
    [
      {},
      "answered with an invalid message: expected a result or an error in the answer, got " +
        '{"jsonrpc":"2.0","id":2}',
    ],
  ] as const)
    test(reason, async (context) => {
      const { adapter } = await openControlled(context, ({ method }) =>
        method === "start" ? answer : undefined,
      );
      assert.equal(await messageOf(adapter.start(0)), `start: the control URL ${reason}`);
    });
});
