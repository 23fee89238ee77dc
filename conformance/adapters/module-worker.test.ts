import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { moduleFile } from "../testing/adapters/module-file.ts";
import { SERVED } from "../testing/adapters/served-contract.ts";
import { moduleWorkerAdapter } from "./module-worker.ts";

const GET = { method: "GET", path: "/v1/platform" };
const FACTS = 'export const facts = { metadataHosts: ["a.example", "b.example"] };\n';

/** A started connection to a module whose `handle` has this body. */
async function started(context: TestContext, handle: string, timeoutMs = 5_000) {
  const source = `${FACTS}export const createService = ({ now }) => ({ async handle(call) { ${handle} } });`;
  const adapter = moduleWorkerAdapter({ file: moduleFile(context, "service.mjs", source), timeoutMs });
  context.after(() => adapter.close());
  const connection = await adapter.connect(SERVED);
  await connection.start(1_000);
  return connection;
}

test("a TypeScript module is driven on a virtual clock, calls in flight together", async (context) => {
  const source = `${FACTS.replace(";", " as const;")}
    let calls = 0;
    let release = () => {};
    const both = new Promise<void>((resolve) => { release = resolve; });
    export const createService = ({ now }: { now: () => number }) => ({
      async handle(call: { body?: unknown }) {
        if (++calls === 2) release();
        await both;
        return { status: 200, body: { now: now(), body: String(call.body), bytes: call.body instanceof Uint8Array } };
      },
    });`;
  const adapter = moduleWorkerAdapter({ file: moduleFile(context, "service.ts", source) });
  context.after(() => adapter.close());
  const connection = await adapter.connect(SERVED);
  assert.equal(connection.info.implementation.name, "service.ts");
  assert.equal(connection.info.capabilities.concurrency, true);
  await connection.start(1_000);
  assert.equal(await connection.advance(250), 1_250);
  const answers = await Promise.all([
    connection.handle({ ...GET, body: "{ }" }),
    connection.handle({ ...GET, body: new Uint8Array([0xff]) }),
  ]);
  assert.deepEqual(answers, [
    { status: 200, body: { now: 1_250, body: "{ }", bytes: false } },
    { status: 200, body: { now: 1_250, body: "255", bytes: true } },
  ]);
});

test("a module that loops without end is cut off at the time limit, and its log is there", async (context) => {
  const connection = await started(
    context,
    'console.log("before the loop"); for (;;) console.error("in it");',
    250,
  );
  await assert.rejects(connection.handle(GET), (fault: { log: string }) => {
    assert.ok(fault.log.endsWith("in it\nin it\n"));
    assert.ok(fault.log.length <= 65_536);
    return true;
  });
  await assert.rejects(connection.handle(GET), {
    name: "AdapterFault",
    message: "handle did not answer within 0.25 s",
    fatal: true,
  });
});

for (const [what, handle, message] of [
  ["exits", "process.exit(3)", "the module ended its thread with exit code 3"],
  [
    "throws outside of a call",
    'setImmediate(() => { throw new Error("late") }); await new Promise(() => {})',
    "the module threw outside of a call: late",
  ],
  [
    "leaves a rejection",
    'Promise.reject(new Error("lost")); await new Promise(() => {})',
    "the module threw outside of a call: lost",
  ],
] as const) {
  test(`a module that ${what} is a fatal fault with its log`, async (context) => {
    const connection = await started(context, `console.log("about to"); ${handle}`);
    const expected = { name: "AdapterFault", message, fatal: true, log: "about to\n" };
    await assert.rejects(connection.handle(GET), expected);
    await assert.rejects(connection.handle(GET), expected);
  });
}

for (const [what, handle, message] of [
  ["throws", 'throw new Error("no\\nluck")', "handle threw: no luck"],
  [
    "answers what is no JSON value",
    "return { status: 200n }",
    "handle threw: Do not know how to serialize a BigInt",
  ],
] as const) {
  test(`a handle that ${what} is a fault, and the connection lives on`, async (context) => {
    const connection = await started(context, handle);
    await assert.rejects(connection.handle(GET), { name: "AdapterFault", message, fatal: false });
    await assert.rejects(connection.handle(GET), { name: "AdapterFault", message, fatal: false });
  });
}

test("no answer at all is null, for the judge to refuse", async (context) => {
  const connection = await started(context, "return undefined");
  assert.equal(await connection.handle(GET), null);
});

test("a module that cannot be loaded is a fatal fault of one line", async (context) => {
  const file = moduleFile(context, "service.mjs", "export const handle = 1;");
  await assert.rejects(moduleWorkerAdapter({ file }).connect(SERVED), {
    name: "AdapterFault",
    message: `${file} exports no createService; it exports: handle`,
    fatal: true,
  });
});

test("closing twice is harmless", async (context) => {
  const connection = await started(context, "return 1");
  await connection.close();
  await connection.close();
  await assert.rejects(connection.handle(GET), { message: "the module ended its thread with exit code 1" });
});
