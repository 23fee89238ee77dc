/** What the kit says of services over HTTP that differ from the reference in what stands in front of it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { type Envelope, reference } from "../testing/reference.ts";
import { runCli } from "../testing/run-cli.ts";

/** Answers by itself and gives true, or leaves a request to the service. */
type Front = (request: IncomingMessage, response: ServerResponse, body: Buffer) => boolean;

/** How a service reads a request, where it does so wrongly. */
interface Reading {
  readonly bearer?: (header: string) => string;
  readonly body?: (body: Buffer, request: IncomingMessage) => Buffer;
}

const NOTHING: Front = () => false;
const bearerOf = (header: string) => /^Bearer +(.*)$/i.exec(header)?.[1];

/** Runs the named vectors against the reference behind a server of its own. */
async function judge(context: TestContext, only: readonly string[], front: Front, reading: Reading = {}) {
  const capacity = { challenges: 5_000, sessions: 5_000, drafts: 5_000 };
  const service = await reference.createService({ now: () => Date.now(), capacity } as never);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const sent = Buffer.concat(chunks);
    if (front(request, response, sent)) return;
    const { authorization, "idempotency-key": key } = request.headers;
    const body = reading.body?.(sent, request) ?? sent;
    const answer = (await service.handle({
      method: request.method ?? "",
      path: request.url ?? "",
      body: body.length === 0 ? undefined : body.toString(),
      bearer: authorization === undefined ? undefined : (reading.bearer ?? bearerOf)(authorization),
      idempotencyKey: key === undefined ? undefined : String(key),
    })) as Envelope;
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer.body));
  }).listen({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { metadataHosts } = reference.facts as { readonly metadataHosts: readonly string[] };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const way = ["--url", url, "--metadata-hosts", ...metadataHosts];
  const { stdout, stderr } = await runCli([...way, "--reporter", "json", "--runs", "2", "--only", ...only]);
  assert.equal(stderr, "");
  const { results, advice }: Seen = JSON.parse(stdout);
  const failed = results.filter(({ outcome }) => outcome === "failed" || outcome === "error");
  assert.ok(results.some(({ outcome }) => outcome !== "skipped"));
  return { failed: failed.map(({ id }) => id), advice: advice.map(({ rule }) => rule) };
}

interface Seen {
  readonly results: readonly { readonly id: string; readonly outcome: string }[];
  readonly advice: readonly { readonly rule: string }[];
}

const OPERATIONS = new Set([
  "GET /v1/platform",
  "POST /v1/auth/challenge",
  "POST /v1/auth/verify",
  "POST /v1/launch/build",
]);
const WHERE_NO_OPERATION_IS = [
  "routes/unknown-path",
  "routes/root-path",
  "routes/wrong-method-*",
  "routes/trailing-slash",
  "routes/path-without-version",
  "no-execution/other-shapes",
  "property/universal",
];
const EXECUTION = /sign|send|buy|claim|pay/i;
const PAGE = "<!doctype html><title>Not here</title>";

/** What frameworks answer where they know no route. */
const FRAMEWORKS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "a page with status 404": (response) => response.writeHead(404, { "content-type": "text/html" }).end(PAGE),
  "405 and nothing else": (response) => response.writeHead(405, { allow: "GET" }).end(),
  "JSON of its own": (response) =>
    response.writeHead(404, { "content-type": "application/json" }).end('{"detail":"Not Found"}'),
  "a redirect": (response) => response.writeHead(308, { location: "/v1/platform" }).end(),
  "501 in plain text": (response) => response.writeHead(501).end("Not Implemented"),
};

for (const [what, respond] of Object.entries(FRAMEWORKS)) {
  test(`where no operation is, the server may answer ${what}`, async (context) => {
    const { failed, advice } = await judge(context, WHERE_NO_OPERATION_IS, (request, response) => {
      if (OPERATIONS.has(`${request.method} ${request.url}`) || EXECUTION.test(request.url ?? ""))
        return false;
      respond(response);
      return true;
    });
    assert.deepEqual(failed, []);
    assert.ok(advice.includes("ERROR-40"));
  });
}

test("a route that would execute something is refused by the service, and not by its framework", async (context) => {
  const { failed } = await judge(context, ["no-execution/signs/sign"], (request, response) => {
    if (!/sign/.test(request.url ?? "")) return false;
    response.writeHead(404, { "content-type": "text/html" }).end(PAGE);
    return true;
  });
  assert.deepEqual(failed, ["no-execution/signs/sign"]);
});

test("a server that has a page for every path has no right to status 200, nor to 500", async (context) => {
  for (const status of [200, 500]) {
    const { failed } = await judge(context, ["routes/unknown-path/word"], (request, response) => {
      if (!request.url?.endsWith("/nothing")) return false;
      response.writeHead(status, { "content-type": "text/html" }).end(PAGE);
      return true;
    });
    assert.deepEqual(failed, ["routes/unknown-path/word"]);
  }
});

test("a server that refuses a GET with a body by itself is advised, and one that does so to any GET fails", async (context) => {
  const only = ["platform/fixed-whatever-a-body-asks", "routes/stray-body-for-the-profile"];
  const refuse = (response: ServerResponse) => {
    response.writeHead(400, { "content-type": "text/html" }).end(PAGE);
    return true;
  };
  const withBody = await judge(context, only, ({ method }, response, body) =>
    method === "GET" && body.length > 0 ? refuse(response) : false,
  );
  assert.deepEqual([withBody.failed, withBody.advice.includes("ERROR-40")], [[], true]);
  const any = await judge(context, ["platform/same-twice"], ({ method }, response) =>
    method === "GET" ? refuse(response) : false,
  );
  assert.notDeepEqual(any.failed, []);
});

test("a proxy's page on an operation is a failure, whatever its status", async (context) => {
  const { failed } = await judge(context, ["over-http/chunked", "body-size"], (_, response, body) => {
    if (body.length <= 16_384) return false;
    response.writeHead(413, { "content-type": "text/html" }).end(PAGE);
    return true;
  });
  assert.ok(failed.includes("over-http/chunked"));
});

test("a service that takes any scheme for Bearer is told", async (context) => {
  const anyScheme = (header: string) => header.split(" ").at(-1) ?? "";
  const { failed } = await judge(context, ["over-http"], NOTHING, { bearer: anyScheme });
  const schemes = failed.filter((id) => id.startsWith("over-http/another-scheme/"));
  assert.ok(schemes.length >= 8, failed.join());
});

test("a service that measures bodies by their stated length alone is told", async (context) => {
  const cutChunked = (body: Buffer, { headers }: IncomingMessage) =>
    headers["content-length"] === undefined ? Buffer.from(body.toString().replace(/\s/g, "")) : body;
  const { failed } = await judge(context, ["over-http", "body-size"], NOTHING, { body: cutChunked });
  assert.deepEqual(failed, ["over-http/chunked", "over-http/chunked-and-large"]);
});

test("a server that a chunked body brings down is told", async (context) => {
  const { failed } = await judge(context, ["over-http/chunked-and-large"], (request, response, body) => {
    if (body.length < 50_000) return false;
    response.destroy();
    return request.headers["transfer-encoding"] === "chunked";
  });
  assert.deepEqual(failed, ["over-http/chunked-and-large"]);
});
