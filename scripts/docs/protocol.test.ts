import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ImplementationInfo } from "../../legacy/adapters/adapter.ts";
import { type ProtocolMethod, protocolSchema, resultName } from "../../legacy/adapters/protocol.schema.ts";
import { initialize, ProtocolConnection } from "../../legacy/adapters/protocol-connection.ts";
import { PROTOCOL_SCHEMA, protocolSchemaText } from "./protocol-schema.ts";
import { readTranscript, TRANSCRIPT, transcriptOfPage } from "./transcript.ts";

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, strictRequired: false });
ajv.addSchema(protocolSchema, "protocol");
const isMessage = (value: unknown) => ajv.validate("protocol", value) === true;
const isResult = (method: string, value: unknown) =>
  ajv.validate(`protocol#/$defs/${resultName(method as ProtocolMethod)}`, value) === true;

const INFO: ImplementationInfo = {
  implementation: { name: "sample", version: "1" },
  capabilities: { clock: "virtual", restart: true, rawBody: true, concurrency: true, instances: 2 },
  facts: { metadataHosts: ["a.example", "b.example"], signedBytes: "adapter", capacity: {} },
};
const RESULTS: Readonly<Record<string, unknown>> = {
  initialize: { protocol: 1, ...INFO },
  start: { service: 1 },
  handle: { status: 200, body: {} },
  advance: { nowMs: 1_000 },
  bytesToSign: { base64: "AA==" },
};

test("the schema of the protocol's messages is the kit's own: `npm run docs` writes it", () => {
  assert.equal(readFileSync(PROTOCOL_SCHEMA, "utf8"), protocolSchemaText());
});

test("what the kit sends, and the least that it takes, fit the schema", async () => {
  const sent: unknown[] = [];
  const call = async (method: string, params: object) => {
    sent.push(JSON.parse(JSON.stringify({ jsonrpc: "2.0", id: sent.length + 1, method, params })));
    assert.ok(isResult(method, RESULTS[method]), `${method}: ${ajv.errorsText()}`);
    return RESULTS[method];
  };
  await initialize(call, "partner-preview-1");
  const connection = new ProtocolConnection(INFO, call, async () => {}, { free: [] });
  await connection.start(0);
  await connection.start(0);
  await connection.handle({ method: "GET", path: "/v1/platform" });
  const body = Uint8Array.from([255]);
  await connection.handle({ method: "POST", path: "/v1/x", body, bearer: "b", idempotencyKey: "k" });
  await connection.handle({ method: "POST", path: "/v1/x", body: "{}" });
  await connection.advance(1_000);
  await connection.bytesToSign("text");
  assert.equal(sent.length, 8);
  for (const message of sent)
    assert.ok(isMessage(message), `${JSON.stringify(message)}: ${ajv.errorsText()}`);
});

test("what is no message of the protocol does not fit the schema", () => {
  const message = { jsonrpc: "2.0", id: 1 };
  const handle = { method: "POST", path: "/" };
  for (const wrong of [
    {},
    { id: 1, result: {} },
    message,
    { ...message, method: "reset", params: {} },
    { ...message, method: "start", params: {} },
    { ...message, method: "advance", params: { ms: -1 } },
    { ...message, method: "handle", params: { ...handle, body: {} } },
    { ...message, method: "handle", params: { ...handle, body: "", bodyBase64: "" } },
    { ...message, error: { code: -32603 } },
    { ...message, result: {}, error: { code: 1, message: "both" } },
  ]) {
    assert.equal(isMessage(wrong), false, JSON.stringify(wrong));
  }
  const facts = { metadataHosts: ["a.example"] };
  assert.equal(isResult("initialize", { ...(RESULTS["initialize"] as object), facts }), false);
  assert.equal(isResult("handle", { status: "200", body: {} }), false);
  assert.equal(isResult("start", { service: {} }), false);
});

test("each line of the transcript fits the schema, and has every message", () => {
  const lines = readTranscript(readFileSync(TRANSCRIPT, "utf8"));
  const asked = new Map<number, string>();
  for (const { from, message } of lines) {
    assert.ok(isMessage(message), `${JSON.stringify(message)}: ${ajv.errorsText()}`);
    if (from === "kit") asked.set(message.id, message.method ?? "");
    else if (message["result"] !== undefined) {
      assert.ok(isResult(asked.get(message.id) ?? "", message["result"]), ajv.errorsText());
    }
  }
  assert.equal(lines.length, 2 * asked.size);
  assert.deepEqual([...new Set(asked.values())].sort(), [
    "advance",
    "bytesToSign",
    "handle",
    "initialize",
    "shutdown",
    "start",
  ]);
});

test("the page on the protocol shows the transcript as it was recorded", () => {
  assert.equal(transcriptOfPage(), readFileSync(TRANSCRIPT, "utf8"));
});
