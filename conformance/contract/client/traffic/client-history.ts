import type { Turn } from "../../../engine/client/trace.ts";
import { isObject } from "../../../engine/play/exchange.ts";
import { Known } from "../../audit/ledger.ts";
import { LIFETIME_MS, OUTCOMES } from "../../operations.ts";
import { type Asked, type ClientReading, gotAnswer, leftAlone, readTrace } from "../judge/client-reading.ts";
import type { SeenTurn } from "./seen-turn.ts";

/**
 * Answers may be lost behind whoever saw them pass, and a proof may then be sent again as it was (CLIENT-LOST-VERIFY). So
 * often they are not: what sends again by itself gives up after four attempts.
 */
const SURELY_HEARD = 4;

/** Longest way of a response to its client, in ms: a request within it may have been sent before the response arrived. */
const ON_THE_WAY_MS = 1_000;

/** Whether a proof was answered by what says that its challenge is over: what stands before a service has a 401 of its own. */
function tellsOfEnd(asked: Asked): boolean {
  if (asked.status === 200) return typeof asked.answer["bearer"] === "string";
  return gotAnswer(asked, OUTCOMES.spentChallenge) || gotAnswer(asked, OUTCOMES.invalidProof);
}

/** Whether the sender of a proof surely knew that its challenge was used up. */
export function heardOfEnd({ turn, body }: Asked, { asked }: ClientReading, doubtMs: number): boolean {
  const tellings = asked.filter(
    (one) =>
      one.operation === "verify" &&
      one.body.members["id"] === body.members["id"] &&
      one.turn.index < turn.index &&
      tellsOfEnd(one),
  );
  const isAfter = (later: Turn, earlier: Turn, spanMs: number) =>
    earlier.answeredAtMs + spanMs + doubtMs <= later.atMs;
  const told = tellings.filter((one) => isAfter(turn, one.turn, ON_THE_WAY_MS));
  const isUsed = asked.some(
    (use) =>
      use.operation === "build" &&
      use.turn.atMs + doubtMs <= turn.atMs &&
      tellings.some(
        ({ turn: telling, answer }) => answer["bearer"] === use.bearer && isAfter(use.turn, telling, 0),
      ),
  );
  return isUsed || told.length >= SURELY_HEARD;
}

/** How long challenges, sessions and keys are remembered: twice the lifetime of a session. */
const KEPT_MS = 2 * LIFETIME_MS.session;
/** Number of exchanges between sweeps of forgettable state. */
const SWEEP = 5_000;
/** Most challenges, proofs, sessions and keys that are remembered, of each. */
const MOST_KNOWN = 10_000;
/** Earlier exchanges of one kind that one is compared with. */
const MOST_EARLIER = 3;

/** How the session of a bearer was opened. */
interface Opened {
  /** Undefined where unknown, and where a service gave one bearer to two creators. */
  readonly creator: string | undefined;
  /** Empty where a service gave one bearer to two creators. */
  readonly exchanges: readonly SeenTurn[];
  /** Whether more than one session has the bearer. */
  readonly isAgain: boolean;
}

/** Earlier exchanges that a request is compared with: profile, challenges, proofs, sessions and keys. */
export class ClientHistory {
  /** The first that was seen. */
  #profile: SeenTurn | undefined;
  /** Terms hashes that the service gave or accepted: the profile is fixed, so there is one. */
  readonly #termsHashes = new Set<unknown>();
  /** By id; several, where a service gave one id to two creators. */
  readonly #challenges = new Known<readonly SeenTurn[]>();
  /** By the id of their challenge: the first proofs whose responses ended it. */
  readonly #proofs = new Known<readonly SeenTurn[]>();
  readonly #sessions = new Known<Opened>();
  /** By bearer: the first build that it was sent with. */
  readonly #used = new Known<SeenTurn>();
  /** Creators that requested a challenge. */
  readonly #creators = new Known<string>();
  /** By creator and key: the last builds that may have left a draft. */
  readonly #builds = new Known<readonly SeenTurn[]>();
  #taken = 0;

