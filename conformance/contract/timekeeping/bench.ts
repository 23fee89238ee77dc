import type { Connection, ServiceRequest } from "../../adapters/adapter.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { readEnvelope } from "../../engine/play/exchange.ts";
import { honestProof } from "../keys/honest-proof.ts";
import { keyPairOf } from "../keys/key-pair.ts";
import { LIFETIME_MS, OUTCOMES, ROUTES } from "../operations.ts";
import { challengeMembers, launchMembers, operationRequest, verifyMembers } from "../verbs/requests.ts";
import { messageText, signIn } from "../verbs/sign-in.ts";

type Answer = Pick<Exchange, "envelope" | "status" | "body">;

/** The service answered something that tells nothing of how long things live; `message` says what. */
export class Unmeasurable extends Error {
  override readonly name = "Unmeasurable";
}

/** A session that is used to ask for drafts is given up this long before its end, in ms. */
const SPARE_MS = 600_000;

/** A service of its own on a clock that can be moved, and one creator who asks it for things. */
export class Bench {
  readonly #connection: Connection;
  readonly #signer: ReturnType<typeof keyPairOf>;
  readonly #seed: number;
  #nowMs: number;
  #termsHash: unknown;
  #keys = 0;
  #session: { readonly bearer: string; readonly sinceMs: number } | undefined;

  private constructor(connection: Connection, seed: number, nowMs: number) {
    this.#connection = connection;
    this.#seed = seed;
    this.#signer = keyPairOf(`${seed} calibration`);
    this.#nowMs = nowMs;
  }

  /** Starts a service at that reading of the clock. */
  static async start(connection: Connection, seed: number, nowMs: number): Promise<Bench> {
    await connection.start(nowMs);
    return new Bench(connection, seed, nowMs);
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
    const { address } = this.#signer;
    const members = challengeMembers(address, await this.#terms());
    const { id, message } = expectServed(await this.#send(operationRequest("challenge", members, {}))).body;
    return async () => {
      const proof = await this.#prove(messageText(message));
      return this.#send(operationRequest("verify", verifyMembers(id, proof), {}));
    };
  }

  /** A new session; gives its bearer. */
  async session(): Promise<string> {
    const { challenge, session } = await signIn({
      address: this.#signer.address,
      termsHash: await this.#terms(),
      prove: (text) => this.#prove(text),
      send: (request) => this.#send(request),
    });
    const { bearer } = expectServed(session ?? challenge).body;
    if (typeof bearer !== "string") throw new Unmeasurable("the session has no bearer");
    return bearer;
  }

  /** A key that was not used before. */
  freshKey(): string {
    this.#keys += 1;
    return `calibration-${this.#keys}`;
  }

  /** The draft of a key, whose mint is its own; by the session that is given, or by one that is sure to live. */
  async build(key: string, bearer?: string): Promise<Answer> {
    const [host] = this.#connection.info.facts.metadataHosts;
    const mint = keyPairOf(`${this.#seed} ${key}`).address;
    const members = launchMembers(this.#signer.address, mint, host);
    const credentials = { bearer: bearer ?? (await this.#livingSession()), key };
    return this.#send(operationRequest("build", members, {}, credentials));
  }

  async #livingSession(): Promise<string> {
    const age = this.#nowMs - (this.#session?.sinceMs ?? Number.NEGATIVE_INFINITY);
    if (this.#session === undefined || age > LIFETIME_MS.session - SPARE_MS)
      this.#session = { bearer: await this.session(), sinceMs: this.#nowMs };
    return this.#session.bearer;
  }

  async #terms(): Promise<unknown> {
    this.#termsHash ??= expectServed(await this.#send(ROUTES.platform)).body["termsHash"];
    return this.#termsHash;
  }

  #prove(text: string): Promise<string> {
    return honestProof(this.#connection, this.#signer, text);
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
