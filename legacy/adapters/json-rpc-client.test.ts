import assert from "node:assert/strict";
import { test } from "node:test";
import { AdapterFault, NoAnswer } from "./adapter.ts";
import { JsonRpcClient, type JsonRpcClientOptions } from "./json-rpc-client.ts";

function client(options: Partial<JsonRpcClientOptions> = {}) {
  const sent: string[] = [];
  const seen = { sent, fatal: 0 };
  const it = new JsonRpcClient({
    send: (message) => sent.push(message),
    timeoutMs: 0,
    log: () => "log",
    onFatal: () => {
      seen.fatal += 1;
    },
    ...options,
  });
  return { it, seen };
}

const fatal = (message: string) => ({ name: "AdapterFault", fatal: true, message, log: "log" });

test("answers find their calls by id, in any order", async () => {
  const { it, seen } = client();
  const calls = [it.call("a", { x: 1 }), it.call("b", {})];
  it.receive('{"jsonrpc":"2.0","id":2,"result":"second"}');
  it.receive('{"jsonrpc":"2.0","id":1,"result":null}');
  assert.deepEqual(await Promise.all(calls), [null, "second"]);
  assert.deepEqual(seen.sent, [
    '{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":1}}',
    '{"jsonrpc":"2.0","id":2,"method":"b","params":{}}',
  ]);
});

for (const [received, message] of [
  ['{"jsonrpc":"2.0","id":"1","result":{}}', 'the adapter answered to id "1", which was never sent'],
  ['{"jsonrpc":"2.0","id":2,"result":{}}', "the adapter answered to id 2, which was never sent"],
  [
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}',
    "the adapter sent JSON-RPC error -32700: (no message)",
  ],
  [
    '{"jsonrpc":"2.0","id":1}',
    'a: the adapter sent an answer with neither result nor error: {"jsonrpc":"2.0","id":1}',
  ],
  ["[]", "the adapter sent what is no JSON-RPC answer: []"],
] as const) {
  test(`out of step: ${message}`, async () => {
    const { it, seen } = client();
    const pending = it.call("a", {});
    it.receive(received);
    it.receive(received);
    await assert.rejects(pending, fatal(message));
    await assert.rejects(it.call("b", {}), fatal(message));
    assert.equal(seen.fatal, 1);
    assert.equal(seen.sent.length, 1);
  });
}

test("an answer that comes twice is told apart from one that nobody asked for", async () => {
  const { it } = client();
  const first = it.call("a", {});
  it.receive('{"jsonrpc":"2.0","id":1,"result":{}}');
  assert.deepEqual(await first, {});
  it.receive('{"jsonrpc":"2.0","id":1,"result":{}}');
  assert.equal(it.fault?.message, "the adapter answered twice to id 1");
});

test("an error answer is the fault of its call alone", async () => {
  const { it } = client();
  const [bad, good] = [it.call("a", {}), it.call("b", {})];
  it.receive('{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}');
  it.receive('{"jsonrpc":"2.0","id":2,"result":{}}');
  await assert.rejects(bad, { ...fatal("a: the adapter sent JSON-RPC error -1: no"), fatal: false });
  assert.deepEqual(await good, {});
});

test("what a log says that is read right after an answer is told with its fault", async () => {
  let log = "";
  const options = { log: () => log };
  for (const received of ['{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}', "[]"]) {
    log = "";
    const { it } = client(options);
    const refused = assert.rejects(it.call("a", {}), { log: "last words" });
    it.receive(received);
    log = "last words";
    await refused;
  }
});

test("a carrier may read error answers in its own way", async () => {
  const { it } = client({ errorFault: (method) => new AdapterFault(`own ${method}`, { fatal: false }) });
  const call = it.call("a", {});
  it.receive('{"jsonrpc":"2.0","id":1,"error":{}}');
  await assert.rejects(call, { message: "own a" });
});

test("an overdue call ends the conversation only once it is given up, with a hint where nothing was ever received", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { it, seen } = client({ timeoutMs: 20, silenceHint: "is it on?" });
  const first = it.call("a", {});
  context.mock.timers.tick(20);
  await assert.rejects(first, fatal("a did not answer within 0.02 s; is it on?"));
  assert.deepEqual([it.busy, seen.fatal], [true, 0]);
  const second = it.call("b", {}, 1_000);
  context.mock.timers.tick(40);
  await assert.rejects(second, fatal("a did not answer within 0.02 s; is it on?"));
  await assert.rejects(it.call("c", {}), fatal("a did not answer within 0.02 s; is it on?"));
  assert.deepEqual([seen.fatal, seen.sent.length], [1, 2]);
});

test("an answer that comes late is told, and the conversation goes on", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { it, seen } = client({ timeoutMs: 20, silenceHint: "is it on?" });
  const greeting = it.call("a", {});
  it.receive('{"jsonrpc":"2.0","id":1,"result":{}}');
  await greeting;
  const slow = it.call("b", {}, 10);
  context.mock.timers.tick(10);
  const fault = await slow.catch((thrown: unknown) => thrown);
  assert.ok(fault instanceof NoAnswer);
  assert.equal(fault.message, "b did not answer within 0.01 s");
  context.mock.timers.tick(7);
  it.receive('{"jsonrpc":"2.0","id":2,"result":{}}');
  assert.equal(await fault.late, 17);
  context.mock.timers.tick(100);
  assert.deepEqual([seen.fatal, it.fault], [0, undefined]);
});
