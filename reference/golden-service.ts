/**
 * The reference for golden fixtures: its bearers, IDs, and nonces are predictable, and its stores are small.
 * Use it for fixtures only: its start time reveals its secrets.
 */
import { createHash } from "node:crypto";
import { BUILDS_PER_WINDOW } from "./build-limiter.ts";
import * as service from "./service.ts";

export { capabilities, implementation } from "./service.ts";

/** Maximum number of entries in each store. For drafts, it is one more than the new builds per minute. */
const CAPACITY = { challenges: 6, sessions: 6, drafts: BUILDS_PER_WINDOW + 1 } as const;

export const facts = { ...service.facts, capacity: CAPACITY } as const;

/**
 * Starts a service whose random values depend on its start time only, so that equal starts give equal
 * responses.
 */
export function createService({ now }: { readonly now: () => number }): service.Service {
  return service.createService({ now, capacity: CAPACITY, random: predictableBytes(now()) });
}

/** Returns a source of bytes: SHAKE256 over the start time and the number of the call. */
function predictableBytes(startMs: number): (bytes: number) => Uint8Array {
  let calls = 0;
  return (bytes) => {
    calls += 1;
    return createHash("shake256", { outputLength: bytes }).update(`golden ${startMs} ${calls}`).digest();
  };
}
