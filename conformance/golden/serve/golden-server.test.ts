import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { keyPairFrom } from "../../contract/keys/key-pair.ts";
import { exchangeAt, fixtureNamed, golden } from "../../testing/golden/kit-fixtures.ts";
import { send } from "../../testing/golden/send.ts";
import { exchangesOf, type HttpHeader } from "../fixture.ts";
import { type GoldenServer, serveGolden } from "./golden-server.ts";

let server: GoldenServer;
before(async () => {
  server = await serveGolden(golden.fixtures, { host: "127.0.0.1", port: 0 });
});
after(() => server.close());

function choosing(value: string): readonly HttpHeader[] {
  return [{ name: "X-Golden-Fixture", value }];
}

async function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers
  const json: any = await answer.json();
  return { status: answer.status, fixture: answer.headers.get("x-golden-fixture"), json };
}

test("every exchange of every fixture is answered to the byte where the fixture is chosen", async () => {
  for (const fixture of golden.fixtures) {
    for (const { step, http } of exchangesOf(fixture)) {
      const answer = await send(server.url, http.request, choosing(fixture.name));
      const where = `${fixture.name}; step=${step}`;
      assert.equal(answer.headers["x-golden-fixture"], where);
      assert.equal(answer.status, http.response.status, where);
      assert.equal(answer.body, http.response.body, where);
      for (const { name, value } of http.response.headers) assert.equal(answer.headers[name], value, where);
    }
  }
});

test("a client that signs with a published key walks the happy path, and no header is needed", async () => {
  const { keys } = fixtureNamed("happy-path");
  const [alice, mint] = [keys["alice"], keys["mint 0"]];
  assert.ok(alice && mint);
  const profile = await fetch(`${server.url}/v1/platform`);
  assert.equal(profile.headers.get("x-golden-fixture"), "happy-path; step=1");
  const { termsHash } = (await profile.json()) as { termsHash: string };
  const challenge = await post("/v1/auth/challenge", { termsHash, creator: alice.publicKey });
  assert.equal(challenge.fixture, "happy-path; step=2");
  const { id, message } = challenge.json;
  const signature = keyPairFrom(Buffer.from(alice.privateKeyHex, "hex")).sign(Buffer.from(message));
  const signatureBase64 = Buffer.from(signature).toString("base64");
  const session = await post("/v1/auth/verify", { id, signatureBase64 });
  assert.equal(session.fixture, "happy-path; step=3");
  const { uri, name, symbol } = JSON.parse(exchangeAt("happy-path", 4).request.body ?? "");
  const draft = await post(
    "/v1/launch/build",
    { uri, symbol, name, mint: mint.publicKey, creator: alice.publicKey },
    { authorization: `bearer ${session.json.bearer}`, "idempotency-key": "demo-key-0001" },
  );
  assert.equal(draft.fixture, "happy-path; step=4");
  assert.deepEqual(draft.json.requiredSigners, [alice.publicKey, mint.publicKey]);
});

test("the same request is answered for what came before it: a replay, then the spent minute", async () => {
  const statuses: (string | number)[] = [];
  for (const { http } of exchangesOf(fixtureNamed("rate-limit")).slice(0, 10)) {
    const answer = await send(server.url, http.request);
    statuses.push(answer.status);
    assert.equal(answer.body, http.response.body);
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 200, 200, 429, 200]);
});

test("a used challenge is refused the second time, and used again where the client begins anew", async () => {
  const [, , verify] = exchangesOf(fixtureNamed("used-challenge"));
  assert.ok(verify);
  const statuses = [];
  for (const _ of [1, 2]) {
    for (const { http } of exchangesOf(fixtureNamed("used-challenge"))) {
      statuses.push((await send(server.url, http.request)).status);
    }
  }
  assert.deepEqual(statuses, [200, 200, 200, 401, 200, 200, 200, 401]);
});

test("what only happens later is reached by naming the fixture, and its step", async () => {
  const { http } = exchangeAt("rebuild-with-new-key", 6);
  assert.equal((await send(server.url, http.request, choosing("rebuild-with-new-key; step=6"))).status, 409);
  const { body } = await send(server.url, http.request, choosing("rebuild-with-new-key; step=5"));
  assert.match(body, /no golden fixture named rebuild-with-new-key has this request/);
});

test("a body that is too large is not taken for the same body without its padding", async () => {
  const [, large] = exchangesOf(fixtureNamed("body-too-large"));
  assert.ok(large);
  assert.equal((await send(server.url, large.http.request)).status, 413);
});

