import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { KeyPair } from "../../contract/keys/key-pair.ts";
import { proofText } from "../../contract/keys/proof.ts";
import { allows } from "../../contract/model/expected.ts";
import { ContractModel } from "../../contract/model/model.ts";
import type { ModelContext } from "../../contract/model/state.ts";
import { type Exchange, operationOf, readEnvelope } from "../play/exchange.ts";
import type { SequenceStage } from "./play-sequence.ts";
import { QuickJudge } from "./quick-judge.ts";

/** An answer that is not allowed; which one it is shows when the sequence is played again step by step. */
export class Found extends Error {
  override readonly name = "Found";
}

/** A service under a clock that the search moves, every answer of which is judged at once. */
export class JudgedService {
  /** Requests, clock steps and restarts so far. */
  steps = 0;
  /** What the service gave as its profile in this life. */
  profile: Exchange["body"] | undefined;
  /** How far past a limit the service's clock may be late, in ms. */
  readonly lateMs: number;
  readonly #stage: SequenceStage;
  readonly #judge: QuickJudge;
  readonly #model: ContractModel;
  #now: number;
  /** The message and honest proof that were made last: they need not be weighed. */
  #honest = "";

  /** @param startMs the clock at which the service was started */
  constructor(stage: SequenceStage, startMs: number) {
    const { context } = stage;
    this.#stage = stage;
    this.#judge = new QuickJudge(context.schemas);
    this.lateMs = context.doubt.resolutionMs > 1 ? context.doubt.resolutionMs : 0;
    this.#now = startMs;
    const proofHolds: ModelContext["proofHolds"] = (creator, message, signature) =>
      this.#honest === message + Buffer.from(signature).toString("base64")
        ? "yes"
        : context.proofHolds(creator, message, signature);
    this.#model = new ContractModel({ ...context, proofHolds }, { earliest: startMs, latest: startMs });
  }

  /** Present reading of the service's clock, in ms since the Unix epoch. */
  get now(): number {
    return this.#now;
  }

  /** Moves the clock on; not at all where there is nothing to wait for. */
  async advance(ms: number): Promise<void> {
    if (ms <= 0) return;
    this.steps += 1;
    await this.#stage.connection.advance(ms);
    this.#now += ms;
  }

  /** Starts the service anew, and reads its profile. */
  async restart(): Promise<void> {
    this.steps += 1;
    await this.#stage.connection.start(this.#now);
    this.#model.restart({ earliest: this.#now, latest: this.#now });
    this.profile = undefined;
    this.profile = (await this.send({ method: "GET", path: "/v1/platform" })).body;
  }

  /** A proof over a challenge's message: honest, or with a scalar that is not reduced. */
  proof(signer: KeyPair, message: string, honest: boolean): string {
    const spec = { signer, text: message, signedBytes: this.#stage.context.facts.signedBytes };
    if (!honest) return proofText({ ...spec, signature: "s-plus-l" });
    const text = proofText(spec);
    this.#honest = message + text;
    return text;
  }

  /** Sends a request. @throws {Found} where the answer is not allowed */
  async send(request: ServiceRequest): Promise<Exchange> {
    this.steps += 1;
    const { connection, context } = this.#stage;
    const { expected, learn } = this.#model.predict(request, { earliest: this.#now, latest: this.#now });
    const read = readEnvelope(await connection.handle(request));
    const operation = operationOf(request.method, request.path);
    const moment = { sentAt: this.#now, answeredAt: this.#now, plannedMs: 0 };
    const exchange: Exchange = { operation, request, ...read, ...moment };
    const { facts, doubt } = context;
    const known = {
      resolutionMs: doubt.resolutionMs,
      clockToleranceMs: doubt.toleranceMs,
      profile: this.profile,
    };
    const sound =
      allows(expected, exchange.status, exchange.body["code"]) &&
      this.#judge.mismatches(exchange, { facts, ...known }).length === 0 &&
      learn(exchange).mismatches.length === 0;
    if (!sound) throw new Found();
    return exchange;
  }
}
