import type { ServiceRequest } from "../../adapters/adapter.ts";
import { expectedOf } from "./expected.ts";
import { badRequest, type Fault, FIELD_CODES, uncertain } from "./fault.ts";
import { otherPath } from "./other-paths.ts";
import { FINE, type Prediction } from "./prediction.ts";
import type { ModelContext, ServiceLife } from "./state.ts";

/** `GET /v1/platform`: always served; a body, a bearer or a key that it does not ask for may be refused. */
export function predictPlatform(
  request: ServiceRequest,
  life: ServiceLife,
  { schemas }: ModelContext,
): Prediction {
  const anyError = otherPath({ method: "GET", path: "" }, schemas, false).outcomes;
  const faults: Fault[] = [];
  if (request.bearer !== undefined) faults.push(uncertain("STRAY-BEARER-PLATFORM", ...anyError));
  if (request.body !== undefined) faults.push(uncertain("STRAY-BODY-PLATFORM", ...anyError));
  if (request.idempotencyKey !== undefined) {
    faults.push(uncertain("STRAY-KEY", badRequest(...FIELD_CODES, "IDEMPOTENCY_REQUIRED")));
  }
  return {
    expected: expectedOf(faults, { outcome: { status: 200, codes: [] }, rulesFor: () => ["ENDPOINT-1"] }),
    learn: ({ status, body }) => {
      if (status === 200) life.profile ??= body;
      return FINE;
    },
  };
}
