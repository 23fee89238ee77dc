import type { Facts } from "../../adapters/adapter.ts";
import type { Contradiction } from "../../engine/audit/partition.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { requestJson } from "../judge/request-json.ts";
import { parseTimestamp } from "../judge/timestamp.ts";
import { isAnswered, LIFETIME_MS, OUTCOMES, STORE_OF, type Store } from "../operations.ts";
import { UNSTATED_BOUND } from "../room.ts";
import { mayLinger } from "../timekeeping/lingering.ts";
import { MASKED } from "../traffic/secret-masks.ts";
import { Known } from "./ledger.ts";
import type { CapacityThen, SeenExchange } from "./seen.ts";

/** Two sessions of one creator with different bearers, before it is known whether the first was alive when the second began. */
interface Pair {
  readonly first: SeenExchange;
  readonly second: SeenExchange;
}

/** Most pairs that are kept. */
const MOST_PAIRS = 100;

/**
 * How a service gives bearers, as far as a recording shows. A creator's later session may have the bearer of an earlier one
 * (BEARER-PER-SESSION): without a recorded sign-in a bearer cannot be called expired, until the traffic rules that out.
 */
export class BearerHabit {
  readonly #last = new Known<SeenExchange>();
  #pairs: Pair[] = [];
  #same = false;
  #differ = false;
  #differInOneRun = false;

  /** Whether a creator may be given the bearer of an earlier session since the last restart again. */
  get mayRecur(): boolean {
    return this.#same || !this.#differInOneRun;
  }

  /** Whether a bearer may be the same after a restart, as one that depends on the creator alone. */
  get mayOutliveRestart(): boolean {
    return this.#same || !this.#differ;
  }

  /**
   * Notes a session that was opened.
   * @param isAgain whether its bearer is that of an earlier session, the last one or any before
   */
  opened(creator: string | undefined, seen: SeenExchange, isAgain: boolean): void {
    this.#same ||= isAgain;
    if (creator === undefined) return;
    const first = this.#last.get(creator);
    this.#last.set(creator, seen, seen.endsMs);
    if (isAgain || first === undefined || mayBeMasksOfOne(first, seen)) return;
    this.#differ = true;
    // Once the first has expired, its bearer need not be given again.
    const apartMs = seen.moment.latest - first.moment.earliest;
    const isShown = this.#differInOneRun || this.#pairs.length >= MOST_PAIRS;
    if (apartMs < LIFETIME_MS.session && !isShown) this.#pairs.push({ first, second: seen });
  }

  /** Notes a build that a session served: since it began, the service has not restarted. */
  served(opened: SeenExchange, build: SeenExchange): void {
    if (this.#differInOneRun) return;
    this.#differInOneRun = this.#pairs.some(
      ({ first, second }) =>
        (opened === first || opened.endsMs < first.beginsMs) && second.endsMs < build.beginsMs,
    );
    if (this.#differInOneRun) this.#pairs = [];
  }

  /** After a restart a service may give other bearers. */
  restarted(): void {
    this.#pairs = [];
  }

  /** Forgets what came before a moment. */
  forget(beforeMs: number): void {
    this.#last.forget(beforeMs);
    this.#pairs = this.#pairs.filter(({ first }) => first.endsMs >= beforeMs);
  }
}

/** Whether two bearers may be one: each recorder has its own masks. */
function mayBeMasksOfOne(one: SeenExchange, other: SeenExchange): boolean {
  const isMasked = [one, other].some(({ exchange }) => String(exchange.body["bearer"]).startsWith(MASKED));
  return isMasked && one.source.file !== other.source.file;
}

/** Uncertainty of a clock of whole seconds, and of a request's duration, in ms. */
const SLACK_MS = 2_000;
/** Uncertainty of a clock of whole seconds where the service's own is known, in ms. */
const SECOND_MS = 999;
/** Number of new drafts that show how far ahead their expiries are. */
const ENOUGH = 3;
/** Distance of two drafts that shows whether their expiries follow the clock, in ms. */
const APART_MS = 10_000;

/**
 * Drafts that are given after their own expiry. A draft may live longer than it has to, but not where its `expiresAt`
 * follows the clock, as two drafts show, and says otherwise (contract, "States and transitions", Draft).
 */
export class ExpiredDrafts {
  readonly #first = new Known<SeenExchange>();
  #earliest: SeenExchange | undefined;
  /** Length of the unit of `expiresAt` in ms, where it follows the clock. */
  #unitMs: number | undefined;
  /** How far the recorder's clock may be from the service's, as sign-ins show, in ms. */
  #apartMs: number | undefined;
  /** How far ahead of the recorder's clock the expiries of the youngest drafts are, and the number of such drafts. */
  #ahead = { ms: Number.NEGATIVE_INFINITY, drafts: 0 };

