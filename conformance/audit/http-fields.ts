import type { ServiceRequest } from "../adapters/adapter.ts";
import type { Credentials } from "../engine/audit/recorded.ts";
import { isJson } from "./is-json.ts";

/** Names and values, in the order in which they were sent. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** What the headers of a request say of who asks, and under which key. */
export function callerIn(fields: Fields): Pick<
  ServiceRequest,
  "bearer" | "idempotencyKey" | "authorization"
> & {
  readonly credentials: Credentials;
} {
  const values = (wanted: string) =>
    fields.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value.trim()] : []));
  const authorization = values("authorization");
  const keys = values("idempotency-key");
  const own = keys.length === 0 ? {} : { idempotencyKey: keys.join(", ") };
  if (authorization.length === 0) return { ...own, credentials: keys.length > 1 ? "odd" : "none" };
  const bearer = authorization.length === 1 ? /^Bearer (\S+)$/.exec(authorization[0] ?? "")?.[1] : undefined;
  // Of several lines services take the first, the last or all.
  return bearer === undefined || keys.length > 1
    ? { ...own, authorization: authorization.join(", "), credentials: "odd" }
    : { ...own, bearer, credentials: "bearer" };
}

/** Whether less of a body came than its head says: whoever sent it broke off, or was answered before. */
export function isCutShort(fields: Fields, bytes: number): boolean {
  return bytes < (lengthIn(fields) ?? 0);
}

/** Whether a body that the kit wrote down was {@link isCutShort}: masks may have made a whole one shorter. */
export function isBrokenOff(fields: Fields, body: string | Uint8Array = ""): boolean {
  return isCutShort(fields, Buffer.byteLength(body)) && !isJson(body);
}

/** How long a body was, as its Content-Length says. */
export function lengthIn(fields: Fields): number | undefined {
  const [, value] = fields.find(([name]) => name.toLowerCase() === "content-length") ?? [];
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
}
