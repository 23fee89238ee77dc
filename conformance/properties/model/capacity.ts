import { type Fault, uncertain } from "./fault.ts";
import type { ModelContext, ServiceLife } from "./state.ts";

/** A service whose bound is not stated holds at least so many entries of all kinds together, or it could not be tried at all. */
const LEAST_BOUND = 24;

/** Whether a store may be full by now: the bound is not shown, and expired entries may still count (contract, "Limits"). */
export function capacityFaults(
  store: keyof ServiceLife["stored"],
  { stored }: ServiceLife,
  { facts }: ModelContext,
): readonly Fault[] {
  const bound = facts.capacity[store];
  const full =
    bound === undefined
      ? stored.challenges + stored.sessions + stored.drafts >= LEAST_BOUND
      : stored[store] >= bound;
  return full
    ? [uncertain(`CAPACITY-${store.toUpperCase()}`, { status: 429, codes: ["OFFLINE_CAPACITY"] })]
    : [];
}
