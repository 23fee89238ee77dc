import type { ServiceRequest } from "../../adapters/adapter.ts";
import { badRequest, type Fault, FIELD_CODES, uncertain } from "./fault.ts";

/** A bearer or a key where none is asked for: served or refused, both are legal. */
export function strayFaults(
  operation: "challenge" | "verify",
  { bearer, idempotencyKey }: ServiceRequest,
): readonly Fault[] {
  const faults: Fault[] = [];
  if (bearer !== undefined) {
    const point = `STRAY-BEARER-${operation.toUpperCase()}`;
    faults.push(uncertain(point, badRequest(...FIELD_CODES), { status: 401, codes: ["UNAUTHORIZED"] }));
  }
  if (idempotencyKey !== undefined)
    faults.push(uncertain("STRAY-KEY", badRequest(...FIELD_CODES, "IDEMPOTENCY_REQUIRED")));
  return faults;
}
