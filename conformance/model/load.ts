/** Entries that a service stores and requests that it served since it started: reasons for a 429. */
import type { Facts } from "../adapters/adapter.ts";
import type { Store } from "../contract/constants.ts";

/** Smallest number of entries or requests after which a service without a stated capacity may refuse more. */
const MIN_CAPACITY = 3;

/** Counts entries and requests since the last start of the service. */
export class Load {
  readonly stored: Record<Store, number> = { challenges: 0, sessions: 0, drafts: 0 };
  #requests = 0;
  #requestsOf = new Map<string, number>();

  clone(): Load {
    const copy = new Load();
    Object.assign(copy.stored, this.stored);
    copy.#requests = this.#requests;
    copy.#requestsOf = new Map(this.#requestsOf);
    return copy;
  }

  /** @param creator undefined if unknown */
  countRequest(creator: string | undefined): void {
    this.#requests += 1;
    if (creator !== undefined) this.#requestsOf.set(creator, (this.#requestsOf.get(creator) ?? 0) + 1);
  }

  /**
   * Returns whether a store may refuse another entry.
   * @param capacity stated maximum number of entries, by store. Stores may share one capacity.
   */
  mayBeFull(store: Store, capacity: Facts["capacity"]): boolean {
    const { challenges, sessions, drafts } = this.stored;
    if (capacity[store] === undefined) return challenges + sessions + drafts >= MIN_CAPACITY;
    const stores: readonly Store[] = ["challenges", "sessions", "drafts"];
    return stores.some((name) => this.stored[name] >= (capacity[name] ?? Number.POSITIVE_INFINITY));
  }

  /** Returns whether a service may limit sign-in requests, of this creator or in total. */
  mayLimitSignIn(creator: string): boolean {
    return (this.#requestsOf.get(creator) ?? 0) >= MIN_CAPACITY || this.#requests >= 2 * MIN_CAPACITY;
  }
}
