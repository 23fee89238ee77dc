import type { Facts } from "../../adapters/adapter.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { isAnswered, OUTCOMES, STORE_OF, type Store } from "../operations.ts";
import { UNSTATED_BOUND } from "../room.ts";

/** What may have been when an answer was given. */
export interface RoomThen {
  /** Whether a store may have been full. */
  readonly crowded: boolean;
  /** Whether there were many requests for challenges and sessions. */
  readonly manyAsked: boolean;
}

/** A refusal for want of room or patience before which nothing was stored or asked, and until when that may have come. */
interface Early {
  readonly endsMs: number;
  readonly room: { crowded: boolean; manyAsked: boolean };
}

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
  #early: Early[] = [];

  /** @param complete whether nothing else was stored than was seen */
  constructor(capacity: Facts["capacity"], complete: boolean) {
    this.#capacity = capacity;
    this.#complete = complete;
  }

  /**
   * What may have been when an answer was given, by `endsMs` at the latest: known once all that began by then was noted,
   * since the first to ask is not always the first to be served.
   */
  at(exchange: Exchange, endsMs: number): RoomThen {
    const asked = this.#asked;
    const isRefused = exchange.status === 429;
    const manyAsked = asked >= UNSTATED_BOUND || (asked > 0 && isRefused);
    const room = { crowded: this.#complete ? this.#isCrowded(exchange) : this.#fullSeen, manyAsked };
    if (this.#complete && isRefused && !(room.crowded && manyAsked)) this.#early.push({ endsMs, room });
    return room;
  }

  /**
   * Takes note of what an answer stored, or that it was refused for want of room.
   * @param own what {@link at} gave for it
   */
  note(exchange: Exchange, beginsMs: number, own: RoomThen): void {
    const { operation, status } = exchange;
    this.#early = this.#early.filter(({ endsMs }) => endsMs >= beginsMs);
    if (operation === "challenge" || operation === "verify") this.#asked += 1;
    if (operation === "build" && isAnswered(OUTCOMES.full, exchange)) this.#fullSeen = true;
    const store = storeOf(exchange);
    if (store !== undefined && status === 200) this.#stored[store] += 1;
    for (const { room } of this.#early) {
      if (room === own) continue;
      room.crowded ||= store !== undefined && status === 200;
      room.manyAsked ||= operation === "challenge" || operation === "verify";
    }
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
