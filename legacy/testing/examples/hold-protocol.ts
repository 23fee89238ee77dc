import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { PROBES } from "./hold-statements.ts";

/** Ends a program that does not answer, in ms, so that a test of it fails instead of lasting for ever. */
const LIMIT_MS = 60_000;

/** So many requests are sent before the clock is moved that some are likely still under way. */
const CROWD = 100;

interface Answer {
  readonly id: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** What a stray line of the service is, by the probe that fails. */
const STRAY = "a stray line";

/**
 * Speaks the adapter protocol line by line with a program around a service that knows the {@link PROBES}, and asserts what
 * the kit counts on, and what a person who errs is told.
 *
 * @param command line of the shell that starts the program
 */
export async function holdProtocol(command: string): Promise<void> {
  const child = spawn(`exec ${command}`, {
    shell: true,
    stdio: "pipe",
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
    // Where it is set, Python writes each line at once, and a skeleton that does not flush would not be found.
    env: { ...process.env, PYTHONUNBUFFERED: "" },
  });
  try {
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const read = async (): Promise<Answer> => {
      const { value } = await lines.next();
      assert.ok(typeof value === "string", `the program ended: ${log}`);
      const answer = JSON.parse(value);
      assert.equal(answer.jsonrpc, "2.0");
      return answer;
    };
    let id = 0;
    const send = (text: string) => child.stdin.write(`${text}\n`);
    const sendRequest = (method: string, params: object) =>
      send(JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params }));
    const ask = async (method: string, params: object = {}) => {
      sendRequest(method, params);
      const answer = await read();
      assert.equal(answer.id, id);
      return answer;
    };
    const handle = async (service: unknown, path: string, more: object = {}) =>
      (await ask("handle", { service, method: "POST", path, ...more })).result?.["body"];
    const fails = async (code: number, message: RegExp, asked: Promise<Answer>) => {
      const { result, error } = await asked;
      assert.equal(result, undefined);
      assert.equal(error?.code, code, JSON.stringify(error));
      assert.match(error?.message ?? "", message);
    };

    const { result: about } = await ask("initialize", { protocol: 1, contract: "partner-preview-1" });
    assert.equal(about?.["protocol"], 1);

    // Services live side by side, each with a clock and state of its own.
    const one = (await ask("start", { nowMs: 1_000 })).result?.["service"];
    const other = (await ask("start", { nowMs: 2_000 })).result?.["service"];
    assert.notEqual(one, other);
    assert.deepEqual(await handle(one, PROBES.count), { count: 1 });
    assert.deepEqual(await handle(one, PROBES.count), { count: 2 });
    assert.deepEqual(await handle(other, PROBES.count), { count: 1 });
    assert.deepEqual((await ask("advance", { service: one, ms: 500 })).result, { nowMs: 1_500 });
    assert.deepEqual(await handle(one, PROBES.clock), { nowMs: 1_500 });
    assert.deepEqual(await handle(other, PROBES.clock), { nowMs: 2_000 });
    assert.deepEqual((await ask("start", { nowMs: 9_000, service: one })).result, { service: one });
    assert.deepEqual(await handle(one, PROBES.count), { count: 1 });
    assert.deepEqual(await handle(one, PROBES.clock), { nowMs: 9_000 });
    assert.deepEqual(await handle(other, PROBES.count), { count: 2 });

    // Texts arrive as they were sent, escapes and all; what was not sent is told from what is empty.
    const text = '{"a": "\u00e9\u2028\u{1f600}\\u0000\\ud83d\\ude00\\/"}\r\n\t\u0001';
    assert.deepEqual(await handle(one, PROBES.body, { body: text }), { text });
    const escaped = JSON.stringify({
      service: one,
      method: "POST",
      path: PROBES.body,
      body: "\u{1f600}\u2028é",
    });
    const ascii = escaped.replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
    send(
      ` { "id" : ${++id} ,"params":${ascii}, "method":"handle", "jsonrpc":"2.0", "x": [1.5e3, [], {}, true, null] } `,
    );
    assert.deepEqual((await read()).result?.["body"], { text: "\u{1f600}\u2028é" });
    assert.deepEqual(await handle(one, PROBES.sent), { body: false, bearer: null, idempotencyKey: null });
    assert.deepEqual(await handle(one, PROBES.sent, { body: "", bearer: "", idempotencyKey: 'k"\\' }), {
      body: true,
      bearer: "",
      idempotencyKey: 'k"\\',
    });

    // Every other message to a service waits for its requests; answers may come in any order.
    const first = id + 1;
    for (let count = 0; count < CROWD; count++) {
      sendRequest("handle", { service: one, method: "POST", path: PROBES.clock });
    }
    sendRequest("advance", { service: one, ms: 1 });
    const told = new Map<unknown, unknown>();
    while (told.size <= CROWD) {
      const { id: answered, result } = await read();
      told.set(answered, result?.["body"] ?? result);
    }
    assert.deepEqual(told.get(id), { nowMs: 9_001 });
    for (let asked = first; asked < id; asked++) assert.deepEqual(told.get(asked), { nowMs: 9_000 });

    // Whoever errs is told so in words, and the adapter goes on.
    await fails(-32_601, /no method "?'?reset/, ask("reset"));
    await fails(
      -32_602,
      /no service "?'?nobody.*start gives the name/,
      ask("handle", { service: "nobody", method: "GET", path: "/" }),
    );
    await fails(-32_602, /no service "?'?nobody/, ask("advance", { service: "nobody", ms: 1 }));
    await fails(-32_602, /no service "?'?nobody/, ask("start", { service: "nobody", nowMs: 1 }));
    await fails(-32_602, /year 9999/, ask("advance", { service: one, ms: 300_000_000_000_000 }));
    await fails(-32_602, /year 9999/, ask("advance", { service: one, ms: -1 }));
    await fails(-32_602, /year 9999/, ask("start", {}));
    await fails(
      -32_603,
      /the probe "fails"/,
      ask("handle", { service: one, method: "POST", path: PROBES.fails }),
    );
    for (const line of ["no JSON", "[]", "null", '"text"', "{}", '{"id":', '{"method":1}']) {
      send(line);
      const { id: none, error } = await read();
      assert.deepEqual([none, error?.code], [null, -32_700], line);
      assert.match(error?.message ?? "", /^the line is no request in JSON/);
    }
    assert.deepEqual(await handle(one, PROBES.clock), { nowMs: 9_001 });

    assert.deepEqual((await ask("shutdown")).result, {});
    if (child.exitCode === null) await once(child, "exit");
    assert.equal(child.exitCode, 0);
    assert.match(log, /the probe "fails"/);
    assert.match(log, new RegExp(STRAY));
  } finally {
    child.kill("SIGKILL");
  }
}
