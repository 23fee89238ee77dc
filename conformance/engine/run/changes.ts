/** Lets several wait for the next change of something. */
export class Changes {
  #waiting: (() => void)[] = [];

  /** Settles when the next change is told. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Wakes all who wait. */
  tell(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
