import assert from "node:assert/strict";
import { test } from "node:test";
import { serveHttp } from "./http-endpoint.ts";

test("a request that is too long closes its connection, and the next request is answered", async (context) => {
  const envelope = { status: 200, body: {} };
  const handle = async () => ({ envelope, headers: {}, text: "{}", delayMs: 0 });
  const endpoint = await serveHttp(handle, handle);
  context.after(() => endpoint.close());
  const post = (length: number) => fetch(endpoint.url, { method: "POST", body: "x".repeat(length) });
  await assert.rejects(post(17 * 1024 * 1024), { message: "fetch failed" });
  assert.equal(await (await post(1)).text(), "{}");
});
