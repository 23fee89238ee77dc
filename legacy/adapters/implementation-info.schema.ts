const text = { type: "string", minLength: 1 } as const;
const bound = { type: "integer", minimum: 1 } as const;

/** Names of an adapter's own: no version of the protocol will ever give them a meaning. */
const own = { patternProperties: { "^x-": {} }, additionalProperties: false } as const;

const facts = {
  type: "object",
  ...own,
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
      ...own,
      properties: { challenges: bound, sessions: bound, drafts: bound },
    },
  },
} as const;

/** JSON Schema of facts that are not complete yet: the metadata hosts may be told apart. */
export const factsSchema = facts;

/**
 * JSON Schema of what an implementation says of itself (adapter protocol, "capabilities" and "facts"). A name that the
 * protocol does not know is a slip that would leave something out in silence, so it is refused; what begins with `x-` is
 * the adapter's own. Beside the three members, and of the implementation itself, more may be said.
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
      ...own,
      properties: {
        clock: { enum: ["virtual", "real"] },
        restart: { type: "boolean" },
        rawBody: { type: "boolean" },
        concurrency: { type: "boolean" },
        instances: bound,
      },
    },
    facts: { ...facts, required: ["metadataHosts"] },
  },
} as const;

/** How both are compiled. */
export const schemaOptions = { verbose: true, strictTuples: false, validateSchema: false } as const;
