import { jsonRpcMessages } from "../../adapters/json-rpc.schema.ts";
import { SIGNED_BYTES } from "../../engine/client/client-protocol.ts";

const text = { type: "string" } as const;
const address = { description: "A public key, base58.", type: "string" } as const;

/** What a client is given: a launch, and all that it takes. Members that are not named here may come later. */
const task = {
  type: "object",
  required: [
    "protocol",
    "contract",
    "task",
    "id",
    "baseUrl",
    "creator",
    "token",
    "nowMs",
    "deadlineMs",
    "retryAfterScale",
  ],
  properties: {
    protocol: { const: 1 },
    contract: text,
    task: { const: "launch" },
    id: { description: "The launch as its user means it: the same for the same launch.", type: "string" },
    again: { description: "Whether this very launch was given before.", const: true },
    baseUrl: { description: "Where the service is, without a slash at the end.", type: "string" },
    creator: {
      type: "object",
      required: ["address", "secretKeyBase64"],
      properties: {
        address,
        secretKeyBase64: {
          description: "64 bytes, base64: the Ed25519 seed, and then the public key.",
          type: "string",
        },
      },
    },
    token: {
      type: "object",
      required: ["mint", "name", "symbol", "uri"],
      properties: { mint: address, name: text, symbol: text, uri: text },
    },
    nowMs: { description: "Where the client's clock stands: ms since 1970.", type: "number" },
    deadlineMs: { description: "Real time that the client has for it.", type: "number" },
    retryAfterScale: {
      description: "What the client may multiply each of its waits by.",
      type: "number",
      exclusiveMinimum: 0,
      maximum: 1,
    },
  },
} as const;

/** How a client ends its task: one of three. */
const result = {
  type: "object",
  oneOf: ["draft", "refused", "distrusted"].map((end) => ({
    required: [end],
    properties: { [end]: true },
  })),
  properties: {
    draft: { description: "The body of the build's answer, as it came.", type: "object" },
    refused: {
      description: "It has given up: the answer that it gave up at, or why without one.",
      type: "object",
      properties: { status: { type: "integer" }, code: text, reason: text },
    },
    distrusted: { description: "Why the service or its draft is not believed.", type: "string" },
  },
} as const;

/** Who a client is, as one that stays says it. */
const initialized = {
  type: "object",
  required: ["protocol"],
  properties: {
    protocol: { const: 1 },
    client: {
      type: "object",
      properties: { name: text, version: text, language: text },
      patternProperties: { "^x-": true },
      additionalProperties: false,
    },
    facts: {
      type: "object",
      properties: { signedBytes: { enum: SIGNED_BYTES } },
      patternProperties: { "^x-": true },
      additionalProperties: false,
    },
  },
} as const;

/** Params of each message to a client that stays. */
const params = {
  initialize: {
    type: "object",
    required: ["protocol", "contract"],
    properties: { protocol: { const: 1 }, contract: text },
  },
  launch: { $ref: "#/$defs/task" },
  shutdown: { type: "object" },
} as const;

/**
 * JSON Schema (2020-12) of what goes between the kit and a client: a task, a result, or a message that has one of them in
 * it. What the `result` of a message must be stands under `$defs`: `initialized`, or `result`.
 */
export const clientProtocolSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $comment: "Written by `npm run docs` from legacy/contract/client/client-protocol.schema.ts.",
  title: "What goes between the kit and a client, version 1",
  description:
    "A task and its result, as they are for a program that is run once for each; or messages of JSON-RPC 2.0, for one that stays.",
  oneOf: ["task", "result", "request", "answer", "error"].map((name) => ({ $ref: `#/$defs/${name}` })),
  $defs: {
    task,
    result,
    initialized,
    ...jsonRpcMessages(params),
  },
};
