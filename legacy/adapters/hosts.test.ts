import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SERVED } from "../testing/adapters/served-contract.ts";
import { initialize, ProtocolConnection } from "./protocol-connection.ts";
import { type StdioOptions, stdioAdapter } from "./stdio.ts";

const GET = { method: "GET", path: "/v1/platform" };

/** An adapter of processes that hold two services each. */
function twoServices(context: TestContext, options: Partial<StdioOptions> = {}) {
  const file = fileURLToPath(new URL("../testing/adapters/several-services.mjs", import.meta.url));
  const adapter = stdioAdapter({ command: `exec "${process.execPath}" "${file}"`, ...options });
  context.after(() => adapter.close());
  return adapter;
}

test("connections have a service each, as many in one process as it can hold, and more in the next", async (context) => {
  const pids: number[] = [];
  const adapter = twoServices(context, { onSpawn: (pid) => pids.push(pid) });
  const first = await adapter.connect(SERVED);
  assert.equal(adapter.jobs, 2);
  const second = await adapter.connect(SERVED);
  assert.deepEqual([pids.length, first.carrier === second.carrier], [1, true]);
  await Promise.all([first.start(1_000), second.start(2_000)]);
  assert.equal(await first.advance(5), 1_005);
  const asked = async () => {
    const answers = await Promise.all([first.handle(GET), second.handle(GET)]);
    return answers.map((answer) => (answer as { body: { service: string; nowMs: number } }).body);
  };
  const told = (await asked()).map(({ service, nowMs }) => [service, nowMs]);
  assert.deepEqual(told, [
    ["s1", 1_005],
    ["s2", 2_000],
  ]);
  const third = await adapter.connect(SERVED);
  assert.deepEqual([pids.length, third.carrier === first.carrier], [2, false]);

  await second.close();
  const next = await adapter.connect(SERVED);
  await next.start(3_000);
  const { body } = (await next.handle(GET)) as { body: object };
  assert.deepEqual(
    body,
    { service: "s2", nowMs: 3_000, pid: pids[0] },
    "in the place of the one that closed",
  );
});

test("several processes are begun before one of them is filled", async (context) => {
  const pids: number[] = [];
  const adapter = twoServices(context, { jobs: 2, onSpawn: (pid) => pids.push(pid) });
  const first = await adapter.connect(SERVED);
  assert.deepEqual([adapter.jobs, pids.length], [4, 1]);
  const others = await Promise.all([1, 2, 3].map(() => adapter.connect(SERVED)));
  assert.equal(pids.length, 2);
  const carriers = [first, ...others].map(({ carrier }) => carrier);
  assert.equal(new Set(carriers).size, 2);
});

test("an adapter that says it holds several services and names none is at fault", async (context) => {
  const info = await initialize(
    async () => ({
      protocol: 1,
      implementation: { name: "x", version: "1" },
      capabilities: { instances: 2 },
      facts: { metadataHosts: ["a", "b"] },
    }),
    "counter-1",
  );
  const connection = new ProtocolConnection(
    info,
    async () => ({}),
    async () => {},
    { free: [] },
  );
  context.after(() => connection.close());
  await assert.rejects(connection.start(0), {
    name: "AdapterFault",
    fatal: true,
    message: 'start: capabilities.instances asks for {"service": …}, got {}',
  });
});
