import type { ServiceRequest } from "../../adapters/adapter.ts";
import { blame } from "../play/blame.ts";
import type { Exchange, StepPlace } from "../play/exchange.ts";
import type { Mismatch } from "../play/judgement.ts";
import type { RequestKind } from "../play/request-kind.ts";
import { Scene } from "../play/scene.ts";
import { allows, type Expected, instant, type Model, type NewModel, weighed } from "./model.ts";
import { LostTrack, Violated, wrongContent, wrongOutcome } from "./violation.ts";

/** A request of a sequence, what the model allowed, and what came. */
export interface Recorded {
  readonly at: StepPlace;
  readonly expected: Expected;
  readonly exchange: Exchange;
  /** Which instance of the service answered, from 1, and when that was started. */
  readonly life: { readonly number: number; readonly startedMs: number };
}

/** How closely a checked scene looks. */
export interface Checking {
  readonly newModel: NewModel;
  /** Whether it only matters if an answer is allowed: then nothing is recorded, observed or advised. */
  readonly quick: boolean;
}

/** A scene in which the model judges every answer, those that prepare a step included. */
export class CheckedScene extends Scene {
  readonly recorded: Recorded[] = [];
  /** Requests so far. */
  requests = 0;
  readonly #model: Model;
  readonly #quick: boolean;
  #last: Exchange | undefined;
  #life: Recorded["life"];

  constructor({ newModel, quick }: Checking, ...scene: ConstructorParameters<typeof Scene>) {
    super(...scene);
    this.#life = { number: 1, startedMs: this.clock.now() };
    this.#model = newModel(this, instant(this.clock.now()));
    this.#quick = quick;
  }

  override get lastExchange(): Exchange | undefined {
    return this.#last;
  }

  override async restart(): Promise<void> {
    await super.restart();
    this.#life = { number: this.#life.number + 1, startedMs: this.clock.now() };
    this.#model.restart(instant(this.clock.now()));
  }

  /** @throws {Violated} for an answer that the contract does not allow. @throws {LostTrack} where the model must stop */
  override async exchange(request: ServiceRequest, at: StepPlace): Promise<Exchange> {
    this.requests += 1;
    const { expected: allowed, learn } = this.#model.predict(request, instant(this.clock.now()));
    const expected = this.#quick ? allowed : weighed(allowed);
    const clockMs = this.elapsedMs;
    const life = this.#life;
    const exchange = await this.send(request, at);
    const mismatches = this.#judged(exchange);
    this.#last = exchange;
    if (this.#quick) this.world.note(exchange);
    else {
      this.record(exchange, at, clockMs);
      this.recorded.push({ at, expected, exchange, life });
    }
    if (mismatches.length > 0) throw new Violated(wrongContent(exchange, mismatches, at, clockMs));
    const code = this.codeOf(exchange);
    if (!allows(expected, exchange.status, code) && this.world.mayStandIn?.(exchange) !== true) {
      const rules = this.#blamed(exchange, expected, code);
      const answer = { outcome: this.outcome(exchange), rules };
      throw new Violated(wrongOutcome(exchange, expected, at, clockMs, answer));
    }
    const learnt = learn(exchange);
    if (learnt.mismatches.length > 0)
      throw new Violated(wrongContent(exchange, learnt.mismatches, at, clockMs));
    if (learnt.lost) throw new LostTrack();
    return exchange;
  }

  protected override kindOf(): RequestKind {
    return "searches";
  }

  /** The rules that an answer breaks, the same and in the same order as where a vector gets it. */
  #blamed(
    { operation, status }: Exchange,
    { outcomes, rulesFor }: Expected,
    code: unknown,
  ): readonly string[] {
    const { contract } = this.stage;
    const successRule = contract.operations.successRule(operation);
    const rules = rulesFor(status, code);
    return blame(contract, { rules, accepted: outcomes, status, code, successRule, judged: [] }).rules;
  }

  /** What is wrong with an answer by itself. */
  #judged(exchange: Exchange): readonly Mismatch[] {
    if (this.#quick) return this.world.judgeQuickly(exchange);
    const { mismatches, observations, advice } = this.world.judge(exchange);
    this.observations.push(...observations);
    this.advice.push(...advice);
    return mismatches;
  }
}
