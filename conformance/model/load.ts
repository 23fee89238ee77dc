/** Stored entries and requests since the service started: the possible reasons for a 429. */
import type { Facts } from "../adapters/adapter.ts";
import type { Store } from "../contract/constants.ts";
import { BUILD_REQUESTS_PER_MINUTE, RATE_WINDOW_MS } from "../contract/refusals.ts";

/** Minimum capacity of a store whose capacity is not stated. */
const MIN_CAPACITY = 1;
/** Number of sign-in requests of one creator after which a service may refuse more. */
const MIN_SIGN_INS = 3;

/** Counts entries and requests since the last start of the service. */
export class Load {
  readonly stored: Record<Store, number> = { challenges: 0, sessions: 0, drafts: 0 };
  /** Number of builds refused under keys without a draft. A service may store such a key like a draft. */
  refusedBuilds = 0;
  /** Number of requests that may have created an entry of any store. */
  strays = 0;
  #requests = 0;
  #requestsOf = new Map<string, number>();
  /** Times of the build requests of each creator, in ms. */
  #buildTimes = new Map<string, readonly number[]>();

  clone(): Load {
    const copy = new Load();
    Object.assign(copy.stored, this.stored);
    copy.#requests = this.#requests;
    copy.#requestsOf = new Map(this.#requestsOf);
    copy.#buildTimes = new Map(this.#buildTimes);
    copy.refusedBuilds = this.refusedBuilds;
    copy.strays = this.strays;
    return copy;
  }

  /** @param creator undefined if unknown */
  countRequest(creator: string | undefined): void {
    this.#requests += 1;
    if (creator !== undefined) this.#requestsOf.set(creator, (this.#requestsOf.get(creator) ?? 0) + 1);
  }

  /** @param bindsKey whether the build is refused, and a service may store its key */
  countBuild(creator: string, bindsKey: boolean, atMs: number): void {
    const recent = this.#recentBuilds(creator, atMs);
    this.#buildTimes.set(creator, [...recent, atMs]);
    if (bindsKey) this.refusedBuilds += 1;
  }

  #recentBuilds(creator: string, atMs: number): readonly number[] {
    return (this.#buildTimes.get(creator) ?? []).filter((time) => atMs - time < RATE_WINDOW_MS);
  }

  /** Returns whether a creator sent enough builds that a service may limit all builds, not only new ones. */
  mayLimitBuilds(creator: string, atMs: number): boolean {
    return this.#recentBuilds(creator, atMs).length >= BUILD_REQUESTS_PER_MINUTE;
  }

  /**
   * Returns whether a store may refuse a further entry.
   * @param capacity stated maximum number of entries, by store. Stores may share one capacity.
   */
  mayBeFull(store: Store, capacity: Facts["capacity"]): boolean {
    const { challenges, sessions, drafts } = this.stored;
    if (capacity[store] === undefined) return challenges + sessions + drafts >= MIN_CAPACITY;
    const most = { challenges, sessions, drafts: drafts + this.refusedBuilds };
    const stores: readonly Store[] = ["challenges", "sessions", "drafts"];
    return stores.some((name) => most[name] >= (capacity[name] ?? Number.POSITIVE_INFINITY));
  }

  /** Returns whether a service may limit sign-in requests, of this creator or in total. */
  mayLimitSignIn(creator: string): boolean {
    return (this.#requestsOf.get(creator) ?? 0) >= MIN_SIGN_INS || this.#requests >= 2 * MIN_SIGN_INS;
  }
}
