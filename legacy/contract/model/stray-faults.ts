import type { ServiceRequest } from "../../adapters/adapter.ts";
import { type RequestFault, uncertain } from "./request-fault.ts";

/** A bearer or a key where none is asked for: served or refused, both are legal. */
export function strayFaults(
  operation: "platform" | "challenge" | "verify",
  { bearer, idempotencyKey }: ServiceRequest,
): readonly RequestFault[] {
  return [
    ...(bearer === undefined ? [] : [uncertain(`STRAY-BEARER-${operation.toUpperCase()}`)]),
    ...(idempotencyKey === undefined ? [] : [uncertain("STRAY-KEY")]),
  ];
}
