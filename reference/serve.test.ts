import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type ServeOptions, serveReference } from "./serve.ts";

async function served(context: TestContext, options: Partial<ServeOptions> = {}) {
  const now = { ms: Date.UTC(2026, 9, 10) };
  const server = await serveReference({
    port: 0,
    host: "127.0.0.1",
    control: false,
    now: () => now.ms,
    ...options,
  });
  context.after(() => server.close());
  const ask = async (path: string, init?: RequestInit) =>
    (await (await fetch(`${server.url}${path}`, init)).json()) as Record<string, unknown>;
  const { termsHash } = await ask("/v1/platform");
  const body = JSON.stringify({ creator: "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGC", termsHash });
  const challenge = () => ask("/v1/auth/challenge", { method: "POST", body });
  return { server, now, challenge };
}

test("without control, the service uses the given clock", async (context) => {
  const { server, now, challenge } = await served(context);
  assert.equal(server.controlUrl, undefined);
  assert.equal((await challenge())["expiresAt"], "2026-10-10T00:01:00.000Z");
  now.ms += 5_000;
  assert.equal((await challenge())["expiresAt"], "2026-10-10T00:01:05.000Z");
});

test("with control, the clock of the service stands still", async (context) => {
  const { server, now, challenge } = await served(context, { control: true });
  assert.equal(server.controlUrl, `${server.url}/control`);
  now.ms += 5_000;
  assert.equal((await challenge())["expiresAt"], "2026-10-10T00:01:00.000Z");
});

test("the capacity can be chosen", async (context) => {
  const { challenge } = await served(context, { capacity: 1 });
  assert.equal((await challenge())["code"], undefined);
  assert.equal((await challenge())["code"], "OFFLINE_CAPACITY");
});
