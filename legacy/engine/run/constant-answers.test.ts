import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcessAdapter, type ServiceModule } from "../../adapters/in-process.ts";
import { loadKitData } from "../../contract/kit-data.ts";
import { reference } from "../../testing/reference.ts";
import { runWith } from "../../testing/run-vectors.ts";

/** A service that gives one answer to everything, and what its vectors show. */
async function passedBy(status: number, body: object) {
  const service: ServiceModule = {
    ...reference,
    createService: () => ({ handle: () => ({ status, body }) }),
  };
  const { suites } = loadKitData();
  const adapter = inProcessAdapter(service, { name: "constant" });
  const { verdict, results } = await runWith({ suites, adapter });
  assert.equal(verdict, "does-not-conform");
  return results.filter(({ outcome }) => outcome === "passed").map(({ id }) => id);
}

test("one answer with status 200 to everything passes nothing: what lacks an answer's members is none", async () => {
  const body = { code: "x".repeat(10_000), productionApproved: false };
  assert.deepEqual(await passedBy(200, body), []);
});

test("one refusal of everything passes nothing but what must be refused so, whatever else is right", async () => {
  const passed = await passedBy(400, { code: "INVALID_FIELDS", productionApproved: false });
  // Routes that do not exist may be refused in any documented way; an id that nobody was given is a fault of a field.
  assert.deepEqual(
    passed.filter((id) => !/^routes\/|^verify\/id-never-issued/.test(id)),
    [],
  );
});
