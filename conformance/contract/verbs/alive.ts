import type { Exchange } from "../../engine/play/exchange.ts";
import { LIFETIME_MS, type Store } from "../operations.ts";

/** A clock may count whole seconds: so much before its time an entry is no longer counted, in ms. */
const SURELY_MS = 1_000;

/**
 * The entries of a store that surely live (contract, "Limits"): what counts against its bound, however a service treats
 * what was used or has expired.
 */
export class Alive {
  /** Until when each entry lives for certain, the oldest first. */
  readonly #until = new Map<string, number>();
  readonly #seen = new Set<string>();
  readonly #store: Store;

  /** @param exchanges all that were made with this instance of the service */
  constructor(store: Store, exchanges: readonly Exchange[]) {
    this.#store = store;
    for (const exchange of exchanges) this.note(exchange);
  }

  /** Takes note of an answer. */
  note(exchange: Exchange): void {
    const { operation, request, status, body, sentAt } = exchange;
    const live = (key: string, lifeMs: number) => {
      // What is given once more lives no longer.
      if (this.#seen.has(key)) return;
      this.#seen.add(key);
      this.#until.set(key, sentAt + lifeMs - SURELY_MS);
    };
    if (this.#store === "challenges" && operation === "challenge" && status === 200)
      live(String(body["id"]), LIFETIME_MS.challenge);
    // A proof uses its challenge up, whatever comes of it; where it does not, that is for other rules to say.
    if (this.#store === "challenges" && operation === "verify")
      this.#until.delete(String(membersOf(request)["id"]));
    if (this.#store === "sessions" && operation === "verify" && status === 200)
      live(String(body["bearer"]), LIFETIME_MS.session);
    if (this.#store === "drafts" && operation === "build" && status === 200)
      live(`${membersOf(request)["creator"]} ${request.idempotencyKey}`, LIFETIME_MS.draft);
  }

  /** How many there are at an instant, which is not before that of an earlier call; in ms since the Unix epoch. */
  count(nowMs: number): number {
    for (const [key, until] of this.#until) {
      if (until > nowMs) break;
      this.#until.delete(key);
    }
    return this.#until.size;
  }
}

function membersOf({ body }: Exchange["request"]): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(String(body)) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
