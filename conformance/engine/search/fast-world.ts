import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { Who } from "../../contract/commands/action.ts";
import { type Letter, LIMITS, type Sight } from "../../contract/commands/alphabet.ts";
import type { Deed } from "../../contract/commands/deed.ts";
import {
  executionPath,
  inputFields,
  KEYS,
  OTHER_TERMS,
  SPENT,
} from "../../contract/commands/letter-steps.ts";
import { isOfHour, type Parts, partsOf, type Round, type Sequence } from "../../contract/commands/rounds.ts";
import { type KeyPair, keyPairOf } from "../../contract/keys/key-pair.ts";
import { knownAsUsual } from "../../contract/model/address.ts";
import { QUIET_MS } from "../../contract/model/rate-belief.ts";
import { launchRequest, operationRequest } from "../../contract/verbs/requests.ts";
import type { Exchange } from "../play/exchange.ts";
import { parseDuration } from "../vectors/duration.ts";
import type { Template } from "../vectors/vector.ts";
import { JudgedService } from "./judged-service.ts";
import type { SequenceStage } from "./play-sequence.ts";

/** After so much time without requests nothing of a sequence matters to the next but its sessions, in ms. */
const PAUSE_MS = QUIET_MS + 1;
/** How long a session lives, and the most that a sequence takes of it before it waits for its end, in ms. */
const SESSION_MS = 3_600_000;
const SEQUENCE_MS = 4 * 60_000;
/** More deeds than this are not looked back on. */
const MOST_DEEDS = 256;
/** Share of the stated room for drafts that one life of the service may use. */
const ROOM_USED = 0.5;

const PROFILE: ServiceRequest = { method: "GET", path: "/v1/platform" };

/** One of the sequences that are being played. */
interface Player {
  readonly letters: Sequence;
  readonly parts: Parts;
  readonly number: number;
  /** When it began, in ms since the Unix epoch. */
  begun: number;
  challenge?: { readonly body: Exchange["body"]; readonly number: number };
  /** The session that alice had before the restart. */
  stale?: Session | undefined;
}

interface Session {
  readonly bearer: string;
  readonly issuedAt: number;
  /** Of the deed that opened it. */
  readonly number: number;
}

/**
 * Plays sequences against one service as fast as it answers. Sessions are opened once and used by as many sequences
 * as their hour holds; between two, the clock moves on far enough, and each has keys of its own.
 */
export class FastWorld {
  readonly #stage: SequenceStage;
  readonly #service: JudgedService;
  readonly #pairs = new Map<string, KeyPair>();
  readonly #bodies = new Map<string, string>();
  #sequences = 0;
  #last: Sequence = [];
  #drafts = 0;
  #bearers = new Map<Who, Session>();
  #deeds: Deed[] = [];
  #numbers = 0;

  /** @param startMs the clock at which the service was started */
  constructor(stage: SequenceStage, startMs: number) {
    this.#stage = stage;
    this.#service = new JudgedService(stage, startMs);
  }

  /** Requests, clock steps and restarts so far. */
  get steps(): number {
    return this.#service.steps;
  }

  /** The sequence that was played last. */
  get last(): Sequence {
    return this.#last;
  }

  /** What was done to the service of late, the last of it at the end. */
  get deeds(): readonly Deed[] {
    return this.#deeds.slice(-MOST_DEEDS);
  }

