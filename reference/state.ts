import { BoundedStore } from "./bounded-store.ts";
import { BuildLimiter } from "./build-limiter.ts";
import { CHALLENGE_LIFETIME_MS, type Challenges } from "./challenge.ts";
import { DRAFT_LIFETIME_MS, type Draft } from "./draft.ts";
import { SESSION_LIFETIME_MS, type Sessions } from "./session.ts";

/** Maximum number of entries in each store (implementation-defined). */
export interface Capacity {
  readonly challenges: number;
  readonly sessions: number;
  readonly drafts: number;
}

/** A draft, stored under its creator and idempotency key. */
export interface Build {
  /** Canonical public input, which a retry must repeat. */
  readonly input: string;
  readonly draft: Draft;
}

/** The state of a service, and its source of randomness. */
export interface ServiceState extends Challenges, Sessions {
  readonly builds: BoundedStore<Build>;
  readonly limiter: BuildLimiter;
}

/**
 * Time in ms for which a store that is not full keeps the key of an expired draft (implementation-defined).
 */
const KEY_REMEMBERED_MS = Number.POSITIVE_INFINITY;

/** Returns the state of a service that has just started. */
export function emptyState(capacity: Capacity, random: ServiceState["random"]): ServiceState {
  return {
    challenges: new BoundedStore({ capacity: capacity.challenges, lifetimeMs: CHALLENGE_LIFETIME_MS }),
    sessions: new BoundedStore({ capacity: capacity.sessions, lifetimeMs: SESSION_LIFETIME_MS }),
    builds: new BoundedStore({
      capacity: capacity.drafts,
      lifetimeMs: DRAFT_LIFETIME_MS,
      rememberedMs: KEY_REMEMBERED_MS,
    }),
    // A minute is two draft lifetimes, so the store of drafts is full before the limiter is.
    limiter: new BuildLimiter(2 * capacity.drafts),
    random,
  };
}
