import { NotTransportable, type ServiceRequest } from "./adapter.ts";
import { exactBody } from "./request-body.ts";

/** A call of the service as an HTTP request (contract, "What the service does": the prospective mapping). */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: Uint8Array;
}

/** A method is a token (RFC 9110, sections 5.6.2 and 9.1). */
const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Visible ASCII from a slash on, without a fragment (RFC 9112, section 3.2.1). */
const PATH = /^\/[!"$-~]*$/;

/** A field value holds visible characters, inner spaces and tabs, and bytes up to 0xff (RFC 9110, section 5.5). */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Maps a call to HTTP.
 *
 * @param basePath what comes before the contract's path
 * @throws {NotTransportable} for what no HTTP message can carry unchanged
 */
export function httpRequest(request: ServiceRequest, basePath: string): HttpRequest {
  const { method, path, bearer, idempotencyKey } = request;
  if (!METHOD.test(method)) throw new NotTransportable("the method is no HTTP method");
  if (method === "CONNECT")
    throw new NotTransportable("CONNECT asks a proxy for a tunnel, not a service for an answer");
  if (method === "HEAD") throw new NotTransportable("an answer to HEAD has no body");
  if (!PATH.test(path))
    throw new NotTransportable("the path has characters that no HTTP request line can carry");
  const headers: Record<string, string> = { accept: "application/json" };
  if (bearer !== undefined) headers["authorization"] = `Bearer ${fieldValue(bearer, "bearer")}`;
  if (idempotencyKey !== undefined)
    headers["idempotency-key"] = fieldValue(idempotencyKey, "idempotency key");
  const body = exactBody(request.body);
  if (body === undefined) return { method, path: basePath + path, headers };
  headers["content-type"] = "application/json";
  return {
    method,
    path: basePath + path,
    headers,
    body: typeof body === "string" ? Buffer.from(body) : body,
  };
}

function fieldValue(value: string, name: string): string {
  if (!FIELD_VALUE.test(value)) {
    throw new NotTransportable(`the ${name} has characters that no HTTP header can carry`);
  }
  if (value !== value.trim())
    throw new NotTransportable(`the ${name} has outer white space, which HTTP removes`);
  return value;
}
