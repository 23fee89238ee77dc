import { OUTCOMES } from "../operations.ts";
import { type RequestFault, uncertain } from "./request-fault.ts";
import type { ModelContext, ServiceInstance } from "./state.ts";

/** A service whose bound is not stated holds at least so many entries of all kinds together, or it could not be tried at all. */
const LEAST_BOUND = 24;

const STORES = ["challenges", "sessions", "drafts"] as const;

/** After so many challenges or sessions a creator may be asked for patience (CROWD-OF-ONE-CREATOR): no limit is stated. */
const MANY = 10;

/**
 * Whether a store may be full by now, or asked too much of: the bound is not shown, expired entries may still count, and
 * the stores may share one bound (contract, "Limits").
 * @param valid whether nothing else is wrong: only then does it matter that another store is full
 * @param crowd counts the entries of the store that the creator was given
 */
export function capacityFaults(
  store: keyof ServiceInstance["stored"],
  { stored }: ServiceInstance,
  { facts }: ModelContext,
  valid: boolean,
  crowd: () => number = () => 0,
): readonly RequestFault[] {
  const total = STORES.reduce((sum, name) => sum + stored[name], 0);
  const unstated = facts.capacity[store] === undefined && total >= LEAST_BOUND;
  const full =
    unstated ||
    STORES.some((name) => (valid || name === store) && stored[name] >= (facts.capacity[name] ?? Infinity));
  const crowded = stored[store] >= MANY && crowd() >= MANY;
  const outcomes = [...(full ? [OUTCOMES.full] : []), ...(crowded ? [OUTCOMES.limited] : [])];
  return outcomes.length === 0 ? [] : [uncertain(`CAPACITY-${store.toUpperCase()}`, outcomes)];
}
