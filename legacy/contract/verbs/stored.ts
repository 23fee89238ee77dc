import type { Waiver, WorldHost } from "../../engine/contract.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { ROOM } from "../../engine/vectors/need.ts";
import { Asked } from "../asked.ts";
import { requestJson } from "../judge/request-json.ts";
import { BUILDS_PER_MINUTE, isAnswered, LIFETIME_MS, OUTCOMES, STORE_OF, type Store } from "../operations.ts";
import { adviceToState, mayBeFull, mayBeFullOfOne, patienceOfAll, patienceOfOne } from "../room.ts";

/** Counts the entries and requests of an instance of the service, and decides whether it may legally refuse more. */
export class Stored {
  readonly #host: Pick<WorldHost, "info" | "realClock" | "room">;
  #counts: Record<Store, number> = { challenges: 0, sessions: 0, drafts: 0 };
  #asked = new Asked();
  /** The keys under which each creator has a draft. */
  readonly #keysOf = new Map<string, Set<unknown>>();

  constructor(host: Pick<WorldHost, "info" | "realClock" | "room">) {
    this.#host = host;
  }

  /** Counts a response. */
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

  /** The creator of a request for a challenge or a session; undefined where unknown. */
  creatorOf(exchange: Exchange): string | undefined {
    return this.#asked.creatorOf(exchange);
  }

  /** Number of entries made in a store. */
  count(store: Store): number {
    return this.#counts[store];
  }

  /** Whether a store has reached its stated capacity; undefined where none is stated. */
  reachesStated(store: Store): boolean | undefined {
    const { capacity } = this.#host.info.facts;
    const stated = capacity[store];
    if (stated === undefined) return undefined;
    // Stores may share a capacity only where the same one is stated for each.
    const shared = new Set(Object.values(capacity)).size === 1;
    return (shared ? this.#total : this.#counts[store]) >= stated;
  }

  #keysOfBuilder(exchange: Exchange): Set<unknown> {
    const builder = this.#asked.creatorOf(exchange) ?? "";
    const keys = this.#keysOf.get(builder) ?? new Set();
    this.#keysOf.set(builder, keys);
    return keys;
  }

  /** Number of entries made in all stores. */
  get #total(): number {
    return Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
  }

  /**
   * The reason for which the service may legally refuse this request: it is shared, a store is full, or one creator or all of
   * them sent too many requests (contract, "Limits": none of it is shown). Undefined where there is none.
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

/** Time before its expiry at which an entry is no longer counted, in ms: a clock may count whole seconds. */
const SURELY_MS = 1_000;

/**
 * The entries of a store that are surely alive (contract, "Limits"): they count against its capacity, however a service treats
 * used or expired ones.
 */
export class Alive {
  /** By entry, the time until which it is surely alive; the oldest first. */
  readonly #until = new Map<string, number>();
  readonly #seen = new Set<string>();
  readonly #store: Store;

  /** @param exchanges all that were made with this instance of the service */
  constructor(store: Store, exchanges: readonly Exchange[]) {
    this.#store = store;
    for (const exchange of exchanges) this.note(exchange);
  }

  /** Counts a response. */
  note(exchange: Exchange): void {
    const { operation, request, status, body, sentAt } = exchange;
    const live = (key: string, lifeMs: number) => {
      // A repeated draft keeps its expiry.
      if (this.#seen.has(key)) return;
      this.#seen.add(key);
      this.#until.set(key, sentAt + lifeMs - SURELY_MS);
    };
    if (this.#store === "challenges" && operation === "challenge" && status === 200)
      live(String(body["id"]), LIFETIME_MS.challenge);
    // A proof uses its challenge up, whatever the response; other rules judge that.
    if (this.#store === "challenges" && operation === "verify")
      this.#until.delete(String(requestJson(request)?.["id"]));
    if (this.#store === "sessions" && operation === "verify" && status === 200)
      live(String(body["bearer"]), LIFETIME_MS.session);
    if (this.#store === "drafts" && operation === "build" && status === 200)
      live(`${requestJson(request)?.["creator"]} ${request.idempotencyKey}`, LIFETIME_MS.draft);
  }

  /** Number of entries at a time, in ms since the Unix epoch, that is not before that of an earlier call. */
  count(nowMs: number): number {
    for (const [key, until] of this.#until) {
      if (until > nowMs) break;
      this.#until.delete(key);
    }
    return this.#until.size;
  }
}

/** The response to an actor who wants a draft, and whether it is that to a build. */
interface Tried {
  readonly exchange: Pick<Exchange, "status">;
  readonly ofStore: boolean;
}

/** Supplies actors for crowds: a new one for each entry, or for as many drafts as one may build at once. */
export class Comers {
  #came = 0;
  /** Actors with a session and builds left, with the number of their builds; the one that built longest ago comes first. */
  readonly #builders = new Map<string, number>();
  /** Whether no other actor can sign in. */
  #closed = false;

  /** A new actor. */
  newcomer(): string {
    this.#came += 1;
    return `crowd ${this.#came - 1}`;
  }

  /**
   * The actor that builds next: one with a session and builds left, in turn, or else a new one; undefined where none can.
   */
  builder(): string | undefined {
    const [signedIn] = this.#builders.keys();
    return signedIn ?? this.newBuilder();
  }

  /** A new actor, while one more session fits. */
  newBuilder(): string | undefined {
    return this.#closed ? undefined : this.newcomer();
  }

  /** Records an attempt of an actor to build. */
  tried(actor: string, { exchange, ofStore }: Tried): void {
    if (!ofStore) {
      this.#closed = true;
      return;
    }
    const builds = (this.#builders.get(actor) ?? 0) + (exchange.status === 200 ? 1 : 0);
    this.#builders.delete(actor);
    if (builds < BUILDS_PER_MINUTE) this.#builders.set(actor, builds);
  }
}
