import { oneLine, shown } from "./one-line.ts";

/** The `error` member of an answer (JSON-RPC 2.0, section 5.1), with what may be missing from it. */
export interface JsonRpcError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}

/** One answer, or in one line why the message is none. */
export type JsonRpcAnswer =
  | { readonly kind: "result"; readonly id: unknown; readonly result: unknown }
  | { readonly kind: "error"; readonly id: unknown; readonly error: JsonRpcError }
  | { readonly kind: "none"; readonly id: unknown; readonly why: string };

/** Text of a request (JSON-RPC 2.0, section 4). */
export function requestText(id: number, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

/** Reads the text of a message as an answer. Never throws. */
export function parseAnswer(text: string): JsonRpcAnswer {
  try {
    return readAnswer(JSON.parse(text));
  } catch {
    return { kind: "none", id: undefined, why: `what is no JSON: ${shown(text)}` };
  }
}

/** Reads a JSON value as an answer (JSON-RPC 2.0, section 5). Never throws. */
export function readAnswer(message: unknown): JsonRpcAnswer {
  if (typeof message !== "object" || message === null || Array.isArray(message)) {
    return { kind: "none", id: undefined, why: `what is no JSON-RPC answer: ${shown(message)}` };
  }
  const { jsonrpc, id, method, result, error } = message as Record<string, unknown>;
  const none = (why: string) => ({ kind: "none", id, why }) as const;
  if (jsonrpc !== "2.0") return none(`an answer without "jsonrpc":"2.0": ${shown(message)}`);
  if (method !== undefined) return none(`a request of its own: ${shown(method)}`);
  if (id === undefined) return none(`an answer without an id: ${shown(message)}`);
  if (error !== undefined && error !== null) {
    return { kind: "error", id, error: typeof error === "object" ? error : { message: String(error) } };
  }
  if (result === undefined) return none(`an answer with neither result nor error: ${shown(message)}`);
  return { kind: "result", id, result };
}

/** An error answer as one line, for the message of a fault. */
export function errorLine(error: JsonRpcError): string {
  const code = typeof error.code === "number" ? ` ${error.code}` : "";
  return `JSON-RPC error${code}: ${typeof error.message === "string" ? oneLine(error.message) : "(no message)"}`;
}
