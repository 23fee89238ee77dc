/** A stored value and the instant (ms since the Unix epoch) from which it is no longer valid. */
export interface Entry<Value> {
  readonly value: Value;
  readonly expiresAt: number;
}

/** Sizes and times of a {@link BoundedStore}. */
export interface StoreOptions {
  /** The most entries held at once, expired ones included. */
  readonly capacity: number;
  /** How long an entry is valid, in ms. */
  readonly lifetimeMs: number;
  /** How long an expired entry can still be found, in ms, unless its room is needed first. Default 0. */
  readonly rememberedMs?: number;
}

/**
 * A map in memory that never outgrows its capacity (contract, "Limits"). A full store gives up its oldest entry if
 * that one has expired, and is otherwise out of room: what is still valid is never pushed out.
 *
 * All entries live equally long, so they expire in the order in which they were added, and only the oldest has to be
 * looked at. Were the clock set back, a full store might find room later than it could, never lose a valid entry.
 */
export class BoundedStore<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #capacity: number;
  readonly #lifetimeMs: number;
  readonly #rememberedMs: number;

  constructor({ capacity, lifetimeMs, rememberedMs = 0 }: StoreOptions) {
    this.#capacity = capacity;
    this.#lifetimeMs = lifetimeMs;
    this.#rememberedMs = rememberedMs;
  }

  /** Entries held, expired ones included: 0 to the capacity. */
  get size(): number {
    return this.#entries.size;
  }

  /** The entry of a key, also an expired one that is still remembered (compare its `expiresAt`). */
  find(key: string, now: number): Entry<Value> | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && now < entry.expiresAt + this.#rememberedMs ? entry : undefined;
  }

  /** Like {@link find}, and removes the entry: of several takers only the first gets it. */
  take(key: string, now: number): Entry<Value> | undefined {
    const entry = this.find(key, now);
    this.#entries.delete(key);
    return entry;
  }

  /** Whether {@link add} would succeed for this key now. */
  hasRoom(key: string, now: number): boolean {
    return (
      this.#entries.size < this.#capacity || this.#entries.has(key) || this.#oldestExpired(now) !== undefined
    );
  }

  /** Stores a value, in place of any earlier one of the key. Gives its entry, or undefined where there is no room. */
  add(key: string, value: Value, now: number): Entry<Value> | undefined {
    if (!this.hasRoom(key, now)) return undefined;
    const replaced = this.#entries.delete(key);
    if (!replaced && this.#entries.size >= this.#capacity)
      this.#entries.delete(this.#oldestExpired(now) ?? key);
    const entry = { value, expiresAt: now + this.#lifetimeMs };
    this.#entries.set(key, entry);
    return entry;
  }

  #oldestExpired(now: number): string | undefined {
    for (const [key, entry] of this.#entries) return entry.expiresAt <= now ? key : undefined;
    return undefined;
  }
}
