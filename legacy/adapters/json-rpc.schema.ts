/**
 * Definitions of JSON-RPC 2.0's messages, as a JSON Schema's `$defs`: `request`, `answer` and `error`.
 *
 * @param params the schema of what each method is given, by the method's name
 */
export function jsonRpcMessages(params: Readonly<Record<string, object>>) {
  return {
    request: {
      type: "object",
      required: ["jsonrpc", "id", "method", "params"],
      properties: { jsonrpc: { const: "2.0" }, id: { type: "integer" }, method: true, params: true },
      oneOf: Object.entries(params).map(([method, schema]) => ({
        properties: { method: { const: method }, params: schema },
      })),
    },
    answer: {
      type: "object",
      required: ["jsonrpc", "id", "result"],
      properties: {
        jsonrpc: { const: "2.0" },
        id: { type: "integer" },
        method: false,
        result: true,
        error: { type: "null" },
      },
    },
    error: {
      type: "object",
      required: ["jsonrpc", "id", "error"],
      properties: {
        jsonrpc: { const: "2.0" },
        id: { type: "integer" },
        method: false,
        result: { type: "null" },
        error: {
          type: "object",
          required: ["code", "message"],
          properties: { code: { type: "integer" }, message: { type: "string" } },
        },
      },
    },
  } as const;
}
