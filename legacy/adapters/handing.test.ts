import assert from "node:assert/strict";
import { test } from "node:test";
import { type Handing, NotTransportable } from "./adapter.ts";
import { httpRequest } from "./http-request.ts";
import { inProcessAdapter, type ServiceCall } from "./in-process.ts";

const REQUEST = { method: "POST", path: "/build", body: "{}", bearer: "token", idempotencyKey: "12345678" };

/** A service that answers what `handle` gives, and what it was handed, in order. */
async function connect(handle: (call: ServiceCall) => unknown) {
  const handed: ServiceCall[] = [];
  const createService = () => ({
    handle(call: ServiceCall) {
      handed.push(call);
      return handle(call);
    },
  });
  const facts = { metadataHosts: ["a.example", "b.example"] };
  const connection = await inProcessAdapter({ createService, facts }, { name: "handed" }).connect();
  await connection.start(0);
  return { connection, handed };
}

test("a bare call has the members of its request and no others", async () => {
  const { connection, handed } = await connect(() => ({}));
  await connection.handle({ method: "GET", path: "/platform", handed: "bare" });
  assert.deepEqual(Object.keys(handed[0] ?? {}), ["method", "path"]);
  await connection.handle({ method: "GET", path: "/platform" });
  assert.equal(Object.keys(handed[1] ?? {}).length, 5);
});

test("a key or bearer is handed over as what it is not, and gives the same text where it can", async () => {
  const { connection, handed } = await connect(() => ({}));
  const over = async (way: Handing) => {
    await connection.handle({ ...REQUEST, handed: way });
    return handed.at(-1);
  };
  assert.deepEqual((await over("key-in-list"))?.idempotencyKey, ["12345678"]);
  assert.equal((await over("key-as-number"))?.idempotencyKey, 12_345_678);
  assert.equal((await over("key-as-null"))?.idempotencyKey, null);
  const key: unknown = (await over("key-as-object"))?.idempotencyKey;
  assert.deepEqual([typeof key, String(key)], ["object", "12345678"]);
  assert.deepEqual((await over("bearer-in-list"))?.bearer, ["token"]);
  assert.equal(typeof (await over("bearer-as-number"))?.bearer, "number");
  assert.equal((await over("bearer-as-null"))?.bearer, null);
  assert.equal(String((await over("bearer-as-object"))?.bearer), "token");
});

test("one object stays as the service left it for the same request, and is written anew for another", async () => {
  const seen: unknown[] = [];
  const { connection, handed } = await connect((call) => {
    seen.push(call.body);
    (call as { body: unknown }).body = "parsed";
    return {};
  });
  for (const body of ["{}", "{}", "[]"]) await connection.handle({ ...REQUEST, body, handed: "one-object" });
  assert.deepEqual(seen, ["{}", "parsed", "[]"]);
  assert.equal(new Set(handed).size, 1);
});

test("a kept answer is given once more as it is by then", async () => {
  const answer = { status: 200, body: { count: 0 } };
  const { connection } = await connect(() => {
    answer.body.count += 1;
    return answer;
  });
  assert.deepEqual(await connection.handle({ ...REQUEST, handed: "kept" }), {
    status: 200,
    body: { count: 1 },
  });
  assert.deepEqual(await connection.handle({ ...REQUEST, handed: "as-kept" }), {
    status: 200,
    body: { count: 2 },
  });
});

test("what only one way to reach a service can carry is not carried by another", async () => {
  const { connection } = await connect(() => ({}));
  for (const only of [{ authorization: "Basic x" }, { chunked: true }])
    await assert.rejects(connection.handle({ ...REQUEST, ...only }), NotTransportable);
  assert.throws(() => httpRequest({ ...REQUEST, handed: "bare" }, ""), NotTransportable);
});
