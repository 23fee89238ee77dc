import { isUtf8 } from "node:buffer";
import { NotTransportable } from "./adapter.ts";

/**
 * A request body in its one form: text wherever the bytes are valid UTF-8, otherwise the bytes (adapter protocol, "In
 * process" and "Messages").
 *
 * @throws {NotTransportable} for a string with half a surrogate pair, which is no text that bytes could carry
 */
export function exactBody(body: string | Uint8Array | undefined): string | Uint8Array | undefined {
  if (body === undefined) return undefined;
  if (typeof body === "string") {
    if (/\p{Cs}/u.test(body))
      throw new NotTransportable("the body has half a surrogate pair, which UTF-8 cannot carry");
    return body;
  }
  return isUtf8(body) ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString() : body;
}

/**
 * The JSON value of a body, for an implementation that takes no raw text (adapter protocol, "capabilities").
 *
 * @throws {NotTransportable} where the body is no JSON text
 */
export function parsedBody(body: string | Uint8Array | undefined): unknown {
  if (body === undefined) return undefined;
  try {
    return JSON.parse(typeof body === "string" ? body : "");
  } catch {
    throw new NotTransportable("the body is no JSON, and this implementation takes only parsed bodies");
  }
}
