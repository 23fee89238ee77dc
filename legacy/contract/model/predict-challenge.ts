import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import type { Moment } from "../../engine/search/model.ts";
import { FINE, type Learnt, type Prediction } from "../../engine/search/model.ts";
import { bytesSigned } from "../keys/message-bytes.ts";
import { OUTCOMES } from "../operations.ts";
import { bodyFaults } from "./body-faults.ts";
import { readBody } from "./body-reading.ts";
import { capacityFaults, patienceFaults } from "./capacity.ts";
import { challengeFaults } from "./challenge-faults.ts";
import { expectedOf } from "./expected-of.ts";
import { knownKeys } from "./known-keys.ts";
import type { RequestFault } from "./request-fault.ts";
import type { ModelContext, ServiceInstance } from "./state.ts";
import { strayFaults } from "./stray-faults.ts";

/** `POST /v1/auth/challenge` in a state of the service. */
export function predictChallenge(
  request: ServiceRequest,
  service: ServiceInstance,
  now: Moment,
  context: ModelContext,
): Prediction {
  const body = readBody(request.body);
  const faults: RequestFault[] = [
    ...bodyFaults("challenge", body),
    ...challengeFaults(body, service.profile?.["termsHash"], knownKeys(service, context)),
    ...strayFaults("challenge", request),
  ];
  const valid = !faults.some((fault) => fault.certain);
  const { creator } = body.members;
  faults.push(
    ...capacityFaults("challenges", service, context, valid),
    ...patienceFaults("challenge", request, service, context),
  );
  const success = { outcome: OUTCOMES.served, rulesFor: () => ["ENDPOINT-2"] };
  return {
    expected: expectedOf(faults, success),
    learn: (answer) => {
      service.asked.note({ operation: "challenge", request, body: answer.body });
      return answer.status === 200 ? issued(creator, answer, service, now, context) : FINE;
    },
  };
}

function issued(
  creator: unknown,
  answer: Pick<Exchange, "body" | "aside">,
  service: ServiceInstance,
  now: Moment,
  { facts }: ModelContext,
): Learnt {
  const { id } = answer.body;
  const signed = bytesSigned(answer, facts.signedBytes);
  service.stored.challenges += 1;
  if (typeof id !== "string" || signed === undefined || typeof creator !== "string") return FINE;
  const repeated = service.challenges.has(id);
  service.challenges.set(id, { creator, signed, issued: now, used: "no" });
  const former = service.formerIds.has(id);
  if (!repeated && !former) return FINE;
  const mismatch = {
    rule: repeated ? "CHALLENGE-2" : "CHALLENGE-28",
    path: "id",
    expected: "an id that no earlier challenge had",
    got: id,
  };
  return { mismatches: [mismatch], lost: false };
}