  /** Whether the terms hash is known: one was seen in a profile, and the service gave and took no other. */
  get knowsTerms(): boolean {
    return this.#profile !== undefined && this.#termsHashes.size === 1;
  }

  /** Whether an address is that of a creator who asked for a challenge. */
  isCreator(address: string): boolean {
    return this.#creators.get(address) !== undefined;
  }

  /** Earlier exchanges that a request is compared with, in order. */
  earlier(turn: SeenTurn): readonly SeenTurn[] {
    const alone = readTrace({ turns: [{ ...turn, answer: { kind: "lost" } }], tasks: [], waitScale: 1 });
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
  #challengeOf(id: string): readonly SeenTurn[] {
    const given = this.#challenges.get(id) ?? [];
    return given.length === 1 ? given : [];
  }

  /** Builds with the bearers that proofs were answered with: their senders had the response. */
  #usesOf(proofs: readonly SeenTurn[]): readonly SeenTurn[] {
    return proofs.flatMap(({ answer }) => {
      const { bearer } = answer.kind === "answer" && isObject(answer.body) ? answer.body : {};
      if (typeof bearer !== "string" || this.#sessions.get(bearer)?.isAgain) return [];
      return optional(this.#used.get(bearer));
    });
  }

  /** Notes an exchange, and forgets old ones. */
  note(asked: Asked, turn: SeenTurn): void {
    this.#taken += 1;
    if (this.#taken % SWEEP === 0) this.#forget(turn.atMs - KEPT_MS);
    const { operation, status, answer, body, bearer, key } = asked;
    const { atMs: startedMs } = turn;
    const { id, termsHash, creator } = body.members;
    const isServed = status === 200;
    if (operation === "platform" && isServed && typeof answer["termsHash"] === "string") {
      this.#profile ??= turn;
      this.#noteTerms(answer["termsHash"]);
    }
    if (operation === "challenge" && typeof creator === "string")
      this.#creators.set(creator, creator, startedMs);
    if (operation === "challenge" && isServed) {
      this.#noteTerms(termsHash);
      if (typeof answer["id"] === "string") this.#noteChallenge(answer["id"], turn);
    }
    if (operation === "verify" && tellsOfEnd(asked)) {
      const before = this.#proofs.get(String(id)) ?? [];
      if (before.length < SURELY_HEARD) this.#proofs.set(String(id), [...before, turn], startedMs);
    }
    if (operation === "verify" && isServed && typeof answer["bearer"] === "string")
      this.#noteSession(answer["bearer"], asked, turn);
    if (operation === "build" && bearer !== undefined) {
      if (this.#used.get(bearer) === undefined) this.#used.set(bearer, turn, startedMs);
      if (key !== undefined && (isServed || leftAlone(asked))) {
        const name = `${creator} ${key}`;
        const before = this.#builds.get(name) ?? [];
        this.#builds.set(name, [...before, turn].slice(-MOST_EARLIER), startedMs);
      }
    }
  }

  /** Two of them show as much as more. */
  #noteTerms(hash: unknown): void {
    if (this.#termsHashes.size < 2) this.#termsHashes.add(hash);
  }

  #noteChallenge(id: string, turn: SeenTurn): void {
    const before = this.#challenges.get(id) ?? [];
    this.#challenges.set(id, [...before, turn].slice(-2), turn.atMs);
  }

  #noteSession(bearer: string, { creator, body }: Asked, turn: SeenTurn): void {
    const before = this.#sessions.get(bearer);
    const isOfTwo = before !== undefined && before.creator !== creator;
    this.#sessions.set(
      bearer,
      {
        creator: isOfTwo ? undefined : creator,
        exchanges: isOfTwo ? [] : [...this.#challengeOf(String(body.members["id"])), turn],
        isAgain: before !== undefined,
      },
      turn.atMs,
    );
  }

  /** Notes a restart: any key may be used for other input. */
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

function optional(turn: SeenTurn | undefined): readonly SeenTurn[] {
  return turn === undefined ? [] : [turn];
}

function inOrder(turns: readonly SeenTurn[]): readonly SeenTurn[] {
  return [...new Set(turns)].sort((one, other) => one.atMs - other.atMs);
}
