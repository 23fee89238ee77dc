import { METHODS } from "node:http";
import { NotTransportable, type ServiceRequest } from "./adapter.ts";
import { requireNoHanding } from "./plain-request.ts";
import { exactBody } from "./request-body.ts";

/** A call of the service as an HTTP request (contract, "What the service does": the prospective mapping). */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  /** Text wherever it is valid UTF-8. */
  readonly body?: string | Uint8Array;
  /** Whether the body goes in chunks, without its length. */
  readonly chunked?: true;
}

/** The registered methods (RFC 9110, section 16.1): servers refuse others, in their own words, before any handler. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);

/** Empty and dot segments: servers rewrite or redirect them before any handler (RFC 3986, section 6.2.2.3). */
const REWRITTEN_PATH = /^[^?]*\/(?:\.{0,2}\/|\.{1,2}(?:$|\?))/;

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
  requireNoHanding(request);
  const { method, path, bearer, idempotencyKey, authorization, chunked = false } = request;
  if (!KNOWN_METHODS.has(method)) throw new NotTransportable("the method is none that HTTP servers pass on");
  if (method === "CONNECT")
    throw new NotTransportable("CONNECT asks a proxy for a tunnel, not a service for an answer");
  if (method === "HEAD") throw new NotTransportable("an answer to HEAD has no body");
  if (!PATH.test(path))
    throw new NotTransportable("the path has characters that no HTTP request line can carry");
  if (REWRITTEN_PATH.test(path))
    throw new NotTransportable("the path has empty or dot segments, which HTTP servers rewrite");
  const headers: Record<string, string> = { accept: "application/json" };
  if (bearer !== undefined) headers["authorization"] = `Bearer ${fieldValue(bearer, "bearer")}`;
  if (authorization !== undefined) headers["authorization"] = fieldValue(authorization, "authorization");
  if (idempotencyKey !== undefined)
    headers["idempotency-key"] = fieldValue(idempotencyKey, "idempotency key");
  const body = exactBody(request.body);
  if (body === undefined) return { method, path: basePath + path, headers };
  headers["content-type"] = "application/json";
  return {
    method,
    path: basePath + path,
    headers,
    body,
    ...(chunked ? { chunked } : {}),
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
