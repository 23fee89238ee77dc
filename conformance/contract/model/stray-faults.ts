import type { ServiceRequest } from "../../adapters/adapter.ts";
import { type Fault, uncertain } from "./fault.ts";

/** A bearer or a key where none is asked for: served or refused, both are legal. */
export function strayFaults(
  operation: "platform" | "challenge" | "verify",
  { bearer, idempotencyKey }: ServiceRequest,
): readonly Fault[] {
  return [
    ...(bearer === undefined ? [] : [uncertain(`STRAY-BEARER-${operation.toUpperCase()}`)]),
    ...(idempotencyKey === undefined ? [] : [uncertain("STRAY-KEY")]),
  ];
}
