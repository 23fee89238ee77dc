/** Things by their names, forgotten in the order in which they came, once they are old. */
export class Known<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly atMs: number }>();

  get(name: string): Value | undefined {
    return this.#entries.get(name)?.value;
  }

  set(name: string, value: Value, atMs: number): void {
    this.#entries.set(name, { value, atMs });
  }

  /** Forgets what came before a moment. */
  forget(beforeMs: number): void {
    for (const [name, { atMs }] of this.#entries) {
      if (atMs >= beforeMs) return;
      this.#entries.delete(name);
    }
  }

  /** Forgets what came first, until no more are left than told. */
  keep(most: number): void {
    for (const name of this.#entries.keys()) {
      if (this.#entries.size <= most) return;
      this.#entries.delete(name);
    }
  }

  clear(): void {
    this.#entries.clear();
  }
}
