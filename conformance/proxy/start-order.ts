import type { PassedExchange } from "./passed-exchange.ts";

/** An exchange waits no longer for those that began before it and are still under way: findings are told at once. */
const LONGEST_WAIT_MS = 500;

/** Puts exchanges, which are told of when they end, into the order in which they began. */
export class StartOrder {
  readonly #held: PassedExchange[] = [];

  /** Takes in an exchange that has ended. */
  take(exchange: PassedExchange): void {
    let place = this.#held.length;
    while (place > 0 && (this.#held[place - 1]?.startedMs ?? 0) > exchange.startedMs) place -= 1;
    this.#held.splice(place, 0, exchange);
  }

  /**
   * Gives out those whose turn it is: nothing is under way that began before them, or they have waited long enough for it.
   * @param openSinceMs when the earliest began that is still under way
   */
  due(nowMs: number, openSinceMs: number): readonly PassedExchange[] {
    const first = this.#held.findIndex(({ startedMs }) => startedMs >= dueUntil(nowMs, openSinceMs));
    return this.#held.splice(0, first === -1 ? this.#held.length : first);
  }

  /** All that is left. */
  rest(): readonly PassedExchange[] {
    return this.#held.splice(0);
  }
}

/** What began before this moment is no longer kept waiting for what is still to end. */
export function dueUntil(nowMs: number, openSinceMs: number): number {
  return Math.max(Math.min(nowMs, openSinceMs), nowMs - LONGEST_WAIT_MS);
}
