import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { runCli } from "../testing/run-cli.ts";

const PAGE = `<!doctype html><html><body>${"<p>It works!</p>".repeat(500)}</body></html>`;

/** To see whether anybody answers, what clock they have, who they are, and the one vector that says so. */
const MOST_REQUESTS = 10;

/** Runs the whole kit over HTTP on a server that knows nothing of the contract; gives the report's lines. */
async function linesAgainst(context: TestContext, listener: RequestListener): Promise<readonly string[]> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    listener(request, response);
  }).listen({ port: 0, host: "127.0.0.1" });
  context.after(() => server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { status, stdout, stderr } = await runCli([
    "--url",
    url,
    "--metadata-hosts",
    "a.example",
    "b.example",
  ]);
  assert.equal(status, 1, stderr);
  assert.equal(stderr, "");
  assert.ok(asked.length <= MOST_REQUESTS, `${asked.length} requests: ${asked.slice(0, 20).join()}`);
  return stdout.split("\n");
}

/** What a reader needs: what was asked, what came, and why nothing else was tried; not hundreds of pages. */
function assertReadable(lines: readonly string[], status: number): void {
  const text = lines.join("\n");
  assert.ok(lines.length < 60, `${lines.length} lines`);
  assert.ok(text.length < 8_000, `${text.length} characters`);
  assert.match(text, /^ {2}sent {6}GET \/v1\/platform /m);
  assert.match(text, new RegExp(`^ {2}got {7}${status} .*<!doctype html>`, "m"));
  assert.match(
    text,
    new RegExp(
      `^skipped {2}not tried: what answers is not the service: GET /v1/platform gave ${status} `,
      "m",
    ),
  );
  assert.match(text, /^does not conform: /m);
}

test("a web server that has none of the routes ends the run at once", async (context) => {
  const lines = await linesAgainst(context, (_, response) => {
    response.writeHead(404, { "content-type": "text/html" }).end(PAGE);
  });
  assertReadable(lines, 404);
});

test("a web server that has a page for everything ends the run at once", async (context) => {
  const lines = await linesAgainst(context, (_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
  });
  assertReadable(lines, 200);
});
