import type { Facts } from "../../adapters/adapter.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { isAnswered, OUTCOMES, STORE_OF, type Store } from "../operations.ts";
import { UNSTATED_BOUND } from "../room.ts";

/** How much a service was seen to store, and to be asked: its bounds need not be stated. */
export class SeenRoom {
  readonly #capacity: Facts["capacity"];
  readonly #complete: boolean;
  #stored: Record<Store, number> = { challenges: 0, sessions: 0, drafts: 0 };
  /** Requests for challenges and sessions. */
  #asked = 0;
  /** So many entries were stored when a store was full. */
  #fewest = UNSTATED_BOUND;
  #fullSeen = false;

  /** @param complete whether nothing else was stored than was seen */
  constructor(capacity: Facts["capacity"], complete: boolean) {
    this.#capacity = capacity;
    this.#complete = complete;
  }

  /** Whether a store may have been full, and whether there were many requests, when an answer was given. */
  at(exchange: Exchange): { readonly crowded: boolean; readonly manyAsked: boolean } {
    const asked = this.#asked;
    const manyAsked = asked >= UNSTATED_BOUND || (asked > 0 && exchange.status === 429);
    return { crowded: this.#complete ? this.#isCrowded(exchange) : this.#fullSeen, manyAsked };
  }

  /** Takes note of what an answer stored, or that it was refused for want of room. */
  note(exchange: Exchange): void {
    const { operation, status } = exchange;
    if (operation === "challenge" || operation === "verify") this.#asked += 1;
    if (operation === "build" && isAnswered(OUTCOMES.full, exchange)) this.#fullSeen = true;
    const store = storeOf(exchange);
    if (store !== undefined && status === 200) this.#stored[store] += 1;
  }

  /** The service was started anew. */
  restarted(): void {
    this.#stored = { challenges: 0, sessions: 0, drafts: 0 };
    this.#asked = 0;
  }

  #isCrowded(exchange: Exchange): boolean {
    const store = storeOf(exchange);
    if (store === undefined) return false;
    const stored = this.#stored;
    const total = stored.challenges + stored.sessions + stored.drafts;
    // A bound may be small: the first refusal shows it.
    if (total > 0 && isAnswered(OUTCOMES.full, exchange)) this.#fewest = Math.min(this.#fewest, total);
    const names = Object.values(STORE_OF);
    const reached = names.some((name) => stored[name] >= (this.#capacity[name] ?? Number.POSITIVE_INFINITY));
    return reached || (this.#capacity[store] === undefined && total >= this.#fewest);
  }
}

function storeOf({ operation }: Exchange): Store | undefined {
  return Object.hasOwn(STORE_OF, operation) ? STORE_OF[operation as keyof typeof STORE_OF] : undefined;
}
