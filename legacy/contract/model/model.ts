import type { ServiceRequest } from "../../adapters/adapter.ts";
import {
  FINE,
  LOST,
  type Model,
  type Moment,
  merge,
  type NewModel,
  type Prediction,
} from "../../engine/search/model.ts";
import { responseSchemas } from "../judge/response-schemas.ts";
import { type OperationName, operationOf } from "../operations.ts";
import type { PostOperation } from "../request-fields.ts";
import { readBody } from "./body-reading.ts";
import { otherPath } from "./other-paths.ts";
import { predictBuild } from "./predict-build.ts";
import { predictChallenge } from "./predict-challenge.ts";
import { predictPlatform } from "./predict-platform.ts";
import { predictVerify } from "./predict-verify.ts";
import { proofWeigher } from "./proof-holds.ts";
import { sessionOf } from "./session-faults.ts";
import { type ModelContext, newInstance, type ServiceInstance } from "./state.ts";

/** Makes the model of a service that was just started. */
export const newModel: NewModel = ({ info, timekeeping, clockToleranceMs, room }, now) => {
  const { facts } = info;
  const doubt = { timekeeping, toleranceMs: clockToleranceMs };
  return new ContractModel({ facts, room, doubt, proofHolds: proofWeigher() }, now);
};

/**
 * An executable reading of the contract: for any request, the set of answers that the contract allows. It follows one
 * service through its restarts; what the contract leaves open is a set, narrowed as the service shows its choice.
 */
class ContractModel implements Model {
  readonly #context: ModelContext;
  #service: ServiceInstance;
  readonly #earlier = { bearers: new Set<string>(), keys: new Set<string>() };

  /** @param now the clock at the start of the service */
  constructor(context: ModelContext, now: Moment) {
    this.#context = context;
    this.#service = newInstance(now);
  }

  /** A new service with empty state ("Sessions, challenges and idempotency records are … lost on restart" in effect). */
  restart(now: Moment): void {
    const { sessions, drafts, rates, formerRates, challenges, formerIds } = this.#service;
    for (const bearer of sessions.keys()) this.#earlier.bearers.add(bearer);
    for (const scope of drafts.keys()) this.#earlier.keys.add(scope.split(" ")[1] ?? "");
    // The former instance is gone: what was before it may grow in place.
    for (const id of challenges.keys()) formerIds.add(id);
    for (const [creator, belief] of rates) formerRates.set(creator, belief);
    this.#service = newInstance(now, formerRates, formerIds);
  }

  /** What the contract allows as the answer to a request that is sent at `now`. */
  predict(request: ServiceRequest, now: Moment): Prediction {
    const operation = operationOf(request.method, request.path);
    const service = this.#service;
    if (operation === "other") return this.#predictOther(request, now);
    if (operation === "platform") return predictPlatform(request, service);
    if (readBody(request.body).ambiguous) return this.#anythingDocumented(operation);
    return this.#predictPost(operation, request, now);
  }

  #predictPost(operation: PostOperation, request: ServiceRequest, now: Moment): Prediction {
    if (operation === "challenge") return predictChallenge(request, this.#service, now, this.#context);
    if (operation === "verify") return predictVerify(request, this.#service, now, this.#context);
    return predictBuild(request, this.#service, this.#earlier, now, this.#context);
  }

  #predictOther(request: ServiceRequest, now: Moment): Prediction {
    const { bearer } = request;
    const { faults } = sessionOf(bearer, this.#service, this.#earlier.bearers, now, this.#context);
    const bearerAtFault = bearer !== undefined && faults.length > 0;
    const { outcomes, rules, point } = otherPath(request, bearerAtFault);
    return {
      expected: { outcomes, usual: outcomes, points: [point], rulesFor: () => rules },
      learn: ({ status }) => (status === 200 ? LOST : FINE),
    };
  }

  /** A body that readers understand differently: any answer of the operation will do, and nobody knows what it changed. */
  #anythingDocumented(operation: OperationName): Prediction {
    const schemas = responseSchemas();
    const statuses = [...(schemas.statuses(operation) ?? [])];
    const outcomes = merge(statuses.map((status) => ({ status, codes: [...(schemas.codes(status) ?? [])] })));
    const rules = [schemas.statusesRule(operation) ?? "ERROR-2"];
    return {
      expected: { outcomes, usual: outcomes, points: ["JSON-DUPLICATE-KEY"], rulesFor: () => rules },
      learn: () => LOST,
    };
  }
}
