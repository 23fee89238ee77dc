import type { ServiceRequest } from "../../adapters/adapter.ts";
import { type Operation, operationOf } from "../../engine/play/exchange.ts";
import { readBody } from "./body-reading.ts";
import { merge } from "./expected.ts";
import type { Moment } from "./moment.ts";
import { otherPath } from "./other-paths.ts";
import { predictBuild } from "./predict-build.ts";
import { predictChallenge } from "./predict-challenge.ts";
import { predictPlatform } from "./predict-platform.ts";
import { predictVerify } from "./predict-verify.ts";
import { FINE, LOST, type Prediction } from "./prediction.ts";
import { sessionOf } from "./session-faults.ts";
import { type ModelContext, newLife, type ServiceLife } from "./state.ts";

/**
 * An executable reading of the contract: for any request, the set of answers that the contract allows. It follows one
 * service through its lives; what the contract leaves open is a set, narrowed as the service shows its choice.
 */
export class ContractModel {
  readonly #context: ModelContext;
  #life: ServiceLife;
  readonly #earlier = { bearers: new Set<string>(), keys: new Set<string>() };

  /** @param now the clock at the start of the service */
  constructor(context: ModelContext, now: Moment) {
    this.#context = context;
    this.#life = newLife(now);
  }

  /** A new service with empty state ("Sessions, challenges and idempotency records are … lost on restart" in effect). */
  restart(now: Moment): void {
    const { sessions, drafts, rates, formerRates } = this.#life;
    for (const bearer of sessions.keys()) this.#earlier.bearers.add(bearer);
    for (const scope of drafts.keys()) this.#earlier.keys.add(scope.split(" ")[1] ?? "");
    this.#life = newLife(now, new Map([...formerRates, ...rates]));
  }

  /** What the contract allows as the answer to a request that is sent at `now`. */
  predict(request: ServiceRequest, now: Moment): Prediction {
    const operation = operationOf(request.method, request.path);
    const life = this.#life;
    if (operation === "other") return this.#predictOther(request, now);
    if (operation === "platform") return predictPlatform(request, life, this.#context);
    if (readBody(request.body).ambiguous) return this.#anythingDocumented(operation);
    if (operation === "challenge") return predictChallenge(request, life, now, this.#context);
    if (operation === "verify") return predictVerify(request, life, now, this.#context);
    return predictBuild(request, life, this.#earlier, now, this.#context);
  }

  #predictOther(request: ServiceRequest, now: Moment): Prediction {
    const { bearer } = request;
    const { faults } = sessionOf(bearer, this.#life, this.#earlier.bearers, now, this.#context);
    const bearerAtFault = bearer !== undefined && faults.length > 0;
    const { outcomes, rules, point } = otherPath(request, this.#context.schemas, bearerAtFault);
    return {
      expected: { outcomes, usual: outcomes, points: [point], rulesFor: () => rules },
      learn: ({ status }) => (status === 200 ? LOST : FINE),
    };
  }

  /** A body that readers understand differently: any answer of the operation will do, and nobody knows what it changed. */
  #anythingDocumented(operation: Operation): Prediction {
    const { schemas } = this.#context;
    const statuses = [...(schemas.statuses(operation) ?? [])];
    const outcomes = merge(statuses.map((status) => ({ status, codes: [...(schemas.codes(status) ?? [])] })));
    const rules = [schemas.statusesRule(operation) ?? "ERROR-2"];
    return {
      expected: { outcomes, usual: outcomes, points: ["JSON-DUPLICATE-KEY"], rulesFor: () => rules },
      learn: () => LOST,
    };
  }
}
