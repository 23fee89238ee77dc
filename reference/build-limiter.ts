import { BoundedStore } from "./bounded-store.ts";

/** Maximum number of new builds of a creator in a minute (contract, "Limits"). */
export const BUILDS_PER_WINDOW = 5;
const WINDOW_MS = 60_000;

/**
 * Counts the new builds of each creator in a sliding minute: a build counts for 60 s. The shape of the window
 * is implementation-defined. Stores at most `capacity` creators.
 */
export class BuildLimiter {
  readonly #builds: BoundedStore<readonly number[]>;

  constructor(capacity: number) {
    this.#builds = new BoundedStore({ capacity, lifetimeMs: WINDOW_MS });
  }

  /** Number of stored creators. */
  get size(): number {
    return this.#builds.size;
  }

  /** Returns whether a creator can build. @param now time in ms since the Unix epoch */
  allows(creator: string, now: number): boolean {
    return this.#recent(creator, now).length < BUILDS_PER_WINDOW;
  }

  /** Returns whether a build of a creator can be stored. */
  hasRoom(creator: string, now: number): boolean {
    return this.#builds.hasRoom(creator, now);
  }

  /** Counts a build. Requires that {@link allows} and {@link hasRoom} return true. */
  record(creator: string, now: number): void {
    this.#builds.add(creator, [...this.#recent(creator, now), now], now);
  }

  #recent(creator: string, now: number): readonly number[] {
    const times = this.#builds.find(creator, now)?.value ?? [];
    return times.filter((time) => now - time < WINDOW_MS);
  }
}
