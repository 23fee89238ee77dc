/** More sets than this are not kept. */
const MOST_KEPT = 20_000;

/**
 * Which kinds of refused builds count among the builds of a minute, as far as one explanation has settled it. Immutable;
 * equal sets that come from one origin are one object, so that explanations can be told apart quickly.
 */
export class CountedKinds {
  static #none = new CountedKinds(new Map(), new Map());

  /** Nothing is settled. */
  static none(): CountedKinds {
    if (CountedKinds.#none.#all.size >= MOST_KEPT)
      CountedKinds.#none = new CountedKinds(new Map(), new Map());
    return CountedKinds.#none;
  }

  /** Equal sets have equal keys. */
  readonly key: string;
  readonly #flags: ReadonlyMap<string, boolean>;
  readonly #all: Map<string, CountedKinds>;
  /** Those that settle one kind more: as one that counts, and as one that does not. */
  readonly #counting = new Map<string, CountedKinds>();
  readonly #notCounting = new Map<string, CountedKinds>();

  private constructor(flags: ReadonlyMap<string, boolean>, all: Map<string, CountedKinds>) {
    this.#flags = flags;
    this.#all = all;
    this.key = keyOf(flags);
  }

  /** Whether builds refused for this reason count; undefined where it is not settled. */
  get(kind: string): boolean | undefined {
    return this.#flags.get(kind);
  }

  /** The same, and this too. */
  with(kind: string, counts: boolean): CountedKinds {
    const following = counts ? this.#counting : this.#notCounting;
    let next = following.get(kind);
    if (next === undefined) {
      const flags = new Map(this.#flags).set(kind, counts);
      const key = keyOf(flags);
      next = this.#all.get(key) ?? new CountedKinds(flags, this.#all);
      this.#all.set(key, next);
      following.set(kind, next);
    }
    return next;
  }
}

function keyOf(flags: ReadonlyMap<string, boolean>): string {
  return [...flags]
    .map(([kind, counts]) => `${kind}=${counts}`)
    .sort()
    .join();
}
