import type { ServiceRequest } from "../adapters/adapter.ts";
import { httpRequest } from "../adapters/http-request.ts";
import type { GoldenRequest, HttpForm, HttpHeader, JsonObject } from "./fixture.ts";

/**
 * An exchange by the contract's prospective HTTP mapping: the bytes that a client sends, and those of the answer, whose
 * body is the envelope's.
 *
 * @throws {NotTransportable} for a request that no HTTP message can carry
 */
export function httpForm(
  request: ServiceRequest,
  { status, body }: { readonly status: number; readonly body: JsonObject },
): HttpForm {
  const { method, path, headers } = httpRequest(request, "");
  return {
    request: { method, path, headers: headerList(headers), ...bodyText(request.body) },
    response: { status, headers: responseHeaders(status), body: JSON.stringify(body) },
  };
}

/** A request as the adapter protocol writes it. */
export function goldenRequest({ body, ...rest }: ServiceRequest): GoldenRequest {
  return { ...rest, ...bodyText(body) };
}

/** The request of a fixture as an adapter takes it. */
export function serviceRequest({ bodyBase64, ...request }: GoldenRequest): ServiceRequest {
  return bodyBase64 === undefined
    ? request
    : { ...request, body: new Uint8Array(Buffer.from(bodyBase64, "base64")) };
}

function bodyText(body: ServiceRequest["body"]): Pick<GoldenRequest, "body" | "bodyBase64"> {
  if (body === undefined) return {};
  return typeof body === "string" ? { body } : { bodyBase64: Buffer.from(body).toString("base64") };
}

/** An answer may hold a bearer, so nobody may keep it; every 401 names the scheme (RFC 9110, section 15.5.2). */
function responseHeaders(status: number): readonly HttpHeader[] {
  return headerList({
    "content-type": "application/json",
    "cache-control": "no-store",
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
  });
}

function headerList(headers: Readonly<Record<string, string>>): readonly HttpHeader[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
