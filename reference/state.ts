import { BoundedStore } from "./bounded-store.ts";
import { BuildLimiter } from "./build-limiter.ts";
import { CHALLENGE_LIFETIME_MS, type Challenges } from "./challenge.ts";
import { DRAFT_LIFETIME_MS, type Draft } from "./draft.ts";
import { SESSION_LIFETIME_MS, type Sessions } from "./session.ts";

/** The most entries of each kind held at once; the sizes are our choice. */
export interface Capacity {
  readonly challenges: number;
  readonly sessions: number;
  readonly drafts: number;
}

/** A draft that was built, under its creator and idempotency key. */
export interface Build {
  /** Canonical public input: what a retry has to repeat. */
  readonly input: string;
  readonly draft: Draft;
}

/** All that a service remembers, and where its randomness comes from. */
export interface ServiceState extends Challenges, Sessions {
  readonly builds: BoundedStore<Build>;
  readonly limiter: BuildLimiter;
}

/** How long the key of an expired draft is remembered, in ms, unless its room is needed: for good is our choice. */
const KEY_REMEMBERED_MS = Number.POSITIVE_INFINITY;

/** The state of a service that has just started. */
export function emptyState(capacity: Capacity, random: ServiceState["random"]): ServiceState {
  return {
    challenges: new BoundedStore({ capacity: capacity.challenges, lifetimeMs: CHALLENGE_LIFETIME_MS }),
    sessions: new BoundedStore({ capacity: capacity.sessions, lifetimeMs: SESSION_LIFETIME_MS }),
    builds: new BoundedStore({
      capacity: capacity.drafts,
      lifetimeMs: DRAFT_LIFETIME_MS,
      rememberedMs: KEY_REMEMBERED_MS,
    }),
    // A counted minute holds two draft lifetimes, so the drafts run out of room before the limiter does.
    limiter: new BuildLimiter(2 * capacity.drafts),
    random,
  };
}
