import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { SequenceContract } from "../../engine/search/sequence-contract.ts";
import { withOwnKeys } from "../commands/own-keys.ts";
import { requestJson } from "../judge/request-json.ts";
import { newModel } from "../model/model.ts";

/** What this contract gives to whoever plays sequences of steps. */
export const SEQUENCES: SequenceContract = {
  newModel,
  withOwnKeys,
  writing: {
    anyRule: "SERVICE-1",
    anyErrorPoints: ["TRAILING-SLASH", "UNKNOWN-PATH"],
    roomPoints: ["CAPACITY-CHALLENGES", "CAPACITY-SESSIONS", "CAPACITY-DRAFTS", "CROWD-OF-ONE-CREATOR"],
    distinctMembers: { "CHALLENGE-2": "id", "SESSION-4": "bearer" },
    errorBody: (code) => ({ code }),
    asksAgain: (request, earlier) =>
      request.idempotencyKey === earlier.idempotencyKey && creatorOf(request) === creatorOf(earlier),
  },
};

function creatorOf(request: ServiceRequest): unknown {
  return requestJson(request)?.["creator"];
}