  /** Plays sequences side by side. @throws {Found} at the first answer that is not allowed */
  async play(round: Round): Promise<void> {
    await this.#prepare(round);
    const players = round.map((letters) => this.#player(letters));
    const ends = players[0]?.parts.ends ?? [];
    for (let part = 0; part <= ends.length; part++) {
      for (const [index, player] of players.entries()) {
        if (part === 0 && index > 0 && isOfHour(player.letters)) await this.#pause();
        if (part === 0) player.begun = this.#service.now;
        this.#last = player.letters;
        for (const letter of player.parts.between[part] ?? []) await this.#play(letter, player);
      }
      const end = ends[part];
      if (end !== undefined) await this.#end(end, players);
    }
  }

  #player(letters: Sequence): Player {
    this.#sequences += 1;
    return { letters, parts: partsOf(letters), number: this.#sequences, begun: this.#service.now };
  }

  async #play(letter: Letter, player: Player): Promise<void> {
    const { number } = player;
    switch (letter.kind) {
      case "build":
        await this.#build(letter.who, `${KEYS[letter.key]}-${number}`, letter.key, letter.input);
        break;
      case "spend":
        for (let count = 0; count < SPENT; count++)
          await this.#build("alice", `fresh-${number}-${this.steps}`, 0, 1);
        break;
      case "invalid":
        await this.#build("alice", `${KEYS[1]}-${number}`, 1, 3);
        break;
      case "challenge": {
        const challenge = ++this.#numbers;
        this.#deed({ do: "challenge", who: "alice", number: challenge });
        player.challenge = { body: (await this.#challenge("alice")).body, number: challenge };
        break;
      }
      case "prove": {
        const { challenge } = player;
        if (challenge === undefined) break;
        const proof = ++this.#numbers;
        this.#deed({ do: "prove", challenge: challenge.number, honest: letter.honest, number: proof });
        await this.#prove("alice", challenge.body, letter.honest, proof);
        break;
      }
      case "stale":
        if (player.stale !== undefined) {
          const key = `stale-${number}-key`;
          this.#deed({ do: "build", who: "alice", key, input: 1, session: player.stale.number });
          await this.#service.send(this.#buildRequest("alice", player.stale.bearer, key, 0, 1));
        }
        break;
      case "wait":
        await this.#wait(letter.limit, player.begun);
        break;
      case "look":
        await this.#look(letter.at, number);
        break;
      case "restart":
        break;
    }
  }

  async #look(at: Sight, number: number): Promise<void> {
    this.#deed({ do: "look", at });
    await this.#service.send(this.#sight(at, `${at}-key-${number}`));
  }

  #sight(at: Sight, key: string): ServiceRequest {
    const bearer = this.#bearers.get("alice")?.bearer;
    switch (at) {
      case "foreign":
        return this.#buildRequest("bob", bearer, key, 0, 1);
      case "bare":
        return this.#buildRequest("alice", undefined, key, 0, 1);
      case "unkeyed":
        return this.#buildRequest("alice", bearer, undefined, 0, 1);
      case "profile":
        return PROFILE;
      case "terms":
        return this.#challengeRequest("alice", OTHER_TERMS);
      default:
        return { method: "POST", path: executionPath(at), body: "{}" };
    }
  }

