import type { JsonObject } from "../../adapters/json.ts";
import type { ClientRequest } from "../history.ts";

/**
 * Returns the HTTP request that a call of `handle` represents (contract, "Endpoints"). Unknown members
 * of the call become headers, so that rules see everything that a client sends.
 */
export function requestOfCall(
  call: JsonObject,
): Pick<ClientRequest, "method" | "path" | "headers" | "bytes"> {
  const { method, path, body, bodyBase64, bearer, idempotencyKey, ...others } = call;
  const headers: [name: string, value: string][] = [];
  const addHeader = (name: string, value: unknown, prefix = "") => {
    if (isPresent(value)) headers.push([name, prefix + textOf(value)]);
  };
  addHeader("authorization", bearer, "Bearer ");
  addHeader("idempotency-key", idempotencyKey);
  for (const [name, value] of Object.entries(others)) addHeader(name.toLowerCase(), value);
  const bytes = typeof bodyBase64 === "string" ? Buffer.from(bodyBase64, "base64") : bytesOf(body);
  return { method: textOf(method ?? ""), path: textOf(path ?? ""), headers, bytes };
}

function bytesOf(body: unknown): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(isPresent(body) ? textOf(body) : "");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
