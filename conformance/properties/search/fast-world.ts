import type { Connection, ServiceRequest } from "../../adapters/adapter.ts";
import { type KeyPair, keyPairOf } from "../../crypto/key-pair.ts";
import { proofText } from "../../crypto/proof.ts";
import { type Exchange, operationOf, readEnvelope } from "../../judge/exchange.ts";
import { parseDuration } from "../../vectors/duration.ts";
import type { Template } from "../../vectors/model.ts";
import { launchRequest, operationRequest } from "../../vectors/requests.ts";
import { knownAsUsual } from "../model/address.ts";
import { allows } from "../model/expected.ts";
import { ContractModel } from "../model/model.ts";
import type { ModelContext } from "../model/state.ts";
import type { Who } from "../sequence/action.ts";
import type { SequenceStage } from "../sequence/play-sequence.ts";
import { type Letter, LIMITS } from "./alphabet.ts";
import { FOREIGN_URI, KEYS, OTHER_NAME, SPENT } from "./letter-steps.ts";
import { QuickJudge } from "./quick-judge.ts";

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

/** An answer that is not allowed; which one it is shows when the sequence is played again step by step. */
export class Found extends Error {
  override readonly name = "Found";
}

/**
 * Plays sequence after sequence against one service as fast as it answers. Sessions are opened once and used by as
 * many sequences as their hour holds; between two, the clock moves on far enough, and each has keys of its own.
 */
export class FastWorld {
  /** Requests, clock steps and restarts so far. */
  steps = 0;
  readonly #stage: SequenceStage;
  readonly #connection: Connection;
  readonly #judge: QuickJudge;
  readonly #model: ContractModel;
  readonly #pairs = new Map<string, KeyPair>();
  readonly #bodies = new Map<string, string>();
  readonly #lateMs: number;
  #now: number;
  #sequence = 0;
  #drafts = 0;
  /** The message and honest proof that were made last: they need not be weighed. */
  #honest = "";
  #profile: Readonly<Record<string, unknown>> | undefined;
  #bearers = new Map<Who, Session>();

  /** @param startMs the clock at which the service was started */
  constructor(stage: SequenceStage, startMs: number) {
    this.#stage = stage;
    this.#connection = stage.connection;
    this.#judge = new QuickJudge(stage.context.schemas);
    const { resolutionMs } = stage.context.doubt;
    this.#lateMs = resolutionMs > 1 ? resolutionMs : 0;
    this.#now = startMs;
    const proofHolds: ModelContext["proofHolds"] = (creator, message, signature) =>
      this.#honest === message + Buffer.from(signature).toString("base64")
        ? "yes"
        : stage.context.proofHolds(creator, message, signature);
    this.#model = new ContractModel({ ...stage.context, proofHolds }, { earliest: startMs, latest: startMs });
  }

  /** Plays one sequence. @throws {Found} at the first answer that is not allowed */
  async play(letters: readonly Letter[]): Promise<void> {
    this.#sequence += 1;
    await this.#prepare(letters);
    const begun = this.#now;
    let challenge: Exchange["body"] | undefined;
    let stale: string | undefined;
    for (const letter of letters) {
      switch (letter.kind) {
        case "build":
          await this.#build(letter.who, `${KEYS[letter.key]}-${this.#sequence}`, letter.key, letter.input);
          break;
        case "spend":
          for (let count = 0; count < SPENT; count++)
            await this.#build("alice", `fresh-${count}-${this.#sequence}-${this.steps}`, 0, 1);
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
            await this.#send(this.#buildRequest("alice", stale, `stale-${this.#sequence}-key`, 0, 1));
          break;
        case "restart":
          stale = this.#bearers.get("alice")?.bearer;
          await this.#restart();
          break;
        case "wait": {
          const limit = LIMITS[letter.limit];
          const session = stale === undefined ? this.#bearers.get("alice") : undefined;
          const since = limit?.of === "session" ? (session?.issuedAt ?? begun) : begun;
          const offset = limit?.edge === "just-before" ? -1 : 1 + this.#lateMs;
          await this.#advance(since + (parseDuration(limit?.span ?? "") ?? 0) + offset - this.#now);
        }
      }
    }
  }

