import type { ClientRequest } from "../../../engine/client/trace.ts";
import { type SecretFinding, secretsInRequest } from "./secret-in-request.ts";

/** What stands in place of whatever holds a key. */
export const MASK = "(a private key)";

/**
 * A request without the parts that hold a private key, so that what is shown can be kept, and sent on: the smallest parts
 * that can be cut out as they were written, else the whole body or all headers.
 */
export function maskedRequest(
  request: ClientRequest,
  findings: readonly SecretFinding[],
  secretKeys: readonly string[],
): ClientRequest {
  const texts = new Set(findings.map(({ text }) => text));
  const mask = (whole: string) =>
    [...texts].reduce((left, text) => (left.includes(text) ? left.replaceAll(text, MASK) : left), whole);
  const body = request.body === undefined ? undefined : mask(Buffer.from(request.body).toString());
  const cut: ClientRequest = {
    method: mask(request.method),
    target: mask(request.target),
    headers: request.headers.map(([name, value]) => [mask(name), mask(value)]),
    ...(body === undefined ? {} : { body: bytesOf(body) }),
  };
  const left = secretsInRequest(cut, secretKeys).map(({ where }) => where);
  if (left.length === 0) return cut;
  return {
    ...cut,
    headers: left.some((where) => where.includes("header"))
      ? cut.headers.map(([name]) => [name, MASK])
      : cut.headers,
    ...(left.some((where) => where.includes("body")) ? { body: bytesOf(MASK) } : {}),
  };
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text));
}
