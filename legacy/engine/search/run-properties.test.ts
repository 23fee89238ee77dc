import assert from "node:assert/strict";
import { test } from "node:test";
import { AdapterFault } from "../../adapters/adapter.ts";
import { SEARCHES } from "../../contract/searches.ts";
import { oneProcess } from "../../testing/adapters/one-process.ts";
import { contract } from "../../testing/contract-data.ts";
import { reference, spoiled } from "../../testing/reference.ts";
import { propertyOptions, runProperties } from "../../testing/search/stage.ts";
import { withoutChance } from "../../testing/without-chance.ts";
import { propertyId } from "./property-result.ts";

const IDS = SEARCHES.properties.map(propertyId);

test("the reference has every property", async () => {
  const results = await runProperties(await propertyOptions(3, 10));
  assert.deepEqual(
    results.map(({ id, outcome, failures }) => [id, outcome, failures[0]?.got]),
    IDS.map((id) => [id, "passed", undefined]),
  );
});

test("the same seed finds the same, and writes the same vector", async () => {
  const wrong = spoiled((answer, { path }) => {
    if (path === "/v1/launch/build" && answer.status === 409) answer.body.productionApproved = true;
  });
  const vectors = [];
  for (let time = 0; time < 2; time++) {
    const [result] = await runProperties(await propertyOptions(5, 100, wrong));
    assert.deepEqual([result?.outcome, result?.failures[0]?.rule], ["failed", "SERVICE-2"]);
    vectors.push(result?.vector);
  }
  assert.match(vectors[0] ?? "", /^ +- build: /m);
  assert.equal(vectors[0], vectors[1]);
});

/** Properties whose cases are sequences, short cases and races. */
const SOME = ["property/stateful", "property/texts", "property/races"];

test("cases that are tried side by side show what they show one after the other", async () => {
  const refusals: (readonly [path: string, status: number])[] = [
    ["/v1/nowhere", 0],
    ["/v1/launch/build", 409],
  ];
  for (const [path, status] of refusals) {
    const wrong = spoiled((answer, call) => {
      if (call.path === path && answer.status === status) answer.body.productionApproved = true;
    });
    const options = await propertyOptions(5, 10, wrong);
    const adapter = oneProcess(wrong, 7);
    const several = { ...options, adapter, connection: await adapter.connect(contract) };
    const chosen = (id: string) => SOME.includes(id);
    const [alone, together] = [
      await runProperties({ ...options, chosen }),
      await runProperties({ ...several, chosen }),
    ];
    assert.deepEqual(together.map(withoutChance), alone.map(withoutChance));
    assert.equal(
      alone.some(({ outcome }) => outcome === "failed"),
      status !== 0,
    );
  }
});

test("a service that breaks in a crowd is asked alone before anything is said", async () => {
  const options = await propertyOptions(5, 20);
  let underWay = 0;
  const adapter = oneProcess(reference, 5, async (connection, request) => {
    underWay += 1;
    await new Promise((resolve) => setImmediate(resolve));
    const crowded = underWay > 1;
    underWay -= 1;
    if (crowded) throw new AdapterFault("too many at once", { fatal: true });
    return connection.handle(request);
  });
  const connection = await adapter.connect(contract);
  const chosen = (id: string) => id === "property/texts";
  const results = await runProperties({ ...options, adapter, connection, chosen });
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ["passed"],
  );
});

test("what an adapter lacks is said, and nothing is tried", async () => {
  let calls = 0;
  const poor = {
    ...spoiled(() => void calls++),
    capabilities: { clock: "real", restart: false, rawBody: false, concurrency: false },
  };
  const results = await runProperties(await propertyOptions(1, 10, poor));
  assert.deepEqual(
    results.map(({ id, outcome }) => [id, outcome]),
    IDS.map((id) => [id, "skipped"]),
  );
  for (const { reason } of results) assert.match(reason ?? "", /capability/);
  assert.equal(calls, 0);
});

test("a fault of the adapter is an error, and the next property has a connection of its own", async () => {
  const options = await propertyOptions(1, 5);
  const { connection: whole, adapter } = options;
  let ended = false;
  const start = async () => {
    ended = true;
    throw new AdapterFault("the adapter left", { fatal: true });
  };
  const connection = {
    ...whole,
    info: whole.info,
    start,
    close: () => whole.close(),
    get ended() {
      return ended;
    },
  };
  const chosen = (id: string) => id === "property/stateful" || id === "property/uris";
  const results = await runProperties({ ...options, adapter, connection, chosen });
  assert.deepEqual(
    results.map(({ outcome, reason }) => [outcome, reason]),
    [
      ["error", "the adapter left"],
      ["passed", undefined],
    ],
  );
});

test("only what was chosen is tried, and nothing once the run is stopped", async () => {
  const options = await propertyOptions(1, 5);
  const results = await runProperties({
    ...options,
    chosen: (id) => id === "property/races",
    stopped: () => "stopped",
  });
  assert.deepEqual(
    results.map(({ id, outcome, reason }) => [id, outcome, reason]),
    [["property/races", "skipped", "stopped"]],
  );
});
