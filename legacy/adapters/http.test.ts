import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { generate } from "selfsigned";
import { moduleFile } from "../testing/adapters/module-file.ts";
import { SERVED } from "../testing/adapters/served-contract.ts";
import { type HttpOptions, httpAdapter } from "./http.ts";

const GET = { method: "GET", path: "/v1/platform" };
const facts = { metadataHosts: ["a.example", "b.example"] };

async function portOf(context: TestContext, server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function connected(context: TestContext, options: HttpOptions) {
  const adapter = httpAdapter({ facts, ...options });
  context.after(() => adapter.close());
  return adapter.connect(SERVED);
}

/** A connection to a server that answers the probe with `{}`, and everything after it by `listener`. */
async function toServer(context: TestContext, listener: RequestListener, options: Partial<HttpOptions> = {}) {
  let probed = false;
  const server = createHttpServer((request, response) => {
    if (probed) return listener(request, response);
    probed = true;
    return response.end("{}");
  });
  const url = `http://127.0.0.1:${await portOf(context, server)}${options.url ?? ""}`;
  return connected(context, { ...options, url });
}

/** A connection to a bare socket server that answers the probe, and then hands each new request's first bytes on. */
async function toSocket(
  context: TestContext,
  onRequest: (socket: Socket) => void,
  options: Partial<HttpOptions> = {},
) {
  let probed = false;
  const server = createTcpServer((socket) => {
    context.after(() => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.once("data", () => {
      if (probed) return onRequest(socket);
      probed = true;
      return socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
    });
  });
  return connected(context, { ...options, url: `http://127.0.0.1:${await portOf(context, server)}` });
}

test("a call is an exchange below the base path, and its answer an envelope", async (context) => {
  const connection = await toServer(
    context,
    async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      response.statusCode = 201;
      response.end(
        JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }),
      );
    },
    { url: "/base/" },
  );
  await connection.start(0);
  const call = {
    method: "POST",
    path: "/v1/launch/build",
    body: '{ "ü": 1}',
    bearer: "t",
    idempotencyKey: "key-0001",
  };
  const { status, body } = (await connection.handle(call)) as {
    status: number;
    body: Record<string, unknown>;
  };
  const { connection: _, host: __, ...headers } = body["headers"] as Record<string, string>;
  assert.equal(status, 201);
  assert.deepEqual(
    { ...body, headers },
    {
      method: "POST",
      url: "/base/v1/launch/build",
      body: '{ "ü": 1}',
      headers: {
        accept: "application/json",
        authorization: "Bearer t",
        "content-length": "10",
        "content-type": "application/json",
        "idempotency-key": "key-0001",
      },
    },
  );
});

test("who answers is known from the options, on a real clock", async (context) => {
  const connection = await toServer(context, (_, response) => response.end());
  assert.deepEqual(connection.info.capabilities, {
    clock: "real",
    restart: false,
    rawBody: true,
    concurrency: true,
  });
  assert.deepEqual(connection.info.facts, { ...facts, signedBytes: "utf8", capacity: {} });
  await connection.start(0);
  const message = "advance: without a control URL the service runs on a real clock";
  await assert.rejects(connection.advance(1), { name: "AdapterFault", message, fatal: false });
});

for (const [what, answer, body] of [
  ["HTML", "<html>not found</html>", "<html>not found</html>"],
  ["nothing", "", ""],
  ["a long text", "x".repeat(100_000), "x".repeat(2_000)],
  ["JSON in Latin-1", Buffer.from('"\xe9"', "latin1"), '"\ufffd"'],
] as const) {
  test(`an answer that is ${what} is passed on as text, to be judged`, async (context) => {
    const connection = await toServer(context, (_, response) => {
      response.statusCode = 404;
      response.end(answer);
    });
    assert.deepEqual(await connection.handle(GET), { status: 404, body });
  });
}

test("a redirect is an answer, not a way", async (context) => {
  const connection = await toServer(context, (_, response) => {
    response.writeHead(302, { location: "/elsewhere" }).end("{}");
  });
  assert.deepEqual(await connection.handle(GET), { status: 302, body: {} });
});

test("connections are kept from one call to the next", async (context) => {
  const ports = new Set<number | undefined>();
  const connection = await toServer(context, (request, response) => {
    ports.add(request.socket.remotePort);
    response.end("{}");
  });
  for (let count = 0; count < 20; count += 1) await connection.handle(GET);
  // Two rather than one: a call may begin while the one before is still handing its connection back.
  assert.ok(ports.size <= 2);
});

test("calls sent together are in flight together", async (context) => {
  const waiting: (() => void)[] = [];
  const connection = await toServer(context, (_, response) => {
    waiting.push(() => response.end("{}"));
    if (waiting.length === 20) for (const answer of waiting) answer();
  });
  const answers = await Promise.all(Array.from({ length: 20 }, () => connection.handle(GET)));
  assert.equal(answers.length, 20);
});

test("a header arrives byte for byte, whatever the body is", async (context) => {
  const connection = await toServer(context, async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    response.end(
      JSON.stringify([request.headers.authorization, request.headers["content-length"], `${body}`]),
    );
  });
  for (const [body, bytes] of [
    ['{"a":1}', "7"],
    ['{"ü":1}', "8"],
  ] as const) {
    const call = { method: "POST", path: "/v1/launch/build", body, bearer: "b\xe9arer" };
    const answer = (await connection.handle(call)) as { readonly body: unknown };
    assert.deepEqual(answer.body, ["Bearer b\xe9arer", bytes, body]);
  }
});

test("a large body arrives whole", async (context) => {
  const connection = await toServer(context, async (request, response) => {
    response.end(String(Buffer.concat(await request.toArray()).length));
  });
  const answer = await connection.handle({ method: "POST", path: "/x", body: "x".repeat(3_000_000) });
  assert.deepEqual(answer, { status: 200, body: 3_000_000 });
});

