import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import type { ClientRequest, StagedAnswer } from "../engine/client/trace.ts";
import { httpSites } from "./http-sites.ts";

/** A site that answers so, and what it was asked. */
async function siteOf(context: TestContext, answer: (request: ClientRequest) => Promise<StagedAnswer>) {
  const sites = httpSites();
  context.after(() => sites.close());
  const asked: ClientRequest[] = [];
  const url = await sites.open(async (request) => {
    asked.push(request);
    return answer(request);
  });
  return { url, asked };
}

const ANSWER: StagedAnswer = {
  kind: "answer",
  status: 201,
  headers: [
    ["x-more", "one"],
    ["x-more", "two"],
    ["Content-Type", "application/json; charset=utf-8"],
  ],
  text: '{ "é": 1 }',
  body: { é: 1 },
};

test("a request is taken as it was sent, and its answer goes out as it is", async (context) => {
  const { url, asked } = await siteOf(context, async () => ANSWER);
  const response = await fetch(`${url}/a%20b?c=d`, { method: "PUT", body: "ü", headers: { "X-One": "1" } });
  assert.equal(response.status, 201);
  assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(response.headers.get("x-more"), "one, two");
  assert.equal(await response.text(), '{ "é": 1 }');
  const [request] = asked;
  assert.equal(request?.method, "PUT");
  assert.equal(request?.target, "/a%20b?c=d");
  assert.deepEqual(
    request?.headers.filter(([name]) => name === "x-one"),
    [["x-one", "1"]],
  );
  assert.equal(Buffer.from(request?.body ?? []).toString(), "ü");
});

test("an answer in pieces is cut within its characters, and is whole", async (context) => {
  const { url } = await siteOf(context, async () => ({
    ...ANSWER,
    headers: [["transfer-encoding", "chunked"]],
  }));
  const pieces: Buffer[] = [];
  await new Promise<void>((resolve) => {
    httpRequest(url, (response) => {
      assert.equal(response.headers["content-length"], undefined);
      response.on("data", (piece) => pieces.push(piece)).on("end", resolve);
    }).end();
  });
  assert.equal(Buffer.concat(pieces).toString(), '{ "é": 1 }');
  assert.notEqual(pieces.map((piece) => piece.toString()).join(""), '{ "é": 1 }');
});

test("who speaks HTTP/1.0 gets no chunks, and a target may be a whole address", async (context) => {
  const { url, asked } = await siteOf(context, async () => ({
    ...ANSWER,
    headers: [["transfer-encoding", "chunked"]],
  }));
  const { host, port } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(`GET http://${host}/a?b=http://c/d HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
  const heard = await text(socket);
  assert.equal(heard.slice(heard.indexOf("\r\n\r\n") + 4), '{ "é": 1 }');
  assert.doesNotMatch(heard, /transfer-encoding/i);
  assert.equal(asked[0]?.target, "/a?b=http://c/d");
});

test("a header that is sent twice stands twice, and an empty body is none", async (context) => {
  const { url, asked } = await siteOf(context, async () => ANSWER);
  await new Promise<void>((resolve) => {
    httpRequest(url, { headers: { "idempotency-key": ["one", "two"] } }, (response) => {
      response.resume().on("end", resolve);
    }).end();
  });
  assert.deepEqual(
    asked[0]?.headers.filter(([name]) => name === "idempotency-key").map(([, value]) => value),
    ["one", "two"],
  );
  assert.equal(asked[0]?.body, undefined);
});

test("a lost answer closes the connection, as does a request that nobody answers", async (context) => {
  const { url } = await siteOf(context, async ({ target }) => {
    if (target === "/nobody") throw new Error("nobody is there");
    return { kind: "lost" };
  });
  await assert.rejects(fetch(`${url}/lost`));
  await assert.rejects(fetch(`${url}/nobody`));
});

test("what is no HTTP is refused, and the next is served", async (context) => {
  const { url, asked } = await siteOf(context, async () => ANSWER);
  const { port } = new URL(url);
  const heard = await new Promise<string>((resolve) => {
    let text = "";
    const socket = connect(Number(port), "127.0.0.1", () => socket.write("garbage\r\n\r\n"));
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
  });
  assert.match(heard, /^HTTP\/1\.1 400 /);
  assert.equal(asked.length, 0);
  assert.equal((await fetch(url)).status, 201);
});

test("each site has an address of its own", async (context) => {
  const sites = httpSites();
  context.after(() => sites.close());
  const urls = await Promise.all([1, 2, 3].map(() => sites.open(async () => ANSWER)));
  assert.equal(new Set(urls).size, 3);
});
