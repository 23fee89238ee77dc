const text = { type: "string", minLength: 1 } as const;
const bound = { type: "integer", minimum: 1 } as const;

/**
 * JSON Schema of what an implementation says of itself (adapter protocol, "capabilities" and "facts"). Members
 * that the protocol does not name are let be: an adapter may say more than this version of the kit asks for.
 */
export const implementationInfoSchema = {
  type: "object",
  required: ["implementation", "facts"],
  properties: {
    implementation: {
      type: "object",
      required: ["name", "version"],
      properties: { name: text, version: text, language: text },
    },
    capabilities: {
      type: "object",
      properties: {
        clock: { enum: ["virtual", "real"] },
        restart: { type: "boolean" },
        rawBody: { type: "boolean" },
        concurrency: { type: "boolean" },
      },
    },
    facts: {
      type: "object",
      required: ["metadataHosts"],
      properties: {
        metadataHosts: {
          type: "array",
          minItems: 2,
          maxItems: 2,
          items: { type: "string", pattern: "^[^\\s/\\\\:@?#]+$" },
        },
        operatorKey: { type: "string", pattern: "^[1-9A-HJ-NP-Za-km-z]{32,44}$" },
        signedBytes: { enum: ["utf8", "hex", "base64", "sha256", "adapter"] },
        capacity: {
          type: "object",
          properties: { challenges: bound, sessions: bound, drafts: bound },
        },
      },
    },
  },
} as const;
