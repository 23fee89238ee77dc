import type { ImplementationInfo } from "../../adapters/adapter.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { isAnswered, OUTCOMES, STORE_OF, type Store } from "../operations.ts";

/** A service that holds no more than so many entries of all kinds together could not be tried at all. */
const LEAST_ROOM = 16;

/** Counts what an instance of the service has stored, and says whether it may rightly be full. */
export class Stored {
  readonly #info: ImplementationInfo;
  readonly #shared: boolean;
  #counts: Record<Store, number> = { challenges: 0, sessions: 0, drafts: 0 };

  /** @param realClock whether time cannot be moved, so that vectors share one service */
  constructor(info: ImplementationInfo, realClock: boolean) {
    this.#info = info;
    this.#shared = realClock || !info.capabilities.restart;
  }

  /** Takes note of an answer that stored something. */
  note({ operation, status }: Exchange): void {
    const store = storeOf(operation);
    if (status === 200 && store !== undefined) this.#counts[store] += 1;
  }

  restarted(): void {
    this.#counts = { challenges: 0, sessions: 0, drafts: 0 };
  }

  /**
   * Why the store behind an operation may rightly be full by now: it is shared, or as many entries were made as the
   * implementation says that it holds (contract, "Limits": the bound is not shown). Undefined where it may not.
   */
  reasonToBeFull(exchange: Exchange): string | undefined {
    const store = storeOf(exchange.operation);
    if (store === undefined || !isAnswered(OUTCOMES.full, exchange)) return undefined;
    if (this.#shared)
      return `429 ${OUTCOMES.full.codes[0]}: the one service for all has no room left; start it with more (the reference: serve --capacity 5000)`;
    const stated = this.#info.facts.capacity[store];
    const made = Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
    if (stated === undefined && made > LEAST_ROOM)
      return `the service holds no more than the ${made} entries of this vector, which may be its bound; stated as the fact capacity, it is held to it`;
    if (stated === undefined || this.#counts[store] < stated) return undefined;
    return `needs more ${store} at once than the ${stated} that the implementation states (fact capacity)`;
  }
}

function storeOf(operation: string): Store | undefined {
  return (STORE_OF as Readonly<Record<string, Store>>)[operation];
}
