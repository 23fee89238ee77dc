import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { Outcome } from "../../engine/outcome.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { show } from "../../engine/play/judgement.ts";
import { type Expected, FINE, type Learnt, type Model, type Prediction } from "../../engine/search/model.ts";
import { type Amount, COUNTER_LIMIT, counterOperationOf } from "./counter-operations.ts";

const SERVED: readonly Outcome[] = [{ status: 200, codes: [] }];

/** The answers to want of room, by what open point FULL-STATUS leaves to the service. */
const FULL: readonly Outcome[] = [
  { status: 409, codes: ["FULL"] },
  { status: 422, codes: ["FULL"] },
];

/** What the contract of the counter allows: it follows one counter. */
export class CounterModel implements Model {
  #value = 0;

  predict({ method, path, body }: ServiceRequest): Prediction {
    if (counterOperationOf(method, path) === "read") return this.#served(this.#value, "COUNT-2", "COUNT-2");
    const { by } = JSON.parse(String(body)) as { readonly by: Amount };
    const sum = this.#value + by;
    if (sum <= COUNTER_LIMIT) return this.#served(sum, "COUNT-1", "LIMIT-1");
    return { expected: expectedOf(FULL, "LIMIT-2", ["FULL-STATUS"]), learn: () => FINE };
  }

  restart(): void {
    this.#value = 0;
  }

  #served(value: number, valueRule: string, statusRule: string): Prediction {
    const learn = (answer: Pick<Exchange, "body">): Learnt => {
      this.#value = value;
      const got = answer.body["value"];
      if (got === value) return FINE;
      const mismatch = { rule: valueRule, path: "value", expected: String(value), got: show(got), value };
      return { mismatches: [mismatch], lost: false };
    };
    return { expected: expectedOf(SERVED, statusRule), learn };
  }
}

function expectedOf(outcomes: readonly Outcome[], rule: string, points: readonly string[] = []): Expected {
  return { outcomes, usual: outcomes, points, rulesFor: () => [rule] };
}
