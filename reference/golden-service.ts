/**
 * The reference as the golden fixtures show it: bearers, ids and nonces that anyone can foretell, and stores so small
 * that a few requests fill them. For fixtures alone: who knows the clock of such a service knows its secrets.
 */
import { createHash } from "node:crypto";
import * as service from "./service.ts";

export { capabilities, implementation } from "./service.ts";

/** Most entries of every kind: room for the five builds of a minute and one more. */
const MOST = 6;
const CAPACITY = { challenges: MOST, sessions: MOST, drafts: MOST } as const;

export const facts = { ...service.facts, capacity: CAPACITY } as const;

/** Starts a service whose randomness is derived from the moment of its start: the same start, the same answers. */
export function createService({ now }: { readonly now: () => number }): service.Service {
  return service.createService({ now, capacity: CAPACITY, random: foretold(now()) });
}

/** Bytes by SHAKE256 over the moment of the start and the number of the call. */
function foretold(startMs: number): (bytes: number) => Uint8Array {
  let calls = 0;
  return (bytes) => {
    calls += 1;
    return createHash("shake256", { outputLength: bytes }).update(`golden ${startMs} ${calls}`).digest();
  };
}