for (const size of [17_000, 1_000_000, 8_000_000]) {
  test(`a 413 sent before ${size} bytes are read is an answer, not a broken pipe`, async (context) => {
    const connection = await toSocket(context, (socket) => {
      const body = '{"code":"BODY_TOO_LARGE","productionApproved":false}';
      socket.pause();
      socket.write(
        `HTTP/1.1 413 X\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        () => socket.resetAndDestroy(),
      );
    });
    assert.deepEqual(
      await connection.handle({ method: "POST", path: "/v1/auth/verify", body: "x".repeat(size) }),
      {
        status: 413,
        body: { code: "BODY_TOO_LARGE", productionApproved: false },
      },
    );
  });
}

for (const [what, interim] of [
  ["100 Continue", "HTTP/1.1 100 Continue\r\n\r\n"],
  [
    "several interim answers",
    "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n",
  ],
] as const) {
  test(`${what} that nobody asked for comes before the answer, and is none`, async (context) => {
    const connection = await toSocket(context, (socket) =>
      socket.end(`${interim}HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`),
    );
    assert.deepEqual(await connection.handle(GET), { status: 200, body: {} });
  });
}

test("a status that is none is an answer to be judged", async (context) => {
  const connection = await toSocket(context, (socket) =>
    socket.end("HTTP/1.1 000 No\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"),
  );
  assert.deepEqual(await connection.handle(GET), { status: 0, body: {} });
});

for (const [what, onRequest, message] of [
  [
    "is closed without an answer",
    (socket: Socket) => socket.end(),
    "the connection was closed before the answer was whole",
  ],
  [
    "is closed in the middle of an answer",
    (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a"'),
    "the connection was closed before the answer was whole",
  ],
  [
    "is reset in the middle of an answer",
    (socket: Socket) =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", () => socket.resetAndDestroy()),
    "the connection was closed before the answer was whole",
  ],
  [
    "carries no HTTP",
    (socket: Socket) => socket.end("hello\r\n\r\n"),
    /^GET \/v1\/platform: what was answered is no HTTP: Parse Error: /,
  ],
  ["stays silent", () => undefined, "no answer within 0.3 s"],
  [
    "stays silent in the middle of an answer",
    (socket: Socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"),
    "no answer within 0.3 s",
  ],
  [
    "carries an endless answer",
    (socket: Socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n${"x".repeat(9_000_000)}`),
    "the answer is larger than 8 MiB",
  ],
] as const) {
  test(`a connection that ${what} is a fault, not a fatal one`, async (context) => {
    const connection = await toSocket(context, onRequest, {
      timeoutMs: what.includes("silent") ? 300 : 5_000,
    });
    await assert.rejects(connection.handle(GET), {
      name: "AdapterFault",
      fatal: false,
      message: typeof message === "string" ? `GET /v1/platform: ${message}` : message,
    });
  });
}

test("a server that is not there is a fatal fault", async (context) => {
  const server = createTcpServer();
  const port = await portOf(context, server);
  server.close();
  await once(server, "close");
  await assert.rejects(httpAdapter({ url: `http://127.0.0.1:${port}`, facts }).connect(SERVED), {
    name: "AdapterFault",
    fatal: true,
    message: `http://127.0.0.1:${port} cannot be reached: GET /counter: connect ECONNREFUSED 127.0.0.1:${port}`,
  });
});

test("without facts the fault says how to give them", async (context) => {
  const server = createHttpServer((_, response) => response.end("{}"));
  const url = `http://127.0.0.1:${await portOf(context, server)}`;
  await assert.rejects(httpAdapter({ url }).connect(SERVED), {
    fatal: true,
    message: "the two metadata hosts of the service are not known; give --metadata-hosts or --facts FILE",
  });
  await assert.rejects(httpAdapter({ url, facts: { metadataHosts: ["a"] } }).connect(SERVED), {
    message: 'facts: facts.metadataHosts must be two strings, not ["a"]',
  });
});

for (const [url, why] of [
  ["localhost:8080", "must begin with http:// or https://"],
  ["8080", "not a URL; expected one such as http://127.0.0.1:8080"],
  ["ftp://a.example", "must begin with http:// or https://"],
  ["http://u:p@a.example", "must not carry credentials"],
  ["http://a.example/?x", "must not carry a query or a fragment"],
] as const) {
  test(`URL ${url} is refused`, async () => {
    await assert.rejects(httpAdapter({ url, facts }).connect(SERVED), {
      fatal: true,
      message: `URL ${url}: ${why}`,
    });
  });
}

test("over TLS the server's certificate counts", async (context) => {
  const { cert, private: key } = await generate([{ name: "commonName", value: "127.0.0.1" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });
  const server = createHttpsServer({ cert, key }, (_, response) => response.end('{"a":1}'));
  const url = `https://127.0.0.1:${await portOf(context, server)}`;
  const caFile = moduleFile(context, "ca.pem", cert);

  await assert.rejects(connected(context, { url }), {
    message: /^https:.* cannot be reached: GET \/counter: self-signed certificate/,
  });
  for (const trust of [{ caFile }, { allowSelfSigned: true }]) {
    const connection = await connected(context, { url, ...trust });
    assert.deepEqual(await connection.handle(GET), { status: 200, body: { a: 1 } });
  }
  await assert.rejects(connected(context, { url: "https://a.example", allowSelfSigned: true }), {
    message:
      "https://a.example: any certificate is trusted on this machine only; name a file of certificates instead",
  });
  await assert.rejects(connected(context, { url, caFile: "nowhere.pem" }), {
    message: /^certificates: ENOENT: /,
  });
});
