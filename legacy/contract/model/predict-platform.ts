import type { ServiceRequest } from "../../adapters/adapter.ts";
import { FINE, type Prediction } from "../../engine/search/model.ts";
import { OUTCOMES } from "../operations.ts";
import { expectedOf } from "./expected-of.ts";
import { uncertain } from "./request-fault.ts";
import type { ServiceInstance } from "./state.ts";
import { strayFaults } from "./stray-faults.ts";

/** `GET /v1/platform`: always served; a body, a bearer or a key that it does not ask for may be refused. */
export function predictPlatform(request: ServiceRequest, service: ServiceInstance): Prediction {
  const faults = [
    ...strayFaults("platform", request),
    ...(request.body === undefined ? [] : [uncertain("STRAY-BODY-PLATFORM")]),
  ];
  return {
    expected: expectedOf(faults, { outcome: OUTCOMES.served, rulesFor: () => ["ENDPOINT-1"] }),
    learn: ({ status, body }) => {
      if (status === OUTCOMES.served.status) service.profile ??= body;
      return FINE;
    },
  };
}
