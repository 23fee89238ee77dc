import { implementationInfoSchema } from "./implementation-info.schema.ts";
import { jsonRpcMessages } from "./json-rpc.schema.ts";

const text = { type: "string" } as const;
const service = {
  description: "Names a service among those of one adapter, where `instances` says that it holds several.",
  anyOf: [{ type: "string" }, { type: "number" }],
} as const;
const noMembers = { type: "object" } as const;

/** Params of each message: what the kit sends. */
const params = {
  initialize: {
    type: "object",
    required: ["protocol", "contract"],
    properties: { protocol: { const: 1 }, contract: text },
  },
  start: {
    type: "object",
    required: ["nowMs"],
    properties: {
      nowMs: { description: "What the clock of the new service reads: ms since 1970.", type: "integer" },
      service: { ...service, description: "Starts this service anew, and no other." },
    },
  },
  handle: {
    type: "object",
    required: ["method", "path"],
    properties: {
      service,
      method: text,
      path: text,
      body: { description: "Exact text of the request body.", type: "string" },
      bodyBase64: {
        description: "The request body, where its bytes are not valid UTF-8.",
        type: "string",
        pattern: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
      },
      bearer: text,
      idempotencyKey: text,
    },
    not: { required: ["body", "bodyBase64"], properties: { body: true, bodyBase64: true } },
  },
  advance: {
    type: "object",
    required: ["ms"],
    properties: { service, ms: { type: "integer", minimum: 0 } },
  },
  bytesToSign: { type: "object", required: ["message"], properties: { message: text } },
  shutdown: noMembers,
} as const;

/** Result of each message: what the adapter answers. */
const results = {
  initialize: {
    ...implementationInfoSchema,
    required: ["protocol", ...implementationInfoSchema.required],
    properties: { protocol: { const: 1 }, ...implementationInfoSchema.properties },
  },
  start: {
    type: "object",
    properties: {
      service,
      baseUrl: {
        description: "Over HTTP: where this service listens, as a URL, or relative to the control URL.",
        type: "string",
      },
    },
  },
  handle: {
    type: "object",
    required: ["status", "body"],
    properties: { status: { type: "integer" }, body: { description: "The JSON value of the answer." } },
  },
  advance: {
    type: "object",
    required: ["nowMs"],
    properties: { nowMs: { description: "What the clock of the service reads now.", type: "number" } },
  },
  bytesToSign: {
    type: "object",
    required: ["base64"],
    properties: { base64: { description: "What a client signs for the message.", type: "string" } },
  },
  shutdown: {},
} as const;

/** The messages of the adapter protocol. */
export type ProtocolMethod = keyof typeof params;

const methods = Object.keys(params) as ProtocolMethod[];
const title = (method: string) => `${method.charAt(0).toUpperCase()}${method.slice(1)}`;
const paramsName = (method: ProtocolMethod) => `params${title(method)}`;

/** Where the result of a message stands among the `$defs` of {@link protocolSchema}. */
export const resultName = (method: ProtocolMethod): string => `result${title(method)}`;

/**
 * JSON Schema (2020-12) of one message of the adapter protocol, in either direction. An answer does not say what it answers:
 * what its `result` must be stands under `$defs`, by the name that {@link resultName} gives.
 */
export const protocolSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $comment: "Written by `npm run docs` from legacy/adapters/protocol.schema.ts.",
  title: "A message of the adapter protocol, version 1",
  description: "JSON-RPC 2.0. The kit sends requests; the adapter answers each with a result or an error.",
  oneOf: [{ $ref: "#/$defs/request" }, { $ref: "#/$defs/answer" }, { $ref: "#/$defs/error" }],
  $defs: {
    ...jsonRpcMessages(
      Object.fromEntries(methods.map((method) => [method, { $ref: `#/$defs/${paramsName(method)}` }])),
    ),
    ...Object.fromEntries(methods.map((method) => [paramsName(method), params[method]])),
    ...Object.fromEntries(methods.map((method) => [resultName(method), results[method]])),
  },
};
