/** Ranges of durations begin at so many ms, and each is so many times the one before. */
const LEAST_MS = 0.01;
const GROWTH = 1.1;

/** How long something took, counted by size: as many as there may be, in the same memory. */
export class LatencyCounts {
  readonly #counts: number[] = [];
  #number = 0;
  #worstMs = 0;

  add(ms: number): void {
    const range = ms <= LEAST_MS ? 0 : Math.ceil(Math.log(ms / LEAST_MS) / Math.log(GROWTH));
    this.#counts[range] = (this.#counts[range] ?? 0) + 1;
    this.#number += 1;
    this.#worstMs = Math.max(this.#worstMs, ms);
  }

  /** How long such a share of them took at most, to within a tenth; in ms. */
  within(share: number): number {
    let seen = 0;
    const range = this.#counts.findIndex((count = 0) => {
      seen += count;
      return seen >= this.#number * share;
    });
    return range === -1 ? 0 : Math.min(LEAST_MS * GROWTH ** range, this.#worstMs);
  }

  get worstMs(): number {
    return this.#worstMs;
  }
}
