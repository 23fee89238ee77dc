import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { World, WorldHost } from "../../engine/contract.ts";
import type { Exchange, StepPlace } from "../../engine/play/exchange.ts";
import { type Judgement, type Mismatch, show } from "../../engine/play/judgement.ts";
import type { OperationStep } from "../../engine/vectors/vector.ts";
import { COUNTER_ROUTES, type CounterOperation } from "./counter-operations.ts";

/** The rule that a valid request of each operation succeeds, with a value. */
export const SUCCESS_RULES: Readonly<Record<string, string>> = {
  add: "COUNT-1",
  read: "COUNT-2",
} satisfies Readonly<Record<CounterOperation, string>>;

/** The counter's side of a vector in play: nobody has a part in it, and nothing is remembered. */
export class CounterWorld implements World {
  readonly #host: WorldHost;

  constructor(host: WorldHost) {
    this.#host = host;
  }

  async perform(step: OperationStep, at: StepPlace): Promise<Exchange> {
    return this.#host.exchange(await this.prepare(step), at);
  }

  async prepare({ verb, fields }: OperationStep): Promise<ServiceRequest> {
    const route = COUNTER_ROUTES[verb as CounterOperation];
    return verb === "add" ? { ...route, body: JSON.stringify(this.#host.fill(fields)) } : route;
  }

  async play(): Promise<undefined> {
    throw new Error("the counter has no verbs of its own");
  }

  judge(exchange: Exchange): Judgement {
    return { mismatches: this.judgeQuickly(exchange), observations: [], advice: [] };
  }

  judgeQuickly({ operation, status, body }: Exchange): readonly Mismatch[] {
    const rule = SUCCESS_RULES[operation];
    const { value } = body as { readonly value?: unknown };
    if (rule === undefined || status !== 200 || Number.isInteger(value)) return [];
    return [{ rule, path: "value", expected: "a whole number", got: show(value) }];
  }

  note(): void {}

  lookup(): undefined {}

  waiver(): undefined {}

  restarted(): void {}

  nextSequence(): void {}
}
