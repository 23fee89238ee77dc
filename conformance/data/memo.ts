/** Number of values after which a memo starts a new generation. */
const GENERATION_SIZE = 5_000;
/** Maximum length of a key. A service may make a text very long. */
const MAX_KEY_LENGTH = 2_000;

/**
 * Results of slow computations, by key. To bound the memory, forgets those that were not used for long, and
 * those with a long key.
 */
export class Memo<Value> {
  #recent = new Map<string, Value>();
  /** The generation before. A value that is used again moves to the recent generation. */
  #earlier = new Map<string, Value>();

  /** Returns the value of a key. Computes it, unless it is known. */
  get(key: string, compute: () => Value): Value {
    return this.known(key) ?? this.set(key, compute());
  }

  /** Returns the value of a key, or undefined if it is not known. */
  known(key: string): Value | undefined {
    const value = this.#recent.get(key);
    if (value !== undefined) return value;
    const earlier = this.#earlier.get(key);
    return earlier === undefined ? undefined : this.set(key, earlier);
  }

  set(key: string, value: Value): Value {
    if (key.length > MAX_KEY_LENGTH) return value;
    if (this.#recent.size >= GENERATION_SIZE) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
    return value;
  }
}
