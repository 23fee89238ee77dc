import { isObject } from "../../adapters/json.ts";
import type { SentRequest } from "../history.ts";

/**
 * Returns the HTTP request that a call of `handle` represents (contract, "Endpoints"). Unknown members
 * of the call become headers, so that rules see everything that a client sends.
 */
export function requestOfCall(call: unknown): SentRequest {
  if (!isObject(call)) throw new TypeError("handle takes an object with method and path");
  const { method = "", path = "", body = "", bearer, idempotencyKey, ...others } = call;
  // Without a prototype, because a name can be `constructor`.
  const headers: Record<string, string[]> = Object.create(null);
  const addHeader = (name: string, value: unknown, prefix = "") => {
    const key = name.toLowerCase();
    if (isPresent(value)) headers[key] = [...(headers[key] ?? []), prefix + textOf(value)];
  };
  addHeader("authorization", bearer, "Bearer ");
  addHeader("idempotency-key", idempotencyKey);
  for (const [name, value] of Object.entries(others)) addHeader(name, value);
  return {
    method: textOf(method),
    path: textOf(path),
    headers,
    bytes: Buffer.from(body instanceof Uint8Array ? body : textOf(body ?? "")),
  };
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}
