import type { Connection, ServiceRequest } from "../../adapters/adapter.ts";
import { type Exchange, readEnvelope } from "../../engine/play/exchange.ts";
import { type KeyPair, keyPairOf } from "../keys/key-pair.ts";
import { honestProof } from "../keys/proof.ts";
import { LIFETIME_MS, OUTCOMES, ROUTES } from "../operations.ts";
import { ownText } from "../own-texts.ts";
import { challengeMembers, launchMembers, operationRequest, verifyMembers } from "../verbs/requests.ts";
import { messageText, signIn } from "../verbs/sign-in.ts";

type Answer = Pick<Exchange, "envelope" | "status" | "body">;

/** The service answered something that tells nothing of how long things live; `message` says what. */
export class Unmeasurable extends Error {
  override readonly name = "Unmeasurable";
}

/** A bearer, and the creator whose session it is. */
export interface BenchSession {
  readonly bearer: string;
  readonly signer: KeyPair;
}

/**
 * Creators who take turns: how often one of them may sign in within an hour is the service's own choice, and in an hour
 * of measuring each does so twice.
 */
const CREATORS = 24;

/** A session that is used to ask for drafts is given up this long before its end, in ms. */
const SPARE_MS = 600_000;

/** A service of its own on a clock that can be moved, and creators who ask it for things. */
export class Bench {
  readonly #connection: Connection;
  /** Whose drafts are asked for: a key is its creator's. */
  readonly #builder: KeyPair;
  readonly #label: string;
  #nowMs: number;
  #termsHash: unknown;
  #keys = 0;
  #turns = 0;
  #session: (BenchSession & { readonly sinceMs: number }) | undefined;

  private constructor(connection: Connection, label: string, nowMs: number) {
    this.#connection = connection;
    this.#label = label;
    this.#builder = keyPairOf(`${label} calibration`);
    this.#nowMs = nowMs;
  }

  /** Starts a service at that reading of the clock. */
  static async start(connection: Connection, label: string, nowMs: number): Promise<Bench> {
    await connection.start(nowMs);
    return new Bench(connection, label, nowMs);
  }

  /** Reading of the service's clock, in ms since the Unix epoch. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Moves the clock to a reading that has not passed. */
  async moveTo(ms: number): Promise<void> {
    if (ms > this.#nowMs) await this.#connection.advance(ms - this.#nowMs);
    this.#nowMs = Math.max(ms, this.#nowMs);
  }

  /** A challenge; gives what an honest proof of it comes to. */
  async challenge(): Promise<() => Promise<Answer>> {
    const signer = this.#nextCreator();
    const members = challengeMembers(signer.address, await this.#terms());
    const { id, message } = expectServed(await this.#send(operationRequest("challenge", members, {}))).body;
    return async () => {
      const proof = await this.#prove(signer, messageText(message));
      return this.#send(operationRequest("verify", verifyMembers(id, proof), {}));
    };
  }

  /** A new session, of another creator than the one before. */
  session(): Promise<BenchSession> {
    return this.#sessionOf(this.#nextCreator());
  }

  async #sessionOf(signer: KeyPair): Promise<BenchSession> {
    const { challenge, session } = await signIn({
      address: signer.address,
      termsHash: await this.#terms(),
      prove: (text) => this.#prove(signer, text),
      send: (request) => this.#send(request),
    });
    const { bearer } = expectServed(session ?? challenge).body;
    if (typeof bearer !== "string") throw new Unmeasurable("the session has no bearer");
    return { bearer, signer };
  }

  /** A key that was not used before. */
  freshKey(): string {
    this.#keys += 1;
    return ownText(`calibration-${this.#keys}`, this.#label);
  }

  /** The draft of a key, whose mint is its own; by the session that is given, or by one that is sure to live. */
  async build(key: string, session?: BenchSession): Promise<Answer> {
    const { bearer, signer } = session ?? (await this.#livingSession());
    const [host] = this.#connection.info.facts.metadataHosts;
    const mint = keyPairOf(`${this.#label} ${key}`).address;
    const members = launchMembers(signer.address, mint, host, this.#label);
    return this.#send(operationRequest("build", members, {}, { bearer, key }));
  }

  async #livingSession(): Promise<BenchSession> {
    const age = this.#nowMs - (this.#session?.sinceMs ?? Number.NEGATIVE_INFINITY);
    if (this.#session === undefined || age > LIFETIME_MS.session - SPARE_MS)
      this.#session = { ...(await this.#sessionOf(this.#builder)), sinceMs: this.#nowMs };
    return this.#session;
  }

  async #terms(): Promise<unknown> {
    this.#termsHash ??= expectServed(await this.#send(ROUTES.platform)).body["termsHash"];
    return this.#termsHash;
  }

  #nextCreator(): KeyPair {
    this.#turns += 1;
    return keyPairOf(`${this.#label} calibration ${this.#turns % CREATORS}`);
  }

  #prove(signer: KeyPair, text: string): Promise<string> {
    return honestProof(this.#connection, signer, text);
  }

  async #send(request: ServiceRequest): Promise<Answer> {
    return readEnvelope(await this.#connection.handle(request));
  }
}

/** @throws {Unmeasurable} where a valid request was refused */
export function expectServed(answer: Answer): Answer {
  if (answer.status === OUTCOMES.served.status) return answer;
  throw new Unmeasurable(
    `a valid request was answered ${answer.status} ${String(answer.body["code"] ?? "")}`,
  );
}
