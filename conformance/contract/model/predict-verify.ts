import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { bodyFaults } from "./body-faults.ts";
import { readBody } from "./body-reading.ts";
import { capacityFaults } from "./capacity.ts";
import { type Expected, expectedOf } from "./expected.ts";
import { badRequest, certain, type Fault, FIELD_CODES, uncertain } from "./fault.ts";
import { type Moment, phaseOf } from "./moment.ts";
import { FINE, type Learnt, type Prediction } from "./prediction.ts";
import { isReduced } from "./proof-holds.ts";
import type { ChallengeState, ModelContext, ServiceLife } from "./state.ts";
import { strayFaults } from "./stray-faults.ts";
import { type ProofReading, readProof } from "./verify-faults.ts";

const CHALLENGE_LIFETIME_MS = 60_000;
const EXPIRED_OR_USED = { status: 401, codes: ["EXPIRED_OR_USED_CHALLENGE"] };
const INVALID_PROOF = { status: 401, codes: ["INVALID_PROOF"] };
const BY_FIELDS = badRequest(...FIELD_CODES);
const UNKNOWN = [EXPIRED_OR_USED, INVALID_PROOF, BY_FIELDS];

/** `POST /v1/auth/verify` in a state of the service. */
export function predictVerify(
  request: ServiceRequest,
  life: ServiceLife,
  now: Moment,
  context: ModelContext,
): Prediction {
  const body = readBody(request.body);
  const proof = readProof(body);
  const challenge = proof.id === undefined ? undefined : life.challenges.get(proof.id);
  const faults: Fault[] = [
    ...bodyFaults("verify", body),
    ...proof.faults,
    ...(proof.id === undefined ? [] : challengeFaults(challenge, now, context)),
    ...(challenge === undefined ? [] : signatureFaults(challenge, proof, context)),
    ...strayFaults("verify", request),
  ];
  const valid = !faults.some((fault) => fault.certain);
  faults.push(...capacityFaults("sessions", life, context, valid));
  const rulesFor: Expected["rulesFor"] = (_, code) => successRules(challenge, life, code);
  const success = { outcome: { status: 200, codes: [] }, rulesFor };
  return {
    expected: expectedOf(faults, success),
    learn: (answer) => {
      if (answer.status === 200) return opened(challenge, answer, life, now);
      if (challenge !== undefined) markUsed(challenge, answer);
      return FINE;
    },
  };
}

/** An honest proof was refused: what came before says which rule that breaks. */
function successRules(
  challenge: ChallengeState | undefined,
  life: ServiceLife,
  code: unknown,
): readonly string[] {
  if (challenge === undefined || code !== "EXPIRED_OR_USED_CHALLENGE") return ["ENDPOINT-3"];
  const others = [...life.challenges.values()].filter((other) => other !== challenge);
  if (others.some(({ used }) => used !== "no")) return ["CHALLENGE-24"];
  return others.some(({ creator }) => creator === challenge.creator) ? ["CHALLENGE-25"] : ["CHALLENGE-20"];
}

function challengeFaults(
  challenge: ChallengeState | undefined,
  now: Moment,
  { doubt }: ModelContext,
): readonly Fault[] {
  if (challenge === undefined)
    return [{ outcomes: UNKNOWN, rules: ["VERIFY-12"], certain: true, point: "UNKNOWN-CHALLENGE" }];
  switch (challenge.used) {
    case "by-good-proof":
      return [certain("CHALLENGE-22", EXPIRED_OR_USED)];
    case "by-bad-proof":
      return [certain("CHALLENGE-23", EXPIRED_OR_USED)];
  }
  const faults: Fault[] =
    challenge.used === "maybe" ? [uncertain("VERIFY-FIELDS-CONSUMES", EXPIRED_OR_USED)] : [];
  const phase = phaseOf(challenge.issued, now, CHALLENGE_LIFETIME_MS, doubt);
  if (phase === "over") faults.push(certain("CHALLENGE-21", EXPIRED_OR_USED));
  if (phase === "either") faults.push(uncertain("CHALLENGE-INSTANT", EXPIRED_OR_USED));
  return faults;
}

function signatureFaults(
  challenge: ChallengeState,
  proof: ProofReading,
  context: ModelContext,
): readonly Fault[] {
  if (proof.signature === undefined) return [];
  const holds = context.proofHolds(challenge.creator, challenge.message, proof.signature);
  const point = proof.spelling;
  switch (holds) {
    case "no":
      // A wrong signature in an odd spelling may be refused for the spelling.
      if (point !== undefined)
        return [{ outcomes: [INVALID_PROOF, BY_FIELDS], rules: ["VERIFY-6"], certain: true, point }];
      return [certain(isReduced(proof.signature) ? "VERIFY-10" : "VERIFY-11", INVALID_PROOF)];
    case "open":
      return [uncertain("SMALL-ORDER-KEY", INVALID_PROOF, BY_FIELDS)];
    case "yes":
      return point === undefined ? [] : [uncertain(point, INVALID_PROOF, BY_FIELDS)];
  }
}

function opened(
  challenge: ChallengeState | undefined,
  { body }: Pick<Exchange, "body">,
  life: ServiceLife,
  now: Moment,
): Learnt {
  life.stored.sessions += 1;
  if (challenge === undefined) return FINE;
  challenge.used = "by-good-proof";
  const { bearer } = body;
  if (typeof bearer !== "string") return FINE;
  const earlier = life.sessions.get(bearer);
  life.sessions.set(bearer, { creator: challenge.creator, issued: now, uses: 0, ended: false });
  if (earlier === undefined || earlier.creator === challenge.creator) return FINE;
  const expected = "another bearer than the other creator's";
  return { mismatches: [{ rule: "SESSION-4", path: "bearer", expected, got: "the same one" }], lost: false };
}

/** A failed proof uses the challenge up; what other refusals do to it is open. */
function markUsed(challenge: ChallengeState, { status, body }: Pick<Exchange, "status" | "body">): void {
  if (challenge.used === "by-good-proof" || challenge.used === "by-bad-proof") return;
  const { code } = body;
  if (status === 401 && code === "INVALID_PROOF") challenge.used = "by-bad-proof";
  else if (status === 401 && code === "EXPIRED_OR_USED_CHALLENGE") challenge.used = "by-bad-proof";
  else challenge.used = "maybe";
}
