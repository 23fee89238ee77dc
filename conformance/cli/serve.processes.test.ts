import assert from "node:assert/strict";
import { test } from "node:test";
import { serveHttp } from "../../reference/http.ts";
import { controlledService } from "../../reference/http-control.ts";
import * as reference from "../../reference/service.ts";
import { MACHINE_CLOCK } from "../adapters/protocol.ts";
import { main } from "./main.ts";
import { fakeEdge } from "./testing/fake-edge.ts";

interface Served {
  readonly url: string;
  readonly controlUrl: string;
}

/** Starts `serve`. Resolves when it accepts connections. */
async function serve(...args: readonly string[]) {
  const [interruption, checks] = [new AbortController(), new Set<() => void>()];
  let parent = 1;
  const { promise, resolve } = withResolver<Served>();
  const edge = fakeEdge({
    clock: MACHINE_CLOCK,
    interrupted: interruption.signal,
    write: (text) => resolve(JSON.parse(text)),
    every: (_, callback) => {
      checks.add(callback);
      return () => checks.delete(callback);
    },
    parentPid: () => parent,
  });
  const status = main(["serve", ...args], edge);
  const orphan = () => {
    parent = 2;
    for (const check of checks) check();
  };
  return { ...(await promise), status, checks, orphan, interrupt: () => interruption.abort("interrupted") };
}

function withResolver<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((give) => {
    resolve = give;
  });
  return { promise, resolve };
}

/** Runs a command. Returns its exit status, output, and errors. */
async function command(...args: readonly string[]) {
  const edge = fakeEdge({ program: "kit", clock: MACHINE_CLOCK });
  const status = await main(args, edge);
  return { status, text: edge.texts.join("") };
}

test("the served reference passes tests on a test clock, and stops on a shutdown message", async () => {
  const { url, controlUrl, status, checks } = await serve("--control");
  const only = ["--only", "challenge/**", "idempotency/**", "over-http/**"];
  const judged = await command("run", "--url", url, "--control-url", controlUrl, ...only);
  assert.equal(judged.status, 0, judged.text);
  assert.match(judged.text, /^Tests {6}\d{2,} passed, 0 failed, \d+ skipped, 0 errors/m);
  assert.equal(await status, 0);
  assert.equal(checks.size, 0);
});

test("a server that responds to OPTIONS and HEAD without the service is accepted", async (context) => {
  const service = await controlledService(reference, 100);
  const handle: typeof service.handle = (call) =>
    ["OPTIONS", "HEAD"].includes(call.method) ? { status: 204, body: "" } : service.handle(call);
  const { url, close } = await serveHttp({ handle }, { port: 0, control: service.control });
  context.after(close);
  const only = ["over-http/methods-*", "routes/wrong-*", "no-execution/methods-*", "property/universal"];
  const server = ["--url", url, "--control-url", `${url}/control`, "--runs", "20", "--verbose"];
  const judged = await command("run", ...server, ...only.flatMap((id) => ["--only", id]));
  assert.equal(judged.status, 0, judged.text);
  for (const method of ["OPTIONS", "HEAD"])
    assert.match(judged.text, new RegExp(`${method}-OVER-HTTP: served`));
});

test("a server without a test clock stops on a signal, or when the process that started it ends", async () => {
  for (const end of ["interrupt", "orphan"] as const) {
    const server = await serve();
    assert.equal(server.controlUrl, undefined);
    const response = await fetch(`${server.url}/v1/platform`);
    assert.equal(response.status, 200);
    await response.text();
    server[end]();
    assert.equal(await server.status, 0);
  }
});

test("a port that is in use is an error", async () => {
  const server = await serve();
  const taken = await command("serve", "--port", new URL(server.url).port);
  assert.equal(taken.status, 3);
  assert.match(taken.text, /^cannot listen on .*EADDRINUSE.*; choose another --port\n$/);
  server.interrupt();
  await server.status;
});
