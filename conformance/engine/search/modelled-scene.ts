import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { KeyPair } from "../../contract/keys/key-pair.ts";
import { knownAsUsual } from "../../contract/model/address.ts";
import { allows, type Expected, settled } from "../../contract/model/expected.ts";
import type { ContractModel } from "../../contract/model/model.ts";
import type { Exchange } from "../play/exchange.ts";
import { Scene, type StepPlace } from "../play/scene.ts";
import { LostTrack, Violated, wrongContent, wrongOutcome } from "./violation.ts";

/** A request of a sequence, what the model allowed, and what came. */
export interface Recorded {
  readonly at: StepPlace;
  readonly expected: Expected;
  readonly exchange: Exchange;
}

/** A scene in which the model judges every answer, those that prepare a step included. */
export class ModelledScene extends Scene {
  readonly recorded: Recorded[] = [];
  readonly #model: ContractModel;

  constructor(model: ContractModel, ...scene: ConstructorParameters<typeof Scene>) {
    super(...scene);
    this.#model = model;
  }

  override keyPair(name: string): KeyPair {
    const pair = super.keyPair(name);
    knownAsUsual(pair.address);
    return pair;
  }

  override async restart(): Promise<void> {
    await super.restart();
    const now = this.clock.now();
    this.#model.restart({ earliest: now, latest: now });
  }

  /** @throws {Violated} for an answer that the contract does not allow. @throws {LostTrack} where the model must stop */
  override async exchange(request: ServiceRequest, at: StepPlace): Promise<Exchange> {
    const now = this.clock.now();
    const clockMs = this.elapsedMs;
    const { expected: allowed, learn } = this.#model.predict(request, { earliest: now, latest: now });
    const expected = settled(allowed);
    const exchange = await super.exchange(request, at);
    this.recorded.push({ at, expected, exchange });
    if (!allows(expected, exchange.status, exchange.body["code"])) {
      throw new Violated(
        this.#judged(exchange, at, clockMs) ?? wrongOutcome(exchange, expected, at, clockMs),
      );
    }
    const judged = this.#judged(exchange, at, clockMs);
    if (judged !== undefined) throw new Violated(judged);
    const { mismatches, lost } = learn(exchange);
    if (mismatches.length > 0) throw new Violated(wrongContent(exchange, mismatches, at, clockMs));
    if (lost) throw new LostTrack();
    return exchange;
  }

  /** What the judge found wrong with the answer by itself. */
  #judged(exchange: Exchange, at: StepPlace, clockMs: number) {
    const found = this.incidental.splice(0);
    const mismatches = found.flatMap(({ rule, differences }) =>
      differences.map((difference) => ({ rule, ...difference })),
    );
    return mismatches.length === 0 ? undefined : wrongContent(exchange, mismatches, at, clockMs);
  }
}