test("a request that no fixture has is 404 with the nearest exchange and every difference", async () => {
  const body = { ...JSON.parse(exchangeAt("happy-path", 2).request.body ?? ""), termsHash: "0", extra: [1] };
  const { status, fixture, json } = await post("/v1/auth/challenge", body);
  assert.equal(status, 404);
  assert.equal(fixture, "none");
  assert.equal(json.error, "no golden fixture has this request");
  assert.deepEqual(Object.keys(json.nearest), ["fixture", "step", "title", "differences"]);
  const { termsHash } = JSON.parse(exchangeAt(json.nearest.fixture, json.nearest.step).request.body ?? "");
  assert.deepEqual(json.nearest.differences, [
    `body.termsHash: sent "0", the fixture has ${JSON.stringify(termsHash)}`,
    "body.extra: sent [1], the fixture has none",
  ]);
});

test("the nearest exchange is the one that goes on with what the client did", async () => {
  const [profile, challenge] = exchangesOf(fixtureNamed("happy-path"));
  assert.ok(profile && challenge);
  await send(server.url, profile.http.request);
  await send(server.url, challenge.http.request);
  const { json } = await post("/v1/auth/verify", {
    id: challenge.response.body["id"],
    signatureBase64: "bad",
  });
  assert.equal(json.nearest.fixture, "happy-path");
  assert.equal(json.nearest.step, 3);
  assert.match(json.nearest.differences.join(), /^body\.signatureBase64: sent "bad", the fixture has "/);
});

test("headers, method and path that keep a request from its fixture are named", async () => {
  const { http } = exchangeAt("happy-path", 4);
  const headers = http.request.headers.filter(({ name }) => name !== "authorization");
  const noBearer = await send(server.url, { ...http.request, headers }, choosing("happy-path"));
  assert.match(noBearer.body, /Authorization: Bearer: sent none, the fixture has \\"/);
  const put = await send(server.url, { ...http.request, method: "PUT" }, choosing("happy-path"));
  assert.match(put.body, /method: sent \\"PUT\\", the fixture has \\"POST\\"/);
  const path = await send(server.url, { ...http.request, path: "/v2/launch/build" }, choosing("happy-path"));
  assert.match(path.body, /path: sent \\"\/v2\/launch\/build\\"/);
});

test("a fixture that does not exist is told with a guess", async () => {
  const { http } = exchangeAt("happy-path", 1);
  const { status, body } = await send(server.url, http.request, choosing("hapy-path"));
  assert.equal(status, 404);
  assert.equal(JSON.parse(body).error, 'there is no fixture "hapy-path" (did you mean "happy-path"?)');
  assert.equal((await send(server.url, http.request, choosing(";;; step"))).status, 404);
});

test("a body larger than any recorded one is refused before it is read whole", async () => {
  const { status, json } = await post("/v1/auth/challenge", " ".repeat(1_000_000));
  assert.equal(status, 413);
  assert.equal(json.error, "no fixture has a body of more than 65536 bytes");
});

test("garbage and clients that leave in the middle of a body do no harm", async () => {
  const { port } = new URL(server.url);
  for (const text of [
    "GARBAGE\r\n\r\n",
    `POST /v1/auth/verify HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-length: 100\r\n\r\n{`,
    "GET /\u0001 HTTP/1.1\r\n\r\n",
  ]) {
    const socket = connect(Number(port), "127.0.0.1");
    await once(socket, "connect");
    socket.on("error", () => undefined);
    socket.end(text);
    socket.resume();
    await once(socket, "close");
  }
  assert.equal((await fetch(`${server.url}/v1/platform`)).status, 200);
});

test("a page whose name leads here by rebinding gets no answer", async () => {
  const { port } = new URL(server.url);
  const statusFor = async (host: string) => {
    const { http } = exchangeAt("happy-path", 1);
    return (await send(server.url, http.request, [{ name: "host", value: host }])).status;
  };
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
    assert.equal(await statusFor(host), 200, host);
  for (const host of [`evil.example:${port}`, "localhost", `localhost.evil.example:${port}`])
    assert.equal(await statusFor(host), 421, host);
});

test("answers can be had side by side", async () => {
  const exchanges = golden.fixtures.flatMap((fixture) =>
    exchangesOf(fixture).map((exchange) => ({
      ...exchange,
      where: `${fixture.name}; step=${exchange.step}`,
    })),
  );
  const answers = await Promise.all(
    exchanges.map(async ({ http, where }) => (await send(server.url, http.request, choosing(where))).body),
  );
  assert.deepEqual(
    answers,
    exchanges.map(({ http }) => http.response.body),
  );
});
