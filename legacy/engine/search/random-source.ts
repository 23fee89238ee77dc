/** A stream of random numbers that belongs to a seed (mulberry32): the same on every machine. */
export class RandomSource {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number from 0 to `below` - 1. */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  /** One of these. @throws {RangeError} where there are none */
  pick<Value>(values: readonly Value[]): Value {
    if (values.length === 0) throw new RangeError("there is nothing to pick from");
    return values[this.below(values.length)] as Value;
  }

  /** Whether something happens that happens so often in a hundred. */
  percent(share: number): boolean {
    return this.below(100) < share;
  }
}
