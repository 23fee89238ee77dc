import { isUtf8 } from "node:buffer";
import type { ServiceRequest } from "../../../adapters/adapter.ts";
import type { ClientRequest } from "../../../engine/client/trace.ts";

/** What follows the scheme, whose name has no case (RFC 9110, section 11.1). */
const BEARER_SCHEME = /^Bearer +(.*)$/i;

/**
 * A client's request as the contract's call (contract, "What the service does"). A header that is sent twice is one value
 * joined by a comma (RFC 9110, section 5.3), and a scheme other than Bearer is no bearer.
 */
export function callOf({ method, target, headers, body }: ClientRequest): ServiceRequest {
  const header = (wanted: string) => {
    const values = headers.filter(([name]) => name === wanted).map(([, value]) => value);
    return values.length === 0 ? undefined : values.join(", ");
  };
  const bearer = BEARER_SCHEME.exec(header("authorization") ?? "")?.[1];
  const idempotencyKey = header("idempotency-key");
  return {
    method,
    path: target,
    ...(body === undefined || body.length === 0
      ? {}
      : { body: isUtf8(body) ? Buffer.from(body).toString() : body }),
    ...(bearer === undefined ? {} : { bearer }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}
