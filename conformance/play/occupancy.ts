/**
 * Evidence for refusals with 429. The contract does not state how many entries a service stores ("Limits"), so
 * a 429 can end a test without a violation. One set of limits must then explain all responses of the run: a
 * service that accepted N entries is not full with fewer.
 */

import {
  BUILDS_PER_MINUTE,
  type ExpiringOperation,
  LIFETIME_MS,
  OUTCOMES,
  STORE_OF,
  type Store,
} from "../contract/constants.ts";
import type { Exchange } from "../contract/exchange.ts";
import { matchesOutcome } from "../contract/outcome.ts";
import { RATE_WINDOW_MS } from "../contract/refusals.ts";
import { show } from "../data/json.ts";
import { Owners } from "../judge/owners.ts";
import { Load } from "../model/load.ts";
import type { Peaks, Refusal, Result } from "./result.ts";

/** Time by which the kit assumes that an entry expires early, in ms. A clock may count whole seconds. */
const EXPIRY_MARGIN_MS = 1_000;

/** Time after its expiry for which a service that removes expired entries may still keep an entry, in ms. */
const REMOVAL_MARGIN_MS = 3_600_000;

/** The most that a service accepted in all tests of a run. */
export class LimitEvidence {
  readonly #peaks = new Map<string, Peaks[string]>();
  /** Entries of a server that cannot be restarted, so that all tests share them. */
  readonly shared = new Occupancy(this);

  /** Records that the service accepted a number of entries or requests in a test. */
  accept(quantity: string, count: number, test: string): void {
    const peak = this.#peaks.get(quantity);
    if (peak === undefined || count > peak.count || (count === peak.count && test < peak.test))
      this.#peaks.set(quantity, { count, test });
  }

