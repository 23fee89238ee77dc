import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { httpAdapter } from "../adapters/http.ts";
import { SERVED } from "../testing/adapters/served-contract.ts";
import { recordingAdapter } from "./recording-adapter.ts";

const BODIES = ['{"a":1}', '"{\\"a\\":1}"', '"1"', "[1]", "null", "<h1>Bad Gateway</h1>"] as const;

test("what a server answers is recorded as it sent it, an object within a text included", async (context) => {
  let body = "";
  const server = createServer((_, response) => response.end(body)).listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const recorded: unknown[] = [];
  const adapter = recordingAdapter(
    httpAdapter({
      url,
      facts: { metadataHosts: ["a.example", "b.example"] },
    }),
    () => 0,
    {
      connected: () => {},
      passed: (item) => recorded.push(item.kind === "exchange" ? item.response?.body : undefined),
    },
  );
  const connection = await adapter.connect(SERVED);
  for (body of BODIES) await connection.handle({ method: "GET", path: "/" });
  await adapter.close();
  assert.deepEqual(recorded, BODIES);
});
