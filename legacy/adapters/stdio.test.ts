import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { isAlive, isKilled } from "../testing/adapters/is-alive.ts";
import { SERVED } from "../testing/adapters/served-contract.ts";
import { NoAnswer } from "./adapter.ts";
import { type StdioOptions, stdioAdapter } from "./stdio.ts";

const GET = { method: "GET", path: "/v1/platform" };

/** The command that runs a fake adapter: a file of `testing/`. */
function fake(name: string): string {
  const file = fileURLToPath(new URL(`../testing/adapters/${name}`, import.meta.url));
  // With exec, since the shell in between would hold the pipes open.
  return name.endsWith(".sh") ? `exec sh "${file}"` : `"${process.execPath}" "${file}"`;
}

function adapterOf(context: TestContext, name: string, options: Partial<StdioOptions> = {}) {
  const adapter = stdioAdapter({ command: fake(name), graceMs: 1_000, ...options });
  context.after(() => adapter.close());
  return adapter;
}

async function started(context: TestContext, name: string, options: Partial<StdioOptions> = {}) {
  const connection = await adapterOf(context, name, options).connect(SERVED);
  await connection.start(1_000);
  return connection;
}

test("calls in flight together are answered in any order", async (context) => {
  const connection = await started(context, "honest.mjs");
  assert.equal(connection.info.implementation.name, "fake");
  const answers = await Promise.all([connection.handle({ ...GET, path: "/wait" }), connection.handle(GET)]);
  assert.deepEqual(answers, [
    { status: 200, body: { method: "GET", path: "/wait" } },
    { status: 200, body: GET },
  ]);
});

test("text goes as body and other bytes as bodyBase64", async (context) => {
  const connection = await started(context, "honest.mjs");
  const sent = async (body: string | Uint8Array) => {
    const { body: params } = (await connection.handle({
      ...GET,
      body,
      bearer: "b",
      idempotencyKey: "k",
    })) as {
      body: Record<string, unknown>;
    };
    return params;
  };
  const rest = { ...GET, bearer: "b", idempotencyKey: "k" };
  assert.deepEqual(await sent('{"a" :\n"ü"}'), { ...rest, body: '{"a" :\n"ü"}' });
  assert.deepEqual(await sent(Buffer.from("ü")), { ...rest, body: "ü" });
  assert.deepEqual(await sent(""), { ...rest, body: "" });
  assert.deepEqual(await sent(new Uint8Array([0xff, 0x00])), { ...rest, bodyBase64: "/wA=" });
});

test("the clock is moved on, and its reading comes back", async (context) => {
  const connection = await started(context, "honest.mjs");
  assert.equal(await connection.advance(250), 1_250);
});

test("a flood of calls is carried whole", async (context) => {
  const connection = await started(context, "honest.mjs");
  const body = "x".repeat(16_000);
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, index) => connection.handle({ ...GET, path: `/${index}`, body })),
  );
  assert.deepEqual(
    answers.map((answer) => (answer as { body: { path: string } }).body.path),
    Array.from({ length: 500 }, (_, index) => `/${index}`),
  );
});

test("an envelope that is none is passed on to be judged", async (context) => {
  const connection = await started(context, "odd-envelope.mjs");
  assert.deepEqual(await connection.handle(GET), { status: "200" });
});

for (const [name, message, log] of [
  ["exits-at-once.mjs", "the adapter exited with status 3: no licence found", "no licence found\n"],
  [
    "never-initializes.mjs",
    "initialize did not answer within 0.3 s; is its output flushed after every line?",
    undefined,
  ],
  ["no-json.mjs", 'the adapter sent what is no JSON: "Listening on port 8080"', undefined],
  ["other-version.mjs", "initialize: protocol version 2, but the kit speaks version 1", undefined],
] as const) {
  test(`${name}: connecting is a fatal fault`, async (context) => {
    const startTimeoutMs = name === "never-initializes.mjs" ? 300 : 30_000;
    const adapter = adapterOf(context, name, { startTimeoutMs, graceMs: 100 });
    await assert.rejects(adapter.connect(SERVED), { name: "AdapterFault", fatal: true, message, log });
  });
}

for (const [name, message, log] of [
  ["exits-in-call.mjs", "the adapter exited with status 4", undefined],
  ["endless-line.mjs", "the adapter sent a line of more than 8 MiB", undefined],
  ["no-utf8.mjs", "the adapter sent a line that is not UTF-8", undefined],
  ["unknown-id.mjs", "the adapter answered to id 1003, which was never sent", undefined],
  [
    "no-result.mjs",
    'handle: the adapter sent an answer with neither result nor error: {"jsonrpc":"2.0","id":3}',
    undefined,
  ],
  ["closes-output.sh", "the adapter closed its output", undefined],
] as const) {
  test(`${name}: every pending and later call rejects with one fatal fault`, async (context) => {
    const connection = await started(context, name);
    const calls = await Promise.allSettled([connection.handle(GET), connection.handle(GET)]);
    const fault = { name: "AdapterFault", fatal: true, message, log };
    for (const call of calls) {
      assert.equal(call.status, "rejected");
      assert.throws(() => {
        throw call.reason;
      }, fault);
    }
    await assert.rejects(connection.handle(GET), fault);
    await assert.rejects(connection.start(0), fault);
  });
}