  get peaks(): Peaks {
    return Object.fromEntries([...this.#peaks].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}

/** Joins the peaks of several runs of one service. */
export function mergePeaks(all: readonly Peaks[]): Peaks {
  const evidence = new LimitEvidence();
  for (const peaks of all)
    for (const [quantity, { count, test }] of Object.entries(peaks)) evidence.accept(quantity, count, test);
  return evidence.peaks;
}

/** Adds a refusal, unless one that needs a lower limit is already in the list. Removes those that need a higher one. */
export function addRefusal(refusals: Refusal[], added: Refusal): void {
  const implies = (one: Refusal, other: Refusal) =>
    one.code === other.code &&
    Object.entries(other.counts).every(([quantity, count]) => (one.counts[quantity] ?? count + 1) <= count);
  if (refusals.some((one) => implies(one, added))) return;
  const kept = refusals.filter((one) => !implies(added, one));
  refusals.splice(0, refusals.length, ...kept, added);
}

/**
 * Returns why no limit explains a refusal, with the IDs of the tests that show that the service allows more.
 * Returns undefined if a limit does: a limit on the entries, in total or of one creator, or on the requests in a
 * minute.
 */
export function contradictionOf({ code, counts }: Refusal, peaks: Peaks) {
  const compared = Object.entries(counts).map(([quantity, count]) => {
    const peak = Object.hasOwn(peaks, quantity) ? peaks[quantity] : undefined;
    // Where one minute ends and the next begins, a service accepts up to twice its limit in one minute.
    const factor = RATES.has(quantity) ? 2 : 1;
    return { quantity, count, peak, isReached: count * factor >= (peak?.count ?? 0) };
  });
  const [first] = compared;
  if (first?.peak === undefined || compared.some(({ isReached }) => isReached)) return undefined;
  const { quantity, count, peak } = first;
  const message = `429 ${code} with at most ${count} ${quantity}, although ${peak.test} had ${peak.count}`;
  const otherTests = [...new Set(compared.flatMap((one) => one.peak?.test ?? []))];
  return { message, otherTests };
}

/** Adds the findings of a result that only all results of the run can show. */
export function withContradictions(result: Result, peaks: Peaks): Result {
  const found = (result.refusals ?? []).flatMap((refusal) => {
    const contradiction = refusal.finding && contradictionOf(refusal, peaks);
    if (refusal.finding === undefined || contradiction === undefined) return [];
    const { message: got, otherTests } = contradiction;
    return [{ ...refusal.finding, otherTests, difference: { ...refusal.finding.difference, got } }];
  });
  if (found.length === 0) return result;
  const reason = `step ${found[0]?.step} failed`;
  return { ...result, outcome: "failed", reason, findings: [...result.findings, ...found] };
}

/** Names of the request rates that a service may limit. */
const RATE = {
  builds: "builds of one creator in a minute",
  challenges: "requests for challenges in a minute",
  sessions: "requests for sessions in a minute",
  signIns: "sign-in requests in a minute",
  signInsOfCreator: "sign-in requests of one creator in a minute",
};
const RATES: ReadonlySet<string> = new Set(Object.values(RATE));

/** A quantity that a service may limit. The key tells the creators apart. */
interface Quantity {
  readonly name: string;
  readonly key: string;
}

function entriesOf(store: Store, creator: string): readonly Quantity[] {
  return [
    { name: store, key: store },
    { name: `${store} of one creator`, key: `${store} ${creator}` },
    { name: "entries", key: "entries" },
  ];
}

/** The totals of all stores: a service may report a full store before it checks the rest of a request. */
const TOTALS: readonly Quantity[] = ["challenges", "sessions", "drafts"].map((name) => ({ name, key: name }));

function requestsOf(store: Store, creator: string): readonly Quantity[] {
  if (store === "drafts") return [{ name: RATE.builds, key: `builds ${creator}` }];
  return [
    { name: RATE[store], key: `requests for ${store}` },
    { name: RATE.signIns, key: "sign-ins" },
    { name: RATE.signInsOfCreator, key: `sign-ins ${creator}` },
  ];
}

/** Names of the numbers of entries that a service may limit if it never removes expired ones, or no entries. */
const everCreated = (name: string) => `${name} since the start`;
const neverUsed = (name: string) => `unused ${name} since the start`;

/** An entry that certainly exists, until it may expire. */
interface Entry {
  readonly store: Store;
  readonly creator: string;
  readonly expiryMs: number;
}

/** The entries that one service stores, and its requests. */
export class Occupancy {
  readonly load = new Load();
  readonly #evidence: LimitEvidence;
  readonly #entries = new Map<string, Entry>();
  /** All entries that were ever created, even those that were used. */
  readonly #created: Entry[] = [];
  /** By key of a quantity: number of entries that were created, and that no proof has certainly used. */
  readonly #unused = new Map<string, number>();
  /** IDs of all drafts so far. */
  readonly #drafted = new Set<string>();
  /** IDs of the entries of each store, in the order of their creation. */
  readonly #ids: Readonly<Record<Store, string[]>> = { challenges: [], sessions: [], drafts: [] };
  /** By key of a quantity: number of entries that certainly exist. */
  readonly #certain = new Map<string, number>();
  /** By key of a quantity: number of entries that may exist, because the service may keep expired ones. */
  readonly #possible = new Map<string, number>();
  /** By key of a quantity: times of all requests, and of the accepted ones. */
  readonly #requests = new Map<string, Times>();
  readonly #accepted = new Map<string, Times>();
  readonly #owners = new Owners();
  /** Times of the builds of each creator that may count as new ones: all but the retries that got a draft. */
  readonly #newBuilds = new Map<string, Times>();

  constructor(evidence: LimitEvidence) {
    this.#evidence = evidence;
  }

  /**
   * Returns the creator of the entry that an exchange is about. Empty if it is unknown. A refused build counts
   * for the owner of its session, and not for the creator that it names.
   */
  creatorOf({ operation, input, request, status }: Exchange): string {
    if (operation === "verify") return this.#owners.ofChallenge(input?.["id"]) ?? "";
    const isOfSession = operation === "build" && status !== 200 && request.authorization === undefined;
    if (isOfSession) return this.#owners.ofBearer(request.bearer) ?? "";
    const creator = input?.["creator"];
    return typeof creator === "string" ? creator : "";
  }

  /** Counts the entry that an exchange may have created. @param test ID of the test that sent the request */
  record(exchange: Exchange, test: string): void {
    const { operation, status, atMs, answeredAtMs } = exchange;
    const store = STORE_OF[operation];
    if (store === undefined) {
      // A request that differs from that of an operation, such as by a query, may also create an entry.
      if (operation === "other" && (status === 200 || status === undefined)) this.load.strays += 1;
      return;
    }
    const creator = this.creatorOf(exchange);
    const id = idOf(exchange, store);
    // A proof can consume its challenge even if the service refuses the proof.
    if (store === "sessions") this.#remove(`challenges ${textOf(exchange.input?.["id"])}`);
    const usesChallenge = matchesOutcome(exchange, OUTCOMES.success, OUTCOMES.invalidProof);
    if (store === "sessions" && usesChallenge)
      for (const { key } of entriesOf("challenges", creator)) add(this.#unused, key, -1);
    // A further build under the key of a draft adds no entry and does not extend the expiry of the draft.
    const isFurther = store === "drafts" && this.#drafted.has(id);
    const isRefused = status !== 200 && status !== undefined;
    if (store === "drafts") {
      const bindsKey = isRefused && !isFurther && !matchesOutcome(exchange, OUTCOMES.full);
      this.load.countBuild(creator, bindsKey, atMs);
      if (isRefused || !isFurther) timesOf(this.#newBuilds, creator).push(atMs);
    }
    const requests = requestsOf(store, creator);
    for (const { key } of requests) timesOf(this.#requests, key).push(atMs);
    if (isRefused) return;
    for (const { name, key } of requests) {
      timesOf(this.#accepted, key).push(atMs);
      this.#evidence.accept(name, recent(this.#accepted, key, answeredAtMs), test);
    }
    if (isFurther) return;
    this.load.stored[store] += 1;
    const quantities = entriesOf(store, creator);
    for (const { key } of quantities) {
      add(this.#possible, key, 1);
      add(this.#unused, key, 1);
    }
    const lifetimeMs = LIFETIME_MS[operation as ExpiringOperation];
    this.#created.push({ store, creator, expiryMs: atMs + lifetimeMs });
    if (status === undefined) return;
    if (store === "drafts") this.#drafted.add(id);
    this.#owners.record(exchange);
    this.#removeExpired(answeredAtMs);
    if (!this.#entries.has(id)) {
      this.#entries.set(id, { store, creator, expiryMs: atMs + lifetimeMs - EXPIRY_MARGIN_MS });
      this.#ids[store].push(id);
      for (const { key } of quantities) add(this.#certain, key, 1);
    }
    for (const { name, key } of quantities) {
      this.#evidence.accept(name, this.#certain.get(key) ?? 0, test);
      this.#evidence.accept(everCreated(name), this.#possible.get(key) ?? 0, test);
      this.#evidence.accept(neverUsed(name), this.#unused.get(key) ?? 0, test);
    }
  }

  /** Returns the number of entries of a store that certainly exist. */
  certain(store: Store, nowMs: number): number {
    this.#removeExpired(nowMs);
    return this.#certain.get(store) ?? 0;
  }

  /**
   * Returns the number of entries that may exist if the service removes expired entries, and keeps used ones
   * until they expire. It may keep the key of a draft for ever.
   * @param key key of a quantity of entries
   */
  kept(key: string, nowMs: number): number {
    return this.#created.filter(
      ({ store, creator, expiryMs }) =>
        (store === "drafts" || nowMs < expiryMs + REMOVAL_MARGIN_MS) &&
        entriesOf(store, creator).some((quantity) => quantity.key === key),
    ).length;
  }

  /** Returns whether the service may store an entry of this creator. */
  mayStore(store: Store, creator: string): boolean {
    return (this.#possible.get(`${store} ${creator}`) ?? 0) > 0;
  }

  /** Returns whether the creator's builds of the last minute that may count as new ones exceed the limit. */
  exceedsBuildLimit(creator: string, nowMs: number): boolean {
    return recent(this.#newBuilds, creator, nowMs) > BUILDS_PER_MINUTE;
  }

  /**
   * Returns the quantities that may explain a refusal with 429, with the numbers at the refusal.
   * @param isOwn whether the store has a separate capacity. Entries of other stores then take none of its places.
   */
  refusalOf(exchange: Exchange, store: Store, isOwn: boolean): Refusal {
    const creator = this.creatorOf(exchange);
    const { refusedBuilds, strays } = this.load;
    const others = store === "drafts" ? refusedBuilds + strays : strays;
    const counts = new Map<string, number>();
    const isRateOfBuilds = store === "drafts" && matchesOutcome(exchange, OUTCOMES.rateLimited);
    if (!isRateOfBuilds)
      for (const { name, key } of [...entriesOf(store, creator), ...TOTALS]) {
        const further = name === "entries" ? refusedBuilds + strays : others;
        const ever = (this.#possible.get(key) ?? 0) + further;
        counts.set(name, isOwn ? this.kept(key, exchange.atMs) + further : ever);
        if (!isOwn) continue;
        counts.set(everCreated(name), ever);
        counts.set(neverUsed(name), (this.#unused.get(key) ?? 0) + further);
      }
    if (isRateOfBuilds || store !== "drafts")
      for (const { name, key } of requestsOf(store, creator))
        counts.set(name, recent(this.#requests, key, exchange.atMs));
    return { code: String(exchange.body["code"]), counts: Object.fromEntries(counts) };
  }

  #removeExpired(nowMs: number): void {
    for (const ids of Object.values(this.#ids))
      while (ids[0] !== undefined && (this.#entries.get(ids[0])?.expiryMs ?? nowMs) <= nowMs)
        this.#remove(ids.shift() as string);
  }

  #remove(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    for (const { key } of entriesOf(entry.store, entry.creator)) add(this.#certain, key, -1);
  }
}

function idOf({ body, input, request }: Exchange, store: Store): string {
  if (store === "drafts") return `drafts ${textOf(input?.["creator"])} ${request.idempotencyKey}`;
  return `${store} ${textOf(store === "challenges" ? body["id"] : body["bearer"])}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : show(value);
}

function add(counts: Map<string, number>, key: string, change: number): void {
  counts.set(key, (counts.get(key) ?? 0) + change);
}

/** Times in ms, in ascending order. */
type Times = number[];

function timesOf(times: Map<string, Times>, key: string): Times {
  const known = times.get(key) ?? [];
  times.set(key, known);
  return known;
}

/** Returns the number of times in the last minute. Forgets the earlier ones. */
function recent(times: Map<string, Times>, key: string, nowMs: number): number {
  const known = times.get(key) ?? [];
  while (known[0] !== undefined && nowMs - known[0] >= RATE_WINDOW_MS) known.shift();
  return known.length;
}
