import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import type { Moment } from "../../engine/search/model.ts";
import { type Expected, FINE, type Learnt, type Prediction } from "../../engine/search/model.ts";
import { isAnswered, LIFETIME_MS, OUTCOMES } from "../operations.ts";
import { bodyFaults } from "./body-faults.ts";
import { readBody } from "./body-reading.ts";
import { capacityFaults, patienceFaults } from "./capacity.ts";
import { expectedOf } from "./expected-of.ts";
import { phaseOf } from "./moment.ts";
import { certain, certainBy, type RequestFault, uncertain } from "./request-fault.ts";
import type { ChallengeState, ModelContext, ServiceInstance } from "./state.ts";
import { strayFaults } from "./stray-faults.ts";
import { type ProofReading, readProof } from "./verify-faults.ts";

/** `POST /v1/auth/verify` in a state of the service. */
export function predictVerify(
  request: ServiceRequest,
  service: ServiceInstance,
  now: Moment,
  context: ModelContext,
): Prediction {
  const body = readBody(request.body);
  const proof = readProof(body);
  const challenge = proof.id === undefined ? undefined : service.challenges.get(proof.id);
  const faults: RequestFault[] = [
    ...bodyFaults("verify", body),
    ...proof.faults,
    ...(proof.id === undefined ? [] : challengeFaults(challenge, now, context)),
    ...signatureFaults(challenge, proof, context),
    ...strayFaults("verify", request),
  ];
  const valid = !faults.some((fault) => fault.certain);
  faults.push(
    ...capacityFaults("sessions", service, context, valid),
    ...patienceFaults("verify", request, service, context),
  );
  const rulesFor: Expected["rulesFor"] = (_, code) => successRules(challenge, service, code);
  const success = { outcome: OUTCOMES.served, rulesFor };
  return {
    expected: expectedOf(faults, success),
    learn: (answer) => {
      service.asked.note({ operation: "verify", request, body: answer.body });
      if (answer.status === 200) return opened(challenge, answer, service, now);
      if (challenge !== undefined) markUsed(challenge, answer);
      return FINE;
    },
  };
}

/** An honest proof was refused: what came before says which rule that breaks. */
function successRules(
  challenge: ChallengeState | undefined,
  service: ServiceInstance,
  code: unknown,
): readonly string[] {
  if (challenge === undefined || code !== OUTCOMES.spentChallenge.codes[0]) return ["ENDPOINT-3"];
  const others = [...service.challenges.values()].filter((other) => other !== challenge);
  if (others.some(({ used }) => used !== "no")) return ["CHALLENGE-24"];
  return others.some(({ creator }) => creator === challenge.creator) ? ["CHALLENGE-25"] : ["CHALLENGE-20"];
}

function challengeFaults(
  challenge: ChallengeState | undefined,
  now: Moment,
  { doubt }: ModelContext,
): readonly RequestFault[] {
  if (challenge === undefined) return [certainBy("VERIFY-12", "UNKNOWN-CHALLENGE")];
  switch (challenge.used) {
    case "by-good-proof":
      return [certain("CHALLENGE-22", OUTCOMES.spentChallenge)];
    case "by-bad-proof":
      return [certain("CHALLENGE-23", OUTCOMES.spentChallenge)];
  }
  const faults: RequestFault[] = challenge.used === "maybe" ? [uncertain("VERIFY-FIELDS-CONSUMES")] : [];
  const phase = phaseOf(challenge.issued, now, LIFETIME_MS.challenge, doubt, "challenge");
  if (phase === "over") faults.push(certain("CHALLENGE-21", OUTCOMES.spentChallenge));
  if (phase === "either") faults.push(uncertain("CHALLENGE-INSTANT"));
  return faults;
}

function signatureFaults(
  challenge: ChallengeState | undefined,
  proof: ProofReading,
  context: ModelContext,
): readonly RequestFault[] {
  if (proof.signature === undefined || challenge === undefined) return [];
  const holds = context.proofHolds(challenge.creator, challenge.signed, proof.signature);
  const point = proof.spelling;
  const spelt = point === undefined ? [] : [uncertain(point)];
  if (holds === "yes") return spelt;
  if (typeof holds === "object") return [...spelt, uncertain(holds.point)];
  // A signature in an odd spelling may be refused for the spelling.
  if (point !== undefined) return [certainBy("VERIFY-6", point)];
  if (holds === "no-key") return [certainBy("VERIFY-30", "OFF-CURVE-KEY")];
  if (holds === "no-signature") return [certainBy("VERIFY-31", "UNREADABLE-SIGNATURE")];
  return [certain("VERIFY-10", OUTCOMES.invalidProof)];
}

function opened(
  challenge: ChallengeState | undefined,
  { body }: Pick<Exchange, "body">,
  service: ServiceInstance,
  now: Moment,
): Learnt {
  service.stored.sessions += 1;
  if (challenge === undefined) return FINE;
  challenge.used = "by-good-proof";
  const { bearer } = body;
  if (typeof bearer !== "string") return FINE;
  const earlier = service.sessions.get(bearer);
  service.sessions.set(bearer, { creator: challenge.creator, issued: now, uses: 0, ended: false });
  if (earlier === undefined || earlier.creator === challenge.creator) return FINE;
  const expected = "another bearer than the other creator's";
  return { mismatches: [{ rule: "SESSION-4", path: "bearer", expected, got: "the same one" }], lost: false };
}

/** A failed proof uses the challenge up; what other refusals do to it is open. */
function markUsed(challenge: ChallengeState, answer: Pick<Exchange, "status" | "body">): void {
  if (challenge.used === "by-good-proof" || challenge.used === "by-bad-proof") return;
  const spent = isAnswered(OUTCOMES.invalidProof, answer) || isAnswered(OUTCOMES.spentChallenge, answer);
  challenge.used = spent ? "by-bad-proof" : "maybe";
}