test("never-answers.mjs: a call is overdue, and the conversation over once it is given up", async (context) => {
  const connection = await started(context, "never-answers.mjs", { timeoutMs: 100 });
  const fault = { name: "AdapterFault", fatal: true, message: "handle did not answer within 0.1 s" };
  const overdue = await connection.handle(GET).catch((thrown: unknown) => thrown);
  assert.ok(overdue instanceof NoAnswer);
  assert.equal(await overdue.late, "given up");
  await assert.rejects(connection.start(0), { ...fault, log: "thinking\n" });
});

test("throws-in-call.mjs: the fault names the error, and its log has the stack", async (context) => {
  const connection = await started(context, "throws-in-call.mjs");
  await assert.rejects(connection.handle(GET), (fault: { message: string; log: string }) => {
    assert.equal(fault.message, "the adapter exited with status 1: TypeError: out of order");
    assert.match(fault.log, /throws-in-call\.mjs:\d+/);
    return true;
  });
});

test("two-answers: the second answer is a fatal fault", async (context) => {
  const connection = await started(context, "two-answers.mjs");
  assert.deepEqual(await connection.handle(GET), { status: 200 });
  await assert.rejects(connection.handle(GET), {
    fatal: true,
    message: "the adapter answered twice to id 3",
  });
});

test("error-answer: only that call is a fault", async (context) => {
  const connection = await started(context, "error-answer.mjs");
  const message = "handle: the adapter sent JSON-RPC error -32603: out of order";
  await assert.rejects(connection.handle(GET), { name: "AdapterFault", fatal: false, message });
  await connection.start(0);
});

test("closes-input: the next calls are a fatal fault, not an EPIPE of the kit", async (context) => {
  const connection = await started(context, "closes-input.sh", { graceMs: 100 });
  await connection.handle(GET);
  await assert.rejects(
    async () => {
      for (;;) await connection.handle(GET);
    },
    { name: "AdapterFault", fatal: true, message: /^the adapter takes no more input: / },
  );
});

test("clock-stands-still: advance is a fault", async (context) => {
  const connection = await started(context, "clock-stands-still.mjs");
  const message = 'advance: expected {"nowMs": 1250}, got {"nowMs":1000}';
  await assert.rejects(connection.advance(250), { name: "AdapterFault", message });
});

test("an adapter that heeds shutdown leaves by itself", async (context) => {
  const pids: number[] = [];
  const connection = await started(context, "honest.mjs", { onSpawn: (pid) => pids.push(pid) });
  await connection.close();
  await connection.close();
  assert.deepEqual(pids.map(isKilled), [true]);
  await assert.rejects(connection.handle(GET), { message: "the adapter exited with status 0" });
});

test("ignores-shutdown: the process is dead after close", async (context) => {
  const connection = await started(context, "ignores-shutdown.mjs", { graceMs: 100 });
  const { pid } = (await connection.handle(GET)) as { pid: number };
  assert.equal(isAlive(pid), true);
  await connection.close();
  assert.equal(isKilled(pid), true);
});

for (const path of ["/stay", "/exit"]) {
  test(`leaves-grandchild: it is dead after close (${path})`, async (context) => {
    const connection = await started(context, "leaves-grandchild.mjs", { graceMs: 100 });
    const { pid } = (await connection.handle(GET)) as { pid: number };
    assert.equal(isAlive(pid), true);
    await connection.handle({ ...GET, path }).catch(() => undefined);
    await connection.close();
    assert.equal(isKilled(pid), true);
  });
}

test("each connection has a process of its own, and the adapter ends them all", async () => {
  const pids: number[] = [];
  const adapter = stdioAdapter({ command: fake("honest.mjs"), jobs: 2, onSpawn: (pid) => pids.push(pid) });
  await Promise.all([adapter.connect(SERVED), adapter.connect(SERVED)]);
  assert.deepEqual(pids.map(isAlive), [true, true]);
  await adapter.close();
  assert.deepEqual(pids.map(isKilled), [true, true]);
});

test("a command that does not exist is a fatal fault with the shell's words", async () => {
  await assert.rejects(stdioAdapter({ command: "no-such-adapter --x" }).connect(SERVED), {
    message: /^the adapter exited with status 127: .*no-such-adapter.*not found/,
  });
});
