import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcessAdapter } from "../../adapters/in-process.ts";
import { contract } from "../../testing/contract-data.ts";
import { reference } from "../../testing/reference.ts";
import { runWith, suitesOf } from "../../testing/run-vectors.ts";
import { setStage } from "./stage.ts";

/** A service that gives everything the same answer. */
function answeringAll(envelope: unknown) {
  return { ...reference, createService: () => ({ handle: () => envelope }) };
}

async function identityOf(service: typeof reference): Promise<string | undefined> {
  const connection = await inProcessAdapter(service, { name: "service" }).connect();
  await connection.start(0);
  return setStage(connection.info, { contract, seed: 1 }).measured.checkIdentity(connection);
}

test("a service is known by any member of its answers, however broken", async () => {
  assert.equal(await identityOf(reference), undefined);
  for (const body of [{ code: "NO_EXECUTION_ENDPOINT" }, { productionApproved: true }, { mode: 5 }]) {
    assert.equal(await identityOf(answeringAll({ status: 404, body })), undefined);
  }
});

test("what else answers is told in one line", async () => {
  const checked = async (status: unknown, body: unknown) => identityOf(answeringAll({ status, body }));
  const told = "what answers is not the service: GET /v1/platform gave";
  assert.equal(await checked(404, "<h1>\\u001b[2J</h1>"), `${told} 404 "<h1>\\\\u001b[2J</h1>"`);
  assert.equal(await checked(200, {}), `${told} 200 {}`);
  assert.equal(await checked(404, { error: "Not Found" }), `${told} 404 {"error":"Not Found"}`);
  assert.equal(await identityOf(answeringAll(null)), `${told} undefined undefined`);
});

test("what is not the service is refused by one vector, the profile's own, and the others name the reason", async (context) => {
  const suites = suitesOf(
    context,
    `suite: sample
vectors:
  - id: waits
    title: it waits
    rules: [ENDPOINT-1]
    steps:
      - advance: 60s
      - platform:
  - id: unknown-path
    title: no such path
    rules: [ERROR-1]
    steps:
      - request: { method: POST, path: /v1/send }
        expect: 404 NO_EXECUTION_ENDPOINT
  - id: profile
    title: the profile is given
    rules: [ENDPOINT-1]
    steps:
      - platform:
`,
  );
  const { results, exitStatus } = await runWith({ suites }, answeringAll({ status: 200, body: "hello" }));
  assert.deepEqual(
    results.map(({ id, outcome }) => `${id} ${outcome}`),
    ["sample/waits skipped", "sample/unknown-path skipped", "sample/profile failed"],
  );
  for (const { reason } of results.slice(0, 2))
    assert.match(reason ?? "", /^not tried: what answers is not the service: .* gave 200 "hello"$/);
  assert.equal(exitStatus, 1);
});
