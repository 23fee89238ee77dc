import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { ImplementationError, type Service } from "./adapter.ts";
import { DEFAULT_OPTIONS } from "./protocol.ts";
import { openProgram, type ProgramAdapterOptions } from "./stdio.ts";

const PROBE = { method: "GET", path: "/v1/platform" };
const contract = { version: "partner-preview-1", probe: PROBE };
const program = `'${process.execPath}' '${join(import.meta.dirname, "testing/hostile-program.mjs")}'`;

/** Opens an adapter to a hostile program, and closes the adapter at the end of the test. */
async function open(context: TestContext, mode: string, options: Partial<ProgramAdapterOptions> = {}) {
  const adapter = await openProgram({
    ...DEFAULT_OPTIONS,
    contract,
    command: `exec ${program} ${mode}`,
    timeoutMs: 20_000,
    graceMs: 5_000,
    ...options,
  });
  context.after(() => adapter.close());
  return adapter;
}

async function messageOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    (value) => assert.fail(`expected an error, got ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  assert(error instanceof ImplementationError);
  assert.doesNotMatch(error.message, /[\p{Cc}\p{Cf}]/u);
  return error.message;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const ESCAPED = "\\u{1b}[2J\\u{202e}\\r::error::no";
const FAULTS: Readonly<Record<string, string>> = {
  "not-json":
    `sent a line that is not JSON: "\\u001b[2J\\u{202e}\\r::error::no"; ` +
    "write only answers to this output, and logs to standard error",
  "wrong-id": "answered request 99, which the kit did not send; copy the id from the request",
  "text-id": 'answered request "3", which the kit did not send; copy the id from the request',
  "no-id":
    "sent an invalid line: expected an answer with the id of a request, " +
    'got {"jsonrpc":"2.0","result":{"status":200,"body":{}}}',
  "null-id": "answered request null, JSON-RPC error -32700: cannot read it",
  request: 'sent an invalid line: expected an answer, got a request from the implementation: "ping"',
  "no-result":
    'sent an invalid line: expected a result or an error in the answer, got {"jsonrpc":"2.0","id":3}',
  "old-version":
    'sent an invalid line: expected "jsonrpc":"2.0" in the answer, ' +
    'got {"jsonrpc":"1.0","id":3,"result":{"status":200,"body":{}}}',
  array: "sent an invalid line: expected a JSON-RPC answer, got []",
  crash: `exited with status 3: ValueError: wrong value${ESCAPED}`,
  killed: "was ended by SIGKILL and wrote nothing to standard error",
  exits: "exited with status 0 and wrote nothing to standard error",
  closes: "closed its output; keep the output open until shutdown",
  endless: "sent a line that is too long; the response is longer than 1 MiB",
  long: "sent a line that is too long; the response is longer than 1 MiB",
  "byte-order-mark": "sent a byte order mark at the start of a line; write UTF-8 without a byte order mark",
  "utf-16": "sent a line in UTF-16; write UTF-8 without a byte order mark",
  "latin-1": "sent a line that is not UTF-8; write UTF-8 without a byte order mark",
};

describe("a program that breaks the protocol", { concurrency: 3 }, () => {
  for (const [mode, reason] of Object.entries(FAULTS))
    test(mode, async (context) => {
      const adapter = await open(context, mode);
      const service = await adapter.start(0);
      assert.equal(await messageOf(service.handle(PROBE)), `GET /v1/platform: the program ${reason}`);
      assert.equal(await messageOf(service.handle(PROBE)), `GET /v1/platform: the program ${reason}`);
    });

  for (const mode of ["twice", "twice-late", "crash-after"])
    test(`${mode} is reported by the next request, close, or start`, async (context) => {
      const adapter = await open(context, mode);
      const first = await adapter.start(0);
      await first.handle(PROBE);
      const report = async () => {
        await first.close();
        for (;;) await (await adapter.start(0)).close();
      };
      const reason = mode === "crash-after" ? "exited with status 5" : "answered request 3 twice";
      assert.match(await messageOf(report()), new RegExp(`: the program ${reason}`));
    });

  test("the log of a program that crashed is kept line by line", async (context) => {
    const service = await (await open(context, "crash")).start(0);
    const lines = ["starting", ESCAPED, `ValueError: wrong value${ESCAPED}`, "  at line 3"];
    await assert.rejects(service.handle(PROBE), ({ details }: ImplementationError) => {
      assert.deepEqual(details.log, lines);
      return true;
    });
  });

  test("the stack in an error answer is read as frames, innermost first", async (context) => {
    for (const [mode, frames] of Object.entries({
      "error-with-frames": ["handle (a.py:2)", ESCAPED],
      "error-with-python-trace": ["loads (/usr/lib/python3/json.py:9)", "handle (a.py:2)"],
      "error-with-java-trace": ["A.handle(A.java:2)", "A.main(A.java:9)"],
    })) {
      const service = await (await open(context, mode)).start(0);
      await assert.rejects(service.handle(PROBE), ({ details }: ImplementationError) => {
        const cause = "JSON-RPC error -32603: no handler";
        assert.deepEqual(details, { thrown: "no handler", frames, cause });
        return true;
      });
    }
  });

  test("an error answer ends neither the program nor its service", async (context) => {
    const service = await (await open(context, "error")).start(0);
    assert.equal(
      await messageOf(service.handle(PROBE)),
      "GET /v1/platform: JSON-RPC error -32603: no handler",
    );
    await service.close();
  });

  test("a program that hangs is ended, and the next service runs in a new program", async (context) => {
    const adapter = await open(context, "stubborn", { timeoutMs: 300, graceMs: 100 });
    const service = await adapter.start(0);
    const pid = await parentOf(service);
    assert.match(
      await messageOf(service.handle({ ...PROBE, path: "/hang" })),
      /GET \/hang: .* within 0.3 s$/,
    );
    await service.close();
    assert.notEqual(await parentOf(await adapter.start(0)), pid);
    assert.equal(isRunning(pid), false);
  });
});

async function parentOf(service: Service): Promise<number> {
  return ((await service.handle(PROBE)) as { body: { parent: number } }).body.parent;
}

test("a program that hangs at each start is given up after three attempts", async (context) => {
  const pauses: number[] = [];
  const clock = { now: () => 0, sleep: async (ms: number) => void pauses.push(ms) };
  const adapter = await open(context, "silent", { timeoutMs: 200, clock });
  const service = await adapter.start(0);
  assert.match(await messageOf(service.handle(PROBE)), /did not answer within 0.2 s$/);
  await service.close();
  assert.match(
    await messageOf(adapter.start(0)),
    /^the kit gave up after 3 failed attempts to restart the imp.*; GET/,
  );
  assert.match(adapter.lost?.message ?? "", /^the kit gave up/);
  assert.equal(await messageOf(adapter.start(0)), adapter.lost?.message);
  assert.equal(pauses.length, 2);
});

describe("a program that cannot be used", { concurrency: 3 }, () => {
  for (const [mode, message] of Object.entries({
    "start-protocol": "initialize: protocol must be 1, got 2",
    "start-contract": 'initialize: contract must be "partner-preview-1", got "partner-preview-2"',
    "start-facts": 'initialize: facts has the unknown name "metadataHost"; did you mean "metadataHosts"?',
    "start-crash": `initialize: the program exited with status 3: ValueError: wrong value${ESCAPED}`,
    "start-error": "initialize: JSON-RPC error -32603: no handler",
  }))
    test(mode, async (context) => assert.equal(await messageOf(open(context, mode)), message));

  test("is not found", async (context) => {
    const message = await messageOf(open(context, "", { command: "exec ./no-such-program" }));
    assert.match(message, /^initialize: the program exited with status 127: .*no-such-program/);
  });
});

describe("a program that follows the protocol in an unusual way", { concurrency: 3 }, () => {
  const handle = async (context: TestContext, mode: string, options = {}) =>
    (await (await open(context, mode, options)).start(0)).handle(PROBE);

  test("sends an answer that names a member twice", async (context) =>
    assert.deepEqual(await handle(context, "repeated-member"), {
      status: 400,
      body:
        '(a JSON object that names a member twice) {"jsonrpc":"2.0","id":3,"result":' +
        '{"status":400,"body":{"code":"A","productionApproved":true,"code":"B"}}}',
    }));
  test("answers in pieces, with CRLF and empty lines", async (context) =>
    assert.deepEqual(await handle(context, "pieces"), { status: 200, body: "é" }));

  test("answers requests in a different order", async (context) => {
    const service = await (await open(context, "reversed")).start(0);
    const paths = ["/1", "/2", "/3"];
    const responses = await Promise.all(paths.map((path) => service.handle({ ...PROBE, path })));
    assert.deepEqual(
      responses.map((response) => (response as { body: string }).body),
      paths,
    );
  });

  test("gets requests of the same turn together", async (context) => {
    const service = await (await open(context, "counted")).start(0);
    const responses = await Promise.all(Array.from({ length: 20 }, () => service.handle(PROBE)));
    assert.deepEqual(responses, Array(20).fill({ status: 200, body: 20 }));
  });

  test("sends a deeply nested result", async (context) =>
    assert(Array.isArray(await handle(context, "deep"))));

  test("gets only the environment variables that are passed on", async (context) => {
    process.env["KIT_TEST_VARIABLE"] = "1";
    const { body } = (await handle(context, "environment", { env: ["KIT_TEST_VARIABLE", "toString"] })) as {
      body: string[];
    };
    // Shells and Node set these variables.
    const own = body.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name));
    const passed = ["HOME", "KIT_TEST_VARIABLE", "LANG", "PATH", "TMPDIR"];
    assert.deepEqual(
      own,
      passed.filter((name) => process.env[name] !== undefined),
    );
  });

  test("gets the exact body, and no service name if it gave none", async (context) => {
    const service = await (await open(context, "")).start(7);
    const { body } = (await service.handle({ ...PROBE, body: new Uint8Array([0xff]), bearer: "b" })) as never;
    assert.deepEqual(body, { ...PROBE, bearer: "b", bodyBase64: "/w==" });
    assert.equal(service.nowMs, 7);
  });

  test("fails if it moves its clock too little", async (context) => {
    const service = await (await open(context, "slow-clock")).start(7);
    assert.equal(await messageOf(service.advance(3)), 'advance: expected {"nowMs":10}, got {"nowMs":0}');
  });
});

test("services that are open at the same time have separate processes", async (context) => {
  const adapter = await open(context, "stubborn", { graceMs: 100 });
  const [one, other] = [await adapter.start(0), await adapter.start(0)];
  const pid = await parentOf(one);
  assert.notEqual(await parentOf(other), pid);
  await one.close();
  assert.equal(await parentOf(await adapter.start(0)), pid);
});

test("close ends the program and the processes that it started", async (context) => {
  const adapter = await open(context, "child", { graceMs: 100 });
  const service = await adapter.start(0);
  const { body } = (await service.handle(PROBE)) as { body: { pid: number; parent: number } };
  assert(isRunning(body.pid));
  await adapter.close();
  await waitUntilGone(body.pid);
  await waitUntilGone(body.parent);
  await assert.rejects(adapter.start(0), /the adapter is closed/);
});

async function waitUntilGone(pid: number): Promise<void> {
  // The process is a zombie until its parent collects the exit status.
  while (isRunning(pid)) await new Promise(setImmediate);
}

/** Starts a process that opens an adapter to a hostile program, and runs a script with it. */
function startKit(mode: string, script: string) {
  const source = `
    import { DEFAULT_OPTIONS } from ${JSON.stringify(join(import.meta.dirname, "protocol.ts"))};
    import { openProgram } from ${JSON.stringify(join(import.meta.dirname, "stdio.ts"))};
    const probe = ${JSON.stringify(PROBE)};
    const contract = { version: "partner-preview-1", probe };
    const command = ${JSON.stringify(`${program} ${mode}`)};
    const adapter = await openProgram({ ...DEFAULT_OPTIONS, contract, command });
    const service = await adapter.start(0);
    console.log(JSON.stringify((await service.handle(probe)).body));
    ${script}
  `;
  const options = ["--import", "tsx", "--input-type=module", "--eval", source];
  return spawn(process.execPath, options, { stdio: ["ignore", "pipe", "inherit"] });
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGKILL"] as const)
  test(`${signal} to the kit ends the program and the processes that it started`, async () => {
    const kit = startKit("child", "");
    const [line] = await once(kit.stdout, "data");
    const { pid, parent } = JSON.parse(String(line));
    kit.kill(signal);
    const [, endedBy] = await once(kit, "exit");
    assert.equal(endedBy, signal);
    await waitUntilGone(pid);
    await waitUntilGone(parent);
  });

for (const [what, script] of [
  ["failed", 'await service.handle({ ...probe, path: "/fail" }).catch(() => {});'],
  ["exited", ""],
] as const)
  test(`the kit ends while a process in another session holds the pipes of a program that ${what}`, async () => {
    const kit = startKit("held-pipes", `${script} await adapter.close();`);
    const [line] = await once(kit.stdout, "data");
    const { pid } = JSON.parse(String(line));
    const [status] = await once(kit, "exit");
    assert.equal(status, 0);
    assert(isRunning(pid));
    process.kill(pid);
  });