  /** Between two sequences: a pause, and a new service where its sessions are old or its stores may be full. */
  async #prepare(letters: readonly Letter[]): Promise<void> {
    if (this.#sequence > 1) await this.#advance(PAUSE_MS + this.#lateMs);
    const oldest = Math.min(...[...this.#bearers.values()].map(({ issuedAt }) => issuedAt));
    const room = (this.#stage.context.facts.capacity.drafts ?? 40) * ROOM_USED;
    if (this.#sequence === 1 || this.#now - oldest > SESSION_USE_MS || this.#drafts > room)
      await this.#restart();
    const ofSession = letters.some(
      (letter) =>
        letter.kind === "stale" || (letter.kind === "wait" && LIMITS[letter.limit]?.of === "session"),
    );
    if (ofSession && this.#bearers.get("alice") === undefined) await this.#open("alice");
  }

  async #build(who: Who, key: string, mint: number, input: number): Promise<void> {
    const { bearer } = this.#bearers.get(who) ?? (await this.#open(who));
    const { status } = await this.#send(this.#buildRequest(who, bearer, key, mint, input));
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
    return this.#bearers.get(who) ?? { bearer: "", issuedAt: this.#now };
  }

  #challenge(who: Who): Promise<Exchange> {
    const termsHash = (this.#profile?.["termsHash"] ?? null) as Template;
    return this.#send(operationRequest("challenge", { creator: this.#pair(who).address, termsHash }, {}));
  }

  /** Sends a proof; the session that it may open is the one that later builds use. */
  async #prove(who: Who, { id, message }: Exchange["body"], honest: boolean): Promise<void> {
    const { signedBytes } = this.#stage.context.facts;
    const spec = { signer: this.#pair(who), text: String(message), signedBytes };
    const signatureBase64 = proofText(honest ? spec : { ...spec, signature: "s-plus-l" });
    if (honest) this.#honest = `${String(message)}${signatureBase64}`;
    const request = operationRequest("verify", { id: (id ?? null) as Template, signatureBase64 }, {});
    const { status, body } = await this.#send(request);
    if (status === 200) this.#bearers.set(who, { bearer: String(body["bearer"]), issuedAt: this.#now });
  }

  async #restart(): Promise<void> {
    this.steps += 1;
    await this.#connection.start(this.#now);
    this.#model.restart({ earliest: this.#now, latest: this.#now });
    this.#bearers = new Map();
    this.#drafts = 0;
    this.#profile = undefined;
    this.#profile = (await this.#send({ method: "GET", path: "/v1/platform" })).body;
  }

  async #advance(ms: number): Promise<void> {
    if (ms <= 0) return;
    this.steps += 1;
    await this.#connection.advance(ms);
    this.#now += ms;
  }

  async #send(request: ServiceRequest): Promise<Exchange> {
    this.steps += 1;
    const now = { earliest: this.#now, latest: this.#now };
    const { expected, learn } = this.#model.predict(request, now);
    const envelope = await this.#connection.handle(request);
    const operation = operationOf(request.method, request.path);
    const exchange: Exchange = {
      operation,
      request,
      ...readEnvelope(envelope),
      sentAt: this.#now,
      answeredAt: this.#now,
    };
    const { facts, doubt } = this.#stage.context;
    const context = {
      facts,
      resolutionMs: doubt.resolutionMs,
      clockToleranceMs: doubt.toleranceMs,
      profile: this.#profile,
    };
    if (!allows(expected, exchange.status, exchange.body["code"])) throw new Found();
    if (this.#judge.mismatches(exchange, context).length > 0 || learn(exchange).mismatches.length > 0)
      throw new Found();
    return exchange;
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
