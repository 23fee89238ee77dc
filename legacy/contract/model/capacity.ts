import type { ServiceRequest } from "../../adapters/adapter.ts";
import { OUTCOMES } from "../operations.ts";
import { mayBeFull, mayBeFullOfOne, patienceOfAll, patienceOfOne } from "../room.ts";
import { type RequestFault, uncertain } from "./request-fault.ts";
import { keyScope, type ModelContext, type ServiceInstance } from "./state.ts";

const STORES = ["challenges", "sessions", "drafts"] as const;

/**
 * Whether a store may be full by now: the bound is not shown, expired entries may still count, and the stores may share
 * one bound (contract, "Limits").
 * @param valid whether nothing else is wrong: only then does it matter that another store is full
 */
export function capacityFaults(
  store: keyof ServiceInstance["stored"],
  { stored }: ServiceInstance,
  { facts, room }: ModelContext,
  valid: boolean,
): readonly RequestFault[] {
  const unstated = facts.capacity[store] === undefined && mayBeFull(store, stored, room);
  const full =
    unstated ||
    STORES.some((name) => (valid || name === store) && stored[name] >= (facts.capacity[name] ?? Infinity));
  return full ? [uncertain(`CAPACITY-${store.toUpperCase()}`, [OUTCOMES.full])] : [];
}

/**
 * Whether a creator may have as many drafts as a service keeps of one: where no bound of drafts is stated, there may be
 * one for each creator.
 */
export function fullOfOneFaults(
  creator: string,
  { drafts }: ServiceInstance,
  { facts }: ModelContext,
): readonly RequestFault[] {
  if (facts.capacity.drafts !== undefined) return [];
  const scope = keyScope(creator, "");
  const own = [...drafts.keys()].filter((key) => key.startsWith(scope)).length;
  return mayBeFullOfOne(own) ? [uncertain("CAPACITY-DRAFTS", [OUTCOMES.full])] : [];
}

/** Whether there were so many requests for challenges and sessions that the service may have enough for now. */
export function patienceFaults(
  operation: "challenge" | "verify",
  request: ServiceRequest,
  { asked }: ServiceInstance,
  { room }: ModelContext,
): readonly RequestFault[] {
  const ofOne = asked.ofCreatorOf({ operation, request }) >= patienceOfOne(room);
  if (!ofOne && asked.ofAll < patienceOfAll(room)) return [];
  const outcomes = ofOne ? [OUTCOMES.full, OUTCOMES.limited] : [OUTCOMES.limited];
  return [uncertain("CROWD-OF-ONE-CREATOR", outcomes)];
}