  /** What ends the sessions of all of them: a restart, or the hour of alice's. */
  async #end(letter: Letter, players: readonly Player[]): Promise<void> {
    const session = this.#bearers.get("alice");
    if (letter.kind === "restart") {
      for (const player of players) player.stale = session;
      await this.#restart();
    } else if (letter.kind === "wait") {
      const [first] = players;
      const since = first?.stale === undefined ? session?.issuedAt : undefined;
      await this.#wait(letter.limit, since ?? first?.begun ?? this.#service.now);
    }
  }

  async #wait(index: number, sinceMs: number): Promise<void> {
    const limit = LIMITS[index];
    const offset = limit?.edge === "just-before" ? -1 : 1 + this.#service.lateMs;
    await this.#advance(sinceMs + (parseDuration(limit?.span ?? "") ?? 0) + offset - this.#service.now);
  }

  async #pause(): Promise<void> {
    await this.#advance(PAUSE_MS + this.#service.lateMs);
  }

  async #advance(ms: number): Promise<void> {
    if (ms > 0) this.#deed({ do: "wait", ms });
    await this.#service.advance(ms);
  }

  /** Before a round: a pause, and a new service where its sessions are too old or its stores may be full. */
  async #prepare(round: Round): Promise<void> {
    if (this.#sequences > 0) await this.#pause();
    const oldest = Math.min(...[...this.#bearers.values()].map(({ issuedAt }) => issuedAt));
    const room = (this.#stage.context.facts.capacity.drafts ?? 40) * ROOM_USED;
    const needed = round.length * SEQUENCE_MS;
    if (this.#sequences === 0 || this.#service.now - oldest + needed > SESSION_MS || this.#drafts > room)
      await this.#restart();
    const ofSession = isOfHour(round.flat()) || round.flat().some(({ kind }) => kind === "stale");
    if (ofSession && this.#bearers.get("alice") === undefined) await this.#open("alice");
  }

  async #build(who: Who, key: string, mint: number, input: 1 | 2 | 3): Promise<void> {
    const { bearer } = this.#bearers.get(who) ?? (await this.#open(who));
    this.#deed({ do: "build", who, key, input });
    const { status } = await this.#service.send(this.#buildRequest(who, bearer, key, mint, input));
    if (status === 200) this.#drafts += 1;
  }

  #buildRequest(
    who: Who,
    bearer: string | undefined,
    key: string | undefined,
    mint: number,
    input: 1 | 2 | 3,
  ): ServiceRequest {
    const name = `${who} ${mint} ${input}`;
    let body = this.#bodies.get(name);
    if (body === undefined) {
      const [host] = this.#stage.context.facts.metadataHosts;
      const launch = launchRequest(
        this.#pair(who).address,
        this.#pair(`mint ${mint} of ${who}`).address,
        host,
      );
      body = JSON.stringify({ ...launch, ...inputFields(input) });
      this.#bodies.set(name, body);
    }
    return {
      method: "POST",
      path: "/v1/launch/build",
      body,
      ...(bearer === undefined ? {} : { bearer }),
      ...(key === undefined ? {} : { idempotencyKey: key }),
    };
  }

  async #open(who: Who): Promise<Session> {
    const number = ++this.#numbers;
    this.#deed({ do: "session", who, number });
    const challenge = await this.#challenge(who);
    await this.#prove(who, challenge.body, true, number);
    return this.#bearers.get(who) ?? { bearer: "", issuedAt: this.#service.now, number };
  }

  #challenge(who: Who): Promise<Exchange> {
    const termsHash = (this.#service.profile?.["termsHash"] ?? null) as Template;
    return this.#service.send(this.#challengeRequest(who, termsHash));
  }

  #challengeRequest(who: Who, termsHash: Template): ServiceRequest {
    return operationRequest("challenge", { creator: this.#pair(who).address, termsHash }, {});
  }

  /** Sends a proof; the session that it may open is the one that later builds use. */
  async #prove(who: Who, { id, message }: Exchange["body"], honest: boolean, number: number): Promise<void> {
    const signatureBase64 = this.#service.proof(this.#pair(who), String(message), honest);
    const request = operationRequest("verify", { id: (id ?? null) as Template, signatureBase64 }, {});
    const { status, body } = await this.#service.send(request);
    if (status === 200)
      this.#bearers.set(who, { bearer: String(body["bearer"]), issuedAt: this.#service.now, number });
  }

  async #restart(): Promise<void> {
    this.#bearers = new Map();
    this.#drafts = 0;
    this.#deed({ do: "restart" });
    await this.#service.restart();
  }

  #deed(deed: Deed): void {
    this.#deeds.push(deed);
    if (this.#deeds.length >= 2 * MOST_DEEDS) this.#deeds = this.#deeds.slice(-MOST_DEEDS);
  }

  #pair(name: string): KeyPair {
    let pair = this.#pairs.get(name);
    if (pair === undefined) {
      pair = keyPairOf(`${this.#stage.stage.seed} exhaustive ${name}`);
      knownAsUsual(pair.address);
      this.#pairs.set(name, pair);
    }
    return pair;
  }
}
