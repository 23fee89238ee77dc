import type { Facts, ServiceRequest } from "../adapters/adapter.ts";
import { httpRequest } from "../adapters/http-request.ts";
import type {
  ExchangeStep,
  GoldenProof,
  GoldenRequest,
  HttpForm,
  HttpHeader,
  JsonObject,
  MadeProof,
  Substitution,
} from "./fixture.ts";
import { atPointer } from "./matchers.ts";

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

/** Members of answers that clients send back. */
const SENT_BACK = ["/termsHash", "/id", "/bearer"];

/**
 * The texts of a request that another run, or another implementation, has otherwise.
 * @param earlier the exchanges before it
 * @param proofs every proof that was made, by its text
 */
export function substitutionsIn(
  request: GoldenRequest,
  earlier: readonly ExchangeStep[],
  proofs: ReadonlyMap<string, MadeProof>,
  facts: Facts,
): readonly Substitution[] {
  const found = new Map<string, Substitution>();
  const add = (substitution: Substitution) => {
    if (mentions(request, substitution.value)) found.set(substitution.value, substitution);
  };
  for (const { step, response } of earlier) {
    for (const pointer of SENT_BACK) {
      const value = atPointer(response.body, pointer);
      if (typeof value === "string" && value !== "") add({ value, step, pointer });
    }
  }
  for (const [value, { by, text, ...changes }] of proofs) {
    const signed = earlier.findLast(({ response }) => response.body["message"] === text);
    if (signed === undefined) continue;
    const proof: GoldenProof = { by, step: signed.step, pointer: "/message", ...changes };
    add({ value, proof });
  }
  const [hostA, hostB] = facts.metadataHosts;
  add({ value: hostA, fact: "/metadataHosts/0" });
  add({ value: hostB, fact: "/metadataHosts/1" });
  if (facts.operatorKey !== undefined) add({ value: facts.operatorKey, fact: "/operatorKey" });
  return [...found.values()];
}

/** The request with every text replaced by what it is in this run. */
export function substitute(
  request: GoldenRequest,
  values: readonly (readonly [old: string, now: string])[],
): GoldenRequest {
  const replaced = (text: string) =>
    values.reduce((inner, [old, now]) => inner.replaceAll(old, () => now), text);
  const { body, bearer, idempotencyKey } = request;
  return {
    ...request,
    ...(body === undefined ? {} : { body: replaced(body) }),
    ...(bearer === undefined ? {} : { bearer: replaced(bearer) }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey: replaced(idempotencyKey) }),
  };
}

function mentions({ body = "", bearer = "" }: GoldenRequest, value: string): boolean {
  return body.includes(value) || bearer === value;
}
