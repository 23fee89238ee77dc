import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { startCli } from "../testing/cli-process.ts";
import { keptOutput } from "../testing/output.ts";
import { runCli } from "../testing/run-cli.ts";
import { type ServeCommandOptions, serveCommand } from "./serve-command.ts";
import { UsageError } from "./usage-error.ts";

const DEFAULTS: ServeCommandOptions = { port: 0, host: "127.0.0.1", control: false };

/** Serves in this process; gives the readiness line, how to stop, and the exit status to come. */
async function serving(context: TestContext, options: Partial<ServeCommandOptions> = {}) {
  const events = new EventEmitter();
  const stop = once(events, "stop").then(() => undefined);
  const line = once(events, "line");
  const output = { ...keptOutput(), out: (text: string) => events.emit("line", text) };
  const status = serveCommand({ ...DEFAULTS, ...options }, { output, now: () => 1_000, stop });
  context.after(() => events.emit("stop"));
  const [text] = await line;
  return { ready: JSON.parse(text), text, status, stop: () => events.emit("stop") };
}

async function control(url: string, method: string, params: object): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body });
  return ((await answer.json()) as { result: unknown }).result;
}

/** Serves where it must not come so far. */
async function refused(options: Partial<ServeCommandOptions>): Promise<string> {
  const output = keptOutput();
  const edge = { output, now: () => 0, stop: Promise.resolve() };
  try {
    await serveCommand({ ...DEFAULTS, ...options }, edge);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    assert.deepEqual(output.texts, []);
    return error.message;
  }
  assert.fail("it served");
}

test("one line says where the service is, and it is there until it is stopped", async (context) => {
  const { ready, text, status, stop } = await serving(context);
  assert.match(text, /^\{.*\}\n$/);
  const metadataHosts = ["gateway-a.example", "gateway-b.example"];
  assert.deepEqual(ready, { url: ready.url, metadataHosts, pid: process.pid });
  assert.match(ready.url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
  assert.equal((await fetch(`${ready.url}/v1/platform`)).status, 200);
  assert.equal((await fetch(`${ready.url}/control`, { method: "POST" })).status, 404);
  stop();
  assert.equal(await status, 0);
  await assert.rejects(fetch(ready.url));
});

test("with --control the service is on a test clock", async (context) => {
  const { ready } = await serving(context, { control: true });
  assert.equal(ready.controlUrl, `${ready.url}/control`);
  await control(ready.controlUrl, "start", { nowMs: 5_000 });
  assert.deepEqual(await control(ready.controlUrl, "advance", { ms: 7 }), { nowMs: 5_007 });
});

test("a driver's shutdown ends it with status 0", async (context) => {
  const { ready, status } = await serving(context, { control: true });
  assert.deepEqual(await control(ready.controlUrl, "shutdown", {}), {});
  assert.equal(await status, 0);
});

test("the capacity that is asked for is kept, and stated to a driver", async (context) => {
  const { ready } = await serving(context, { control: true, capacity: 2 });
  const { facts } = (await control(ready.controlUrl, "initialize", {})) as { facts: { capacity: unknown } };
  assert.deepEqual(facts.capacity, { challenges: 2, sessions: 2, drafts: 2 });
  const profile = await (await fetch(`${ready.url}/v1/platform`)).json();
  const { termsHash } = profile as { termsHash: string };
  const body = JSON.stringify({ creator: "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGC", termsHash });
  const statuses = [];
  for (let count = 0; count < 3; count++) {
    statuses.push((await fetch(`${ready.url}/v1/auth/challenge`, { method: "POST", body })).status);
  }
  assert.deepEqual(statuses, [200, 200, 429]);
});

test("IPv6 loopback is served, also as a URL writes it", async (context) => {
  const { ready } = await serving(context, { host: "[::1]" });
  assert.match(ready.url, /^http:\/\/\[::1\]:\d+$/);
  assert.equal((await fetch(`${ready.url}/v1/platform`)).status, 200);
});

test("an address that other machines could reach is refused", async () => {
  for (const host of ["0.0.0.0", "::", "192.168.1.1", "127.0.0.1.example", "localhost.example", ""]) {
    assert.equal(
      await refused({ host }),
      `--host must be a loopback address, got ${host}: the reference is served on this machine only`,
    );
  }
});

test("a port in use is one line", async (context) => {
  const other = createServer().listen({ port: 0, host: "127.0.0.1" });
  context.after(() => other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  assert.match(await refused({ port }), new RegExp(`^cannot listen on 127\\.0\\.0\\.1:${port}: .*in use.*$`));
});

test("as a process it stops at SIGTERM with status 0, one line printed", async (context) => {
  const child = startCli(["serve", "--control"]);
  context.after(() => child.kill("SIGKILL"));
  const lines: string[] = [];
  assert.ok(child.stdout);
  const reader = createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  await once(reader, "line");
  const { url, controlUrl, pid } = JSON.parse(lines.join());
  assert.equal(pid, child.pid);
  assert.equal(controlUrl, `${url}/control`);
  assert.equal((await fetch(`${url}/v1/platform`)).status, 200);
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "close"), [0, null]);
  assert.equal(lines.length, 1);
});

test("a public address is refused with status 2 and one line", async () => {
  assert.deepEqual(await runCli(["serve", "--host", "0.0.0.0"]), {
    status: 2,
    stdout: "",
    stderr: "--host must be a loopback address, got 0.0.0.0: the reference is served on this machine only\n",
  });
});
