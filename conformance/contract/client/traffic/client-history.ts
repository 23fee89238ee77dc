import type { SourcePlace } from "../../../engine/vectors/vector.ts";
import { Known } from "../../audit/known.ts";
import { LIFETIME_MS } from "../../operations.ts";
import { type Asked, leftAlone, readTrace } from "../judge/client-reading.ts";
import { answerIn, type ClientExchange, turnOf } from "./client-exchange.ts";
import { SURELY_HEARD, tellsOfEnd } from "./heard-of-end.ts";

/** What is known of challenges, sessions and keys matters no longer than twice the life of a session. */
const KEPT_MS = 2 * LIFETIME_MS.session;
/** After so many exchanges it is looked what can be forgotten. */
const SWEEP = 5_000;
/** Challenges, proofs, sessions and keys that are known, at most of each: exchanges are kept whole. */
const MOST_KNOWN = 10_000;
/** Earlier exchanges of one kind that one is held against. */
const MOST_EARLIER = 3;

/** How a session was opened, as far as that is known of a bearer. */
interface Opened {
  /** Undefined where nobody knows, and where a service gave one bearer to two. */
  readonly creator: string | undefined;
  /** None where a service gave one bearer to two. */
  readonly exchanges: readonly ClientExchange[];
  /** Whether more than one session has the bearer. */
  readonly isAgain: boolean;
}

/** What was seen that a later request may be held against: profile, challenges, proofs, sessions and keys. */
export class ClientHistory {
  /** The first that was seen. */
  #profile: ClientExchange | undefined;
  /** Terms hashes that the service gave, or took: the profile is fixed, so there is one. */
  readonly #termsHashes = new Set<unknown>();
  /** By id; all of them, where a service gave one id to two. */
  readonly #challenges = new Known<readonly ClientExchange[]>();
  /** By the id of their challenge: the first proofs whose answers told of its end. */
  readonly #proofs = new Known<readonly ClientExchange[]>();
  readonly #sessions = new Known<Opened>();
  /** By bearer: the first build that it was sent with. */
  readonly #used = new Known<ClientExchange>();
  /** Whoever asked for a challenge. */
  readonly #creators = new Known<string>();
  /** By creator and key: the last builds that may have left a draft. */
  readonly #builds = new Known<readonly ClientExchange[]>();
  #taken = 0;

  /** Whether the terms hash is known: one was seen in a profile, and the service gave and took no other. */
  get knowsTerms(): boolean {
    return this.#profile !== undefined && this.#termsHashes.size === 1;
  }

  /** Whether an address is that of a creator who asked for a challenge. */
  isCreator(address: string): boolean {
    return this.#creators.get(address) !== undefined;
  }

  /** What an exchange is held against, in its order. */
  earlier({ request }: ClientExchange): readonly ClientExchange[] {
    const alone = readTrace({
      turns: [turnOf({ source: NOWHERE, startedMs: 0, endedMs: 0, request }, 0)],
      tasks: [],
      waitScale: 1,
    });
    const [asked] = alone.asked;
    if (asked === undefined) return [];
    const { operation, body, bearer, key } = asked;
    const session = this.#sessions.get(bearer ?? "")?.exchanges ?? [];
    if (operation === "challenge") return inOrder([...optional(this.#profile), ...session]);
    if (operation === "verify") {
      const id = String(body.members["id"]);
      const proofs = this.#proofs.get(id) ?? [];
      return inOrder([...session, ...this.#challengeOf(id), ...proofs, ...this.#usesOf(proofs)]);
    }
    if (operation !== "build") return session;
    return inOrder([...session, ...(this.#builds.get(`${body.members["creator"]} ${key}`) ?? [])]);
  }

  /** The challenge of an id, where there is one. */
  #challengeOf(id: string): readonly ClientExchange[] {
    const given = this.#challenges.get(id) ?? [];
    return given.length === 1 ? given : [];
  }

  /** Builds with the bearers that proofs were answered with: whoever sent one had that answer. */
  #usesOf(proofs: readonly ClientExchange[]): readonly ClientExchange[] {
    return proofs.flatMap(({ response }) => {
      const { bearer } = answerIn(response);
      if (typeof bearer !== "string" || this.#sessions.get(bearer)?.isAgain) return [];
      return optional(this.#used.get(bearer));
    });
  }

  /** Takes note of an exchange; what is long past is forgotten. */
  note(asked: Asked, exchange: ClientExchange): void {
    this.#taken += 1;
    if (this.#taken % SWEEP === 0) this.#forget(exchange.startedMs - KEPT_MS);
    const { operation, status, answer, body, bearer, key } = asked;
    const { startedMs } = exchange;
    const { id, termsHash, creator } = body.members;
    const isServed = status === 200;
    if (operation === "platform" && isServed && typeof answer["termsHash"] === "string") {
      this.#profile ??= exchange;
      this.#noteTerms(answer["termsHash"]);
    }
    if (operation === "challenge" && typeof creator === "string")
      this.#creators.set(creator, creator, startedMs);
    if (operation === "challenge" && isServed) {
      this.#noteTerms(termsHash);
      if (typeof answer["id"] === "string") this.#noteChallenge(answer["id"], exchange);
    }
    if (operation === "verify" && tellsOfEnd(asked)) {
      const before = this.#proofs.get(String(id)) ?? [];
      if (before.length < SURELY_HEARD) this.#proofs.set(String(id), [...before, exchange], startedMs);
    }
    if (operation === "verify" && isServed && typeof answer["bearer"] === "string")
      this.#noteSession(answer["bearer"], asked, exchange);
    if (operation === "build" && bearer !== undefined) {
      if (this.#used.get(bearer) === undefined) this.#used.set(bearer, exchange, startedMs);
      if (key !== undefined && (isServed || leftAlone(asked))) {
        const name = `${creator} ${key}`;
        const before = this.#builds.get(name) ?? [];
        this.#builds.set(name, [...before, exchange].slice(-MOST_EARLIER), startedMs);
      }
    }
  }

  /** Two of them tell as much as more. */
  #noteTerms(hash: unknown): void {
    if (this.#termsHashes.size < 2) this.#termsHashes.add(hash);
  }

  #noteChallenge(id: string, exchange: ClientExchange): void {
    const before = this.#challenges.get(id) ?? [];
    this.#challenges.set(id, [...before, exchange].slice(-2), exchange.startedMs);
  }

  #noteSession(bearer: string, { creator, body }: Asked, exchange: ClientExchange): void {
    const before = this.#sessions.get(bearer);
    const isOfTwo = before !== undefined && before.creator !== creator;
    this.#sessions.set(
      bearer,
      {
        creator: isOfTwo ? undefined : creator,
        exchanges: isOfTwo ? [] : [...this.#challengeOf(String(body.members["id"])), exchange],
        isAgain: before !== undefined,
      },
      exchange.startedMs,
    );
  }

  /** The service was started anew: no key stands for anything, and any may be used for other input. */
  restarted(): void {
    this.#builds.clear();
  }

  #forget(beforeMs: number): void {
    const all = [this.#challenges, this.#proofs, this.#sessions, this.#used, this.#builds, this.#creators];
    for (const known of all) {
      known.forget(beforeMs);
      known.keep(MOST_KNOWN);
    }
  }
}

const NOWHERE: SourcePlace = { file: "", line: 0 };

function optional(exchange: ClientExchange | undefined): readonly ClientExchange[] {
  return exchange === undefined ? [] : [exchange];
}

function inOrder(exchanges: readonly ClientExchange[]): readonly ClientExchange[] {
  return [...new Set(exchanges)].sort((one, other) => one.startedMs - other.startedMs);
}
