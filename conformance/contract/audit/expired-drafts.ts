import type { Contradiction } from "../../engine/audit/lane.ts";
import { requestJson } from "../judge/request-json.ts";
import { parseTimestamp } from "../judge/timestamp.ts";
import { LIFETIME_MS } from "../operations.ts";
import { mayLinger } from "../timekeeping/lingering.ts";
import { Known } from "./known.ts";
import type { SeenExchange } from "./seen.ts";

/** What a clock of whole seconds leaves open, and what lies between a request and its answer; in ms. */
const SLACK_MS = 2_000;
/** What a clock of whole seconds leaves open where the service's own is known. */
const SECOND_MS = 999;
/** So many new drafts show how far ahead their expiries are. */
const ENOUGH = 3;
/** Two drafts so far apart show whether their expiries follow the clock. */
const APART_MS = 10_000;

/**
 * Drafts that are given after their own expiry. A draft may live longer than it has to, but not where its `expiresAt`
 * follows the clock, as two drafts show, and says otherwise (contract, "States and transitions", Draft).
 */
export class ExpiredDrafts {
  readonly #first = new Known<SeenExchange>();
  #earliest: SeenExchange | undefined;
  /** How many ms one of `expiresAt` is, where it follows the clock. */
  #unitMs: number | undefined;
  /** How far the recording's clock may be from the service's, as the moments show that sign-ins state; in ms. */
  #apartMs: number | undefined;
  /** How far ahead of the recording's clock the expiries of the youngest drafts are, and how many were as far. */
  #ahead = { ms: Number.NEGATIVE_INFINITY, drafts: 0 };

  /** Learns from a challenge or a session how far the recording's clock is from the service's. */
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

  /** How old a draft may be that is given: nobody knows, unless its expiry follows the clock. */
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
