import type { Waiver, WorldHost } from "../../engine/contract.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { ROOM } from "../../engine/vectors/need.ts";
import { Asked } from "../asked.ts";
import { isAnswered, OUTCOMES, STORE_OF, type Store } from "../operations.ts";
import { adviceToState, mayBeFull, mayBeFullOfOne, patienceOfAll, patienceOfOne } from "../room.ts";

/** Counts what an instance of the service has stored and was asked for, and says whether it may rightly have enough. */
export class Stored {
  readonly #host: Pick<WorldHost, "info" | "realClock" | "room">;
  #counts: Record<Store, number> = { challenges: 0, sessions: 0, drafts: 0 };
  #asked = new Asked();
  /** The keys under which each creator has a draft. */
  readonly #keysOf = new Map<string, Set<unknown>>();

  constructor(host: Pick<WorldHost, "info" | "realClock" | "room">) {
    this.#host = host;
  }

  /** Takes note of an answer. */
  note(exchange: Exchange): void {
    const store = storeOf(exchange.operation);
    if (store === undefined) return;
    if (exchange.status === 200) this.#counts[store] += 1;
    if (store !== "drafts") this.#asked.note(exchange);
    else if (exchange.status === 200) this.#keysOfBuilder(exchange).add(exchange.request.idempotencyKey);
  }

  restarted(): void {
    this.#counts = { challenges: 0, sessions: 0, drafts: 0 };
    this.#asked = new Asked();
    this.#keysOf.clear();
  }

  /** Who asks for a challenge or a session, where that is known. */
  creatorOf(exchange: Exchange): string | undefined {
    return this.#asked.creatorOf(exchange);
  }

  /** How many entries of a kind were made so far. */
  count(store: Store): number {
    return this.#counts[store];
  }

  /** Whether as many entries were made as the implementation states that a store holds; `undefined` where it states none. */
  reachesStated(store: Store): boolean | undefined {
    const { capacity } = this.#host.info.facts;
    const stated = capacity[store];
    if (stated === undefined) return undefined;
    // Stores can share a bound only where the same one is stated of each.
    const shared = new Set(Object.values(capacity)).size === 1;
    return (shared ? this.#total : this.#counts[store]) >= stated;
  }

  #keysOfBuilder(exchange: Exchange): Set<unknown> {
    const builder = this.#asked.creatorOf(exchange) ?? "";
    const keys = this.#keysOf.get(builder) ?? new Set();
    this.#keysOf.set(builder, keys);
    return keys;
  }

  /** How many entries of all kinds were made so far. */
  get #total(): number {
    return Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
  }

  /**
   * Why the service may rightly refuse for now what it refused: it is shared, or as many entries were made as it holds,
   * or it was asked for so many by one creator, or by all of them (contract, "Limits": none of it is shown). Undefined
   * where it may not.
   */
  reasonToRefuse(exchange: Exchange): Waiver | undefined {
    const store = storeOf(exchange.operation);
    if (store === undefined) return undefined;
    const full = isAnswered(OUTCOMES.full, exchange);
    const limited = store !== "drafts" && isAnswered(OUTCOMES.limited, exchange);
    if (!full && !limited) return undefined;
    const { info, realClock, room } = this.#host;
    if (realClock || !info.capabilities.restart)
      return {
        reason: full
          ? `429 ${OUTCOMES.full.codes[0]}: the one service for all has no room left; start it anew, or with more room: what earlier runs stored lives up to an hour`
          : `429 ${OUTCOMES.limited.codes[0]}: the one service for all has given enough ${store} for now; let it give more`,
        lacks: [ROOM],
      };
    if (full) {
      const reached = this.reachesStated(store);
      const few = mayBeFull(store, this.#counts, room);
      const fewOfOne = store === "drafts" && mayBeFullOfOne(this.#keysOfBuilder(exchange).size);
      if (reached === undefined && (few || fewOfOne))
        return { reason: adviceToState(store, room), lacks: [ROOM] };
      if (reached)
        return {
          reason: `needs more ${store} at once than the ${info.facts.capacity[store]} that the implementation states (fact capacity)`,
        };
    }
    if (store === "drafts") return undefined;
    // The request that was refused is the last of those that were counted.
    if (this.#asked.ofCreatorOf(exchange) > patienceOfOne(room))
      return {
        reason: `needs more requests for challenges and sessions of one creator than the service takes (${patienceOfOne(room)} or so)`,
      };
    if (limited && this.#asked.ofAll > patienceOfAll(room))
      return {
        reason: `needs more requests for challenges and sessions than the service takes for now (${patienceOfAll(room)} or so)`,
      };
    return undefined;
  }
}

function storeOf(operation: string): Store | undefined {
  return (STORE_OF as Readonly<Record<string, Store>>)[operation];
}