  /** Learns from a challenge or a session how far the recorder's clock is from the service's. */
  learnClock({ exchange, moment: { earliest, latest } }: SeenExchange): void {
    const { operation, body, sentAt } = exchange;
    if (operation !== "challenge" && operation !== "verify") return;
    const lifetimeMs = operation === "verify" ? LIFETIME_MS.session : LIFETIME_MS.challenge;
    const stated = parseTimestamp(body["expiresAt"], sentAt + lifetimeMs);
    if (stated === undefined) return;
    const issuedMs = stated.ms - lifetimeMs;
    const apartMs = Math.max(Math.abs(earliest - issuedMs), Math.abs(latest - issuedMs));
    this.#apartMs = Math.max(this.#apartMs ?? 0, apartMs);
  }

  /**
   * Judges a draft that was given, and remembers it.
   * @param doubtMs how far the clocks of those who recorded may be apart; undefined where the service's own is known
   */
  judge(
    seen: SeenExchange,
    doubtMs: number | undefined,
  ): (Contradiction & { readonly because: readonly SeenExchange[] }) | undefined {
    const { request, body, sentAt } = seen.exchange;
    const { expiresAt } = body;
    if (typeof expiresAt !== "number" || request.idempotencyKey === undefined) return undefined;
    const scope = `${String(requestJson(request)?.["creator"])} ${request.idempotencyKey} ${expiresAt}`;
    const first = this.#first.get(scope);
    if (first === undefined) {
      this.#first.set(scope, seen, seen.endsMs);
      this.#learn(seen);
      return undefined;
    }
    if (this.#unitMs === undefined || mayLinger(seen.exchange)) return undefined;
    const { earliest } = seen.moment;
    const ageMs = earliest - first.moment.latest;
    const slackMs = (isExact(first) && isExact(seen) ? SECOND_MS : SLACK_MS) + 2 * (doubtMs ?? 0);
    // A draft may live for longer than half a minute: what is over is so by the service's clock.
    const apartMs = doubtMs === undefined ? 0 : (this.#apartMs ?? Number.POSITIVE_INFINITY);
    const passedMs = earliest - expiresAt * this.#unitMs - apartMs;
    if (ageMs <= LIFETIME_MS.draft + slackMs || passedMs <= slackMs) return undefined;
    const expected = `409 REBUILD_WITH_NEW_KEY: the draft expired at ${expiresAt}`;
    const got = `the same draft, ${Math.round(ageMs / 1000)} s after it was given first (at ${sentAt})`;
    const differences = [{ path: "expiresAt", expected, got }];
    return { rules: ["IDEMPOTENCY-41"], expected, got, differences, because: [first, seen] };
  }

  /** Greatest age of a draft that was given; the draft lifetime, unless its expiry follows the clock. */
  ageMs({ exchange, moment }: SeenExchange): number {
    const { expiresAt } = exchange.body;
    if (this.#unitMs === undefined || typeof expiresAt !== "number" || this.#ahead.drafts < ENOUGH)
      return LIFETIME_MS.draft;
    const aheadMs = expiresAt * this.#unitMs - moment.latest;
    return Math.max(0, this.#ahead.ms - aheadMs);
  }

  forget(beforeMs: number): void {
    this.#first.forget(beforeMs);
  }

  clear(): void {
    this.#first.clear();
    this.#earliest = undefined;
  }

  /** Whether expiries follow the clock: two drafts expire as far apart as they were given. */
  #learn(seen: SeenExchange): void {
    if (this.#unitMs !== undefined) {
      this.#compare(seen, this.#unitMs);
      return;
    }
    this.#earliest ??= seen;
    const { exchange: one } = this.#earliest;
    const { exchange: other } = seen;
    const apartMs = other.sentAt - one.sentAt;
    if (apartMs < APART_MS) return;
    const stated = Number(other.body["expiresAt"]) - Number(one.body["expiresAt"]);
    this.#unitMs = [1, 1000].find((unitMs) => Math.abs(stated * unitMs - apartMs) < SLACK_MS);
    if (this.#unitMs === undefined) return;
    this.#compare(this.#earliest, this.#unitMs);
    this.#compare(seen, this.#unitMs);
  }

  /** New drafts are as far ahead as each other, and what is given again is less so. */
  #compare({ exchange, moment }: SeenExchange, unitMs: number): void {
    const ms = Number(exchange.body["expiresAt"]) * unitMs - moment.earliest;
    const { ms: most, drafts } = this.#ahead;
    if (ms > most + SLACK_MS / 2) this.#ahead = { ms, drafts: 1 };
    else if (ms > most - SLACK_MS / 2) this.#ahead = { ms: Math.max(ms, most), drafts: drafts + 1 };
  }
}

/** Whether it is known at which moment of the service's clock it was served. */
function isExact({ moment }: SeenExchange): boolean {
  return moment.earliest === moment.latest;
}

/** A 429 before which nothing was stored or requested, and the moment until which that may still have happened. */
interface Early {
  readonly endsMs: number;
  readonly room: { crowded: boolean; manyAsked: boolean };
}

/** How much a service was seen to store and to be asked: its capacity need not be stated. */
export class SeenCapacity {
  readonly #capacity: Facts["capacity"];
  readonly #complete: boolean;
  #stored: Record<Store, number> = { challenges: 0, sessions: 0, drafts: 0 };
  /** Requests for challenges and sessions. */
  #asked = 0;
  /** Fewest stored entries with which a store was full. */
  #fewest = UNSTATED_BOUND;
  #fullSeen = false;
  #early: Early[] = [];

  /** @param complete whether every stored entry was seen */
  constructor(capacity: Facts["capacity"], complete: boolean) {
    this.#capacity = capacity;
    this.#complete = complete;
  }

  /**
   * State of the capacity when a response was given, by `endsMs` at the latest: known once all that began by then is noted,
   * since requests are not always served in order.
   */
  at(exchange: Exchange, endsMs: number): CapacityThen {
    const asked = this.#asked;
    const isRefused = exchange.status === 429;
    const manyAsked = asked >= UNSTATED_BOUND || (asked > 0 && isRefused);
    const room = { crowded: this.#complete ? this.#isCrowded(exchange) : this.#fullSeen, manyAsked };
    if (this.#complete && isRefused && !(room.crowded && manyAsked)) this.#early.push({ endsMs, room });
    return room;
  }

  /**
   * Notes what a response stored, or that it was refused for lack of capacity.
   * @param own result of {@link at} for it
   */
  note(exchange: Exchange, beginsMs: number, own: CapacityThen): void {
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

  /** Notes a restart. */
  restarted(): void {
    this.#stored = { challenges: 0, sessions: 0, drafts: 0 };
    this.#asked = 0;
  }

  #isCrowded(exchange: Exchange): boolean {
    const store = storeOf(exchange);
    if (store === undefined) return false;
    const stored = this.#stored;
    const total = stored.challenges + stored.sessions + stored.drafts;
    // A capacity may be small: the first refusal shows it.
    if (total > 0 && isAnswered(OUTCOMES.full, exchange)) this.#fewest = Math.min(this.#fewest, total);
    const names = Object.values(STORE_OF);
    const reached = names.some((name) => stored[name] >= (this.#capacity[name] ?? Number.POSITIVE_INFINITY));
    return reached || (this.#capacity[store] === undefined && total >= this.#fewest);
  }
}

function storeOf({ operation }: Exchange): Store | undefined {
  return Object.hasOwn(STORE_OF, operation) ? STORE_OF[operation as keyof typeof STORE_OF] : undefined;
}
