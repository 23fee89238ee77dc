import { BoundedStore } from "./bounded-store.ts";

/** New builds that one creator may make in a minute (contract, "Limits"). */
const BUILDS_PER_WINDOW = 5;
const WINDOW_MS = 60_000;

/**
 * Counts the new builds of each creator over a sliding minute: a build counts while it is less than 60 s old. The
 * shape of the window is our choice. Bounded like every store: it holds `capacity` creators at most.
 */
export class BuildLimiter {
  readonly #builds: BoundedStore<readonly number[]>;

  constructor(capacity: number) {
    this.#builds = new BoundedStore({ capacity, lifetimeMs: WINDOW_MS });
  }

  /** Creators held, 0 to the capacity. */
  get size(): number {
    return this.#builds.size;
  }

  /** Whether one more build of this creator fits into the minute that ends at `now` (ms since the Unix epoch). */
  allows(creator: string, now: number): boolean {
    return this.#recent(creator, now).length < BUILDS_PER_WINDOW;
  }

  /** Whether a build of this creator could be recorded now. */
  hasRoom(creator: string, now: number): boolean {
    return this.#builds.hasRoom(creator, now);
  }

  /** Counts a build that was made. To be called only where {@link allows} and {@link hasRoom} said yes. */
  record(creator: string, now: number): void {
    this.#builds.add(creator, [...this.#recent(creator, now), now], now);
  }

  #recent(creator: string, now: number): readonly number[] {
    const times = this.#builds.find(creator, now)?.value ?? [];
    return times.filter((time) => now - time < WINDOW_MS);
  }
}
