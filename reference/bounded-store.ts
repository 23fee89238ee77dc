/** A stored value, and the time at which it expires in ms since the Unix epoch. */
export interface Entry<Value> {
  readonly value: Value;
  readonly expiresAt: number;
}

/** Options of a {@link BoundedStore}. */
export interface StoreOptions {
  /** Maximum number of entries, including expired ones. */
  readonly capacity: number;
  /** Lifetime of an entry in ms. */
  readonly lifetimeMs: number;
  /** Time in ms for which a store that is not full keeps an expired entry (default: 0). */
  readonly rememberedMs?: number;
}

/**
 * A map with a limited number of entries (contract, "Limits"). A full store replaces its oldest entry if that
 * entry has expired. It never removes a valid entry.
 *
 * All entries have the same lifetime, so they expire in the order in which they were added. If the clock goes
 * back, a full store can refuse an entry although a stored one has expired. It loses no valid entry.
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

  /** Number of entries, including expired ones. */
  get size(): number {
    return this.#entries.size;
  }

  /** Returns the entry of a key, or undefined. The entry can be expired: compare its `expiresAt`. */
  find(key: string, now: number): Entry<Value> | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && now < entry.expiresAt + this.#rememberedMs ? entry : undefined;
  }

  /** Returns the entry of a key and removes it, so that only the first of several callers gets it. */
  take(key: string, now: number): Entry<Value> | undefined {
    const entry = this.find(key, now);
    this.#entries.delete(key);
    return entry;
  }

  /** Returns whether {@link add} would store a value. */
  hasRoom(key: string, now: number): boolean {
    return (
      this.#entries.size < this.#capacity || this.#entries.has(key) || this.#oldestExpired(now) !== undefined
    );
  }

  /**
   * Stores a value and returns its entry, or returns undefined if the store is full. Replaces the value of an
   * equal key.
   */
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
