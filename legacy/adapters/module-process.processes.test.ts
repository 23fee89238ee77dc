import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { isKilled } from "../testing/adapters/is-alive.ts";
import { moduleFile } from "../testing/adapters/module-file.ts";
import { SERVED } from "../testing/adapters/served-contract.ts";
import { type ModuleProcessOptions, moduleProcessAdapter } from "./module-process.ts";

const GET = { method: "GET", path: "/v1/platform" };
const FACTS = 'export const facts = { metadataHosts: ["a.example", "b.example"] };\n';

/** An adapter of a module whose `handle` has this body. */
function adapterOf(context: TestContext, handle: string, options: Partial<ModuleProcessOptions> = {}) {
  const source = `${FACTS}export const createService = ({ now }) => ({ async handle(call) { ${handle} } });`;
  const adapter = moduleProcessAdapter({ file: moduleFile(context, "service.mjs", source), ...options });
  context.after(() => adapter.close());
  return adapter;
}

/** A started connection to a module whose `handle` has this body. */
async function started(context: TestContext, handle: string, options: Partial<ModuleProcessOptions> = {}) {
  const connection = await adapterOf(context, handle, options).connect(SERVED);
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
  const adapter = moduleProcessAdapter({ file: moduleFile(context, "service.ts", source) });
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
  await connection.close();
  await connection.close();
  const next = await adapter.connect(SERVED);
  await next.start(7);
  assert.deepEqual(
    await next.handle(GET),
    { status: 200, body: { now: 7, body: "undefined", bytes: false } },
    "a connection that is closed leaves its process to the next",
  );
});

/** Answers that are none, and what the kit has of each. */
const ODD_ANSWERS: readonly (readonly [path: string, answer: string, message: string])[] = [
  ["/throws", 'throw new Error("no\\nluck")', "handle threw: no luck"],
  ["/big-integer", "return { status: 200n }", "handle threw: Do not know how to serialize a BigInt"],
  [
    "/cyclic",
    "const answer = {}; answer.answer = answer; return answer",
    "handle threw: Converting circular structure to JSON",
  ],
  ["/no-json", 'return { status: 200, toJSON() { throw new Error("not me") } }', "handle threw: not me"],
  ["/proxy", 'return new Proxy({}, { ownKeys() { throw new Error("no keys") } })', "handle threw: no keys"],
  ["/hostile", "throw { toString() { throw 1 } }", "handle threw: (a value that cannot be shown)"],
];

test("a handle that gives no answer is a fault of one line, and the connection lives on", async (context) => {
  const cases = ODD_ANSWERS.map(([path, answer]) => `case "${path}": { ${answer} }`).join("\n");
  const connection = await started(context, `switch (call.path) { ${cases} }`);
  for (const [path, , message] of ODD_ANSWERS) {
    await assert.rejects(
      connection.handle({ ...GET, path }),
      (fault: Error & { fatal: boolean; log: string }) => {
        assert.deepEqual([fault.name, fault.fatal], ["AdapterFault", false]);
        assert.ok(fault.message.startsWith(message) && !fault.message.includes("\n"), fault.message);
        return true;
      },
    );
  }
  assert.equal(await connection.handle(GET), null, "no answer at all is for the judge to refuse");
});

test("a module that loops without end is cut off at the time limit, its log is there, and it is started again", async (context) => {
  const pids: number[] = [];
  const adapter = adapterOf(
    context,
    'if (call.path !== "/loop") return 1; console.log("before the loop"); for (;;) console.error("in it");',
    { timeoutMs: 250, onSpawn: (pid) => pids.push(pid) },
  );
  const connection = await adapter.connect(SERVED);
  await connection.start(1_000);
  const fault = {
    name: "AdapterFault",
    message: "handle did not answer within 0.25 s",
    fatal: true,
  };
  await assert.rejects(connection.handle({ ...GET, path: "/loop" }), (thrown: Error & { log: string }) => {
    assert.ok(thrown.log.endsWith("in it\nin it\n"));
    assert.ok(thrown.log.length <= 65_536);
    return true;
  });
  await assert.rejects(connection.handle(GET), fault);
  await connection.close();
  assert.ok(isKilled(Number(pids[0])));
  const again = await adapter.connect(SERVED);
  await again.start(1_000);
  assert.equal(await again.handle(GET), 1);
  assert.equal(pids.length, 2);
});

for (const [what, handle, message] of [
  ["exits", "process.exit(3)", "the module's process ended with exit code 3"],
  ["kills itself", 'process.kill(process.pid, "SIGSEGV")', "the module's process was ended by SIGSEGV"],
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
  [
    "leaves a process behind that holds its output open",
    'const { spawn } = await import("node:child_process"); spawn("sleep", ["60"], { stdio: "inherit" }); process.exit(4)',
    "the module's process ended with exit code 4",
  ],
  [
    "fills its heap",
    "const all = []; for (;;) all.push(new Array(1e5).fill(all.length))",
    "the module's process ran out of memory",
  ],
  [
    "fills buffers",
    "const all = []; for (;;) { all.push(Buffer.alloc(2e7, 1)); await new Promise((resolve) => setTimeout(resolve, 1)); }",
    "the module's process used more than 576 MiB of memory",
  ],
  [
    "answers far too much",
    'return { status: 200, body: { code: "x".repeat(9e6) } }',
    "the answer is larger than 8 MiB",
  ],
  [
    "writes its answers itself",
    'const { writeSync } = await import("node:fs"); for (;;) writeSync(4, Buffer.alloc(1e6, 32))',
    "the module's process sent an answer of more than 8 MiB",
  ],
] as const) {
  test(`a module that ${what} is a fatal fault with its log`, async (context) => {
    const connection = await started(context, `console.log("about to"); ${handle}`, { heapMb: 64 });
    for (let call = 0; call < 2; call += 1) {
      await assert.rejects(connection.handle(GET), (fault: Error & { fatal: boolean; log: string }) => {
        assert.deepEqual([fault.message, fault.fatal, fault.name], [message, true, "AdapterFault"]);
        assert.ok(fault.log.startsWith("about to\n"));
        return true;
      });
    }
  });
}

test("a module that cannot be loaded is a fatal fault of one line", async (context) => {
  const file = moduleFile(context, "service.mjs", "export const handle = 1;");
  await assert.rejects(moduleProcessAdapter({ file }).connect(SERVED), {
    name: "AdapterFault",
    message: `${file} exports no createService; it exports: handle`,
    fatal: true,
  });
});
