import type { ServiceRequest } from "../../adapters/adapter.ts";
import { type KeyPair, keyPairOf } from "../../crypto/key-pair.ts";
import type { Exchange } from "../../judge/exchange.ts";
import { parseDuration } from "../../vectors/duration.ts";
import type { Template } from "../../vectors/model.ts";
import { launchRequest, operationRequest } from "../../vectors/requests.ts";
import { knownAsUsual } from "../model/address.ts";
import type { Who } from "../sequence/action.ts";
import type { SequenceStage } from "../sequence/play-sequence.ts";
import { type Letter, LIMITS } from "./alphabet.ts";
import { JudgedService } from "./judged-service.ts";
import { FOREIGN_URI, KEYS, OTHER_NAME, SPENT } from "./letter-steps.ts";

/** After so much time without requests nothing of a sequence matters to the next but its sessions, in ms. */
const PAUSE_MS = 60_001;
/** Sessions are left behind when so much of their hour has passed that a usual sequence might outlive them, in ms. */
const SESSION_USE_MS = 3_600_000 - 4 * 60_000;
/** Share of the stated room for drafts that one life of the service may use. */
const ROOM_USED = 0.5;

interface Session {
  readonly bearer: string;
  readonly issuedAt: number;
}

/**
 * Plays sequence after sequence against one service as fast as it answers. Sessions are opened once and used by as
 * many sequences as their hour holds; between two, the clock moves on far enough, and each has keys of its own.
 */
export class FastWorld {
  readonly #stage: SequenceStage;
  readonly #service: JudgedService;
  readonly #pairs = new Map<string, KeyPair>();
  readonly #bodies = new Map<string, string>();
  #sequence = 0;
  #drafts = 0;
  #bearers = new Map<Who, Session>();

  /** @param startMs the clock at which the service was started */
  constructor(stage: SequenceStage, startMs: number) {
    this.#stage = stage;
    this.#service = new JudgedService(stage, startMs);
  }

  /** Requests, clock steps and restarts so far. */
  get steps(): number {
    return this.#service.steps;
  }

  /** Plays one sequence. @throws {Found} at the first answer that is not allowed */
  async play(letters: readonly Letter[]): Promise<void> {
    this.#sequence += 1;
    await this.#prepare(letters);
    const begun = this.#service.now;
    let challenge: Exchange["body"] | undefined;
    let stale: string | undefined;
    for (const letter of letters) {
      switch (letter.kind) {
        case "build":
          await this.#build(letter.who, `${KEYS[letter.key]}-${this.#sequence}`, letter.key, letter.input);
          break;
        case "spend":
          for (let count = 0; count < SPENT; count++)
            await this.#build("alice", `fresh-${this.#sequence}-${this.steps}`, 0, 1);
          break;
        case "invalid":
          await this.#build("alice", `${KEYS[1]}-${this.#sequence}`, 1, 3);
          break;
        case "challenge":
          challenge = (await this.#challenge("alice")).body;
          break;
        case "prove":
          if (challenge !== undefined) await this.#prove("alice", challenge, letter.honest);
          break;
        case "stale":
          if (stale !== undefined)
            await this.#service.send(this.#buildRequest("alice", stale, `stale-${this.#sequence}-key`, 0, 1));
          break;
        case "restart":
          stale = this.#bearers.get("alice")?.bearer;
          await this.#restart();
          break;
        case "wait": {
          const limit = LIMITS[letter.limit];
          const session = stale === undefined ? this.#bearers.get("alice") : undefined;
          const since = limit?.of === "session" ? (session?.issuedAt ?? begun) : begun;
          const offset = limit?.edge === "just-before" ? -1 : 1 + this.#service.lateMs;
          await this.#service.advance(
            since + (parseDuration(limit?.span ?? "") ?? 0) + offset - this.#service.now,
          );
        }
      }
    }
  }

  /** Between two sequences: a pause, and a new service where its sessions are old or its stores may be full. */
  async #prepare(letters: readonly Letter[]): Promise<void> {
    if (this.#sequence > 1) await this.#service.advance(PAUSE_MS + this.#service.lateMs);
    const oldest = Math.min(...[...this.#bearers.values()].map(({ issuedAt }) => issuedAt));
    const room = (this.#stage.context.facts.capacity.drafts ?? 40) * ROOM_USED;
    if (this.#sequence === 1 || this.#service.now - oldest > SESSION_USE_MS || this.#drafts > room)
      await this.#restart();
    const ofSession = letters.some(
      (letter) =>
        letter.kind === "stale" || (letter.kind === "wait" && LIMITS[letter.limit]?.of === "session"),
    );
    if (ofSession && this.#bearers.get("alice") === undefined) await this.#open("alice");
  }

  async #build(who: Who, key: string, mint: number, input: number): Promise<void> {
    const { bearer } = this.#bearers.get(who) ?? (await this.#open(who));
    const { status } = await this.#service.send(this.#buildRequest(who, bearer, key, mint, input));
    if (status === 200) this.#drafts += 1;
  }

  #buildRequest(who: Who, bearer: string, key: string, mint: number, input: number): ServiceRequest {
    const name = `${who} ${mint} ${input}`;
    let body = this.#bodies.get(name);
    if (body === undefined) {
      const [host] = this.#stage.context.facts.metadataHosts;
      const launch = launchRequest(
        this.#pair(who).address,
        this.#pair(`mint ${mint} of ${who}`).address,
        host,
      );
      const changed = input === 2 ? { name: OTHER_NAME } : input === 3 ? { uri: FOREIGN_URI } : {};
      body = JSON.stringify({ ...launch, ...changed });
      this.#bodies.set(name, body);
    }
    return { method: "POST", path: "/v1/launch/build", body, bearer, idempotencyKey: key };
  }

  async #open(who: Who): Promise<Session> {
    const challenge = await this.#challenge(who);
    await this.#prove(who, challenge.body, true);
    return this.#bearers.get(who) ?? { bearer: "", issuedAt: this.#service.now };
  }

  #challenge(who: Who): Promise<Exchange> {
    const termsHash = (this.#service.profile?.["termsHash"] ?? null) as Template;
    return this.#service.send(
      operationRequest("challenge", { creator: this.#pair(who).address, termsHash }, {}),
    );
  }

  /** Sends a proof; the session that it may open is the one that later builds use. */
  async #prove(who: Who, { id, message }: Exchange["body"], honest: boolean): Promise<void> {
    const signatureBase64 = this.#service.proof(this.#pair(who), String(message), honest);
    const request = operationRequest("verify", { id: (id ?? null) as Template, signatureBase64 }, {});
    const { status, body } = await this.#service.send(request);
    if (status === 200)
      this.#bearers.set(who, { bearer: String(body["bearer"]), issuedAt: this.#service.now });
  }

  async #restart(): Promise<void> {
    this.#bearers = new Map();
    this.#drafts = 0;
    await this.#service.restart();
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
