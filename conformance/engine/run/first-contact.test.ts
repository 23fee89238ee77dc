import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcessAdapter } from "../../adapters/in-process.ts";
import { reference } from "../../testing/reference.ts";
import { runWith, suitesOf } from "../../testing/run-vectors.ts";
import { firstContact } from "./first-contact.ts";

/** A service that answers everything alike. */
function alike(envelope: unknown) {
  return { ...reference, createService: () => ({ handle: () => envelope }) };
}

async function contactOf(service: typeof reference): Promise<string | undefined> {
  const connection = await inProcessAdapter(service, { name: "service" }).connect();
  await connection.start(0);
  return firstContact(connection);
}

test("a service is known by any member of its answers, however broken", async () => {
  assert.equal(await contactOf(reference), undefined);
  for (const body of [{ code: "NO_EXECUTION_ENDPOINT" }, { productionApproved: true }, { mode: 5 }]) {
    assert.equal(await contactOf(alike({ status: 404, body })), undefined);
  }
});

test("what else answers is told in one line", async () => {
  const stranger = async (status: unknown, body: unknown) => contactOf(alike({ status, body }));
  const told = "what answers is not the service: GET /v1/platform gave";
  assert.equal(await stranger(404, "<h1>\\u001b[2J</h1>"), `${told} 404 "<h1>\\\\u001b[2J</h1>"`);
  assert.equal(await stranger(200, {}), `${told} 200 {}`);
  assert.equal(await stranger(404, { error: "Not Found" }), `${told} 404 {"error":"Not Found"}`);
  assert.equal(await contactOf(alike(null)), `${told} undefined undefined`);
});

test("a stranger is refused by one vector, the profile's own, and the others name the reason", async (context) => {
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
  const { results, exitStatus } = await runWith({ suites }, alike({ status: 200, body: "hello" }));
  assert.deepEqual(
    results.map(({ id, outcome }) => `${id} ${outcome}`),
    ["sample/waits skipped", "sample/unknown-path skipped", "sample/profile failed"],
  );
  for (const { reason } of results.slice(0, 2))
    assert.match(reason ?? "", /^not tried: what answers is not the service: .* gave 200 "hello"$/);
  assert.equal(exitStatus, 1);
});
