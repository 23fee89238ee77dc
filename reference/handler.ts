import { checkSize, parseJson } from "./body.ts";
import { buildDraft, checkRate, checkRoom, findDraft, readIdempotencyKey } from "./build.ts";
import { issueChallenge, readChallengeRequest } from "./challenge.ts";
import { type ErrorCode, Refusal, STATUS_OF } from "./errors.ts";
import { checkBinding, checkConstraints, readLaunchRequest } from "./launch-request.ts";
import { platformProfile } from "./platform.ts";
import { readRequest, type ServiceRequest } from "./request.ts";
import { findSession } from "./session.ts";
import type { ServiceState } from "./state.ts";
import { checkProof, openSession, readProof, takeChallenge } from "./verify.ts";

/** What a call gives: the status of the prospective HTTP response, and its body as a JSON value. */
export interface Envelope {
  readonly status: number;
  readonly body: object;
}

/** One operation: the body of its 200, or a {@link Refusal}. `now` is in ms since the Unix epoch. */
type Operation = (request: ServiceRequest, state: ServiceState, now: number) => object;

/** The four routes, matched exactly. Everything else does not exist, wrong methods and query strings included: our choice. */
const ROUTES: ReadonlyMap<string, Operation> = new Map([
  ["GET /v1/platform", platformProfile],
  ["POST /v1/auth/challenge", challenge],
  ["POST /v1/auth/verify", verify],
  ["POST /v1/launch/build", build],
]);

/**
 * Answers one call, whatever its argument is: it never throws and never changes it. Below, each operation's checks
 * stand in the order in which they are made; that order is our choice, the contract shows none.
 */
export function handle(argument: unknown, state: ServiceState, now: number): Envelope {
  const request = readRequest(argument);
  const operation = routeOf(request);
  if (operation === undefined) return refusal("NO_EXECUTION_ENDPOINT");
  try {
    return { status: 200, body: operation(request, state, now) };
  } catch (error) {
    if (error instanceof Refusal) return refusal(error.code);
    throw error;
  }
}

function challenge({ body }: ServiceRequest, state: ServiceState, now: number): object {
  checkSize(body); //                                      413 BODY_TOO_LARGE
  const json = parseJson(body); //                         400 INVALID_JSON_BODY
  const creator = readChallengeRequest(json); //           400 INVALID_DEMO_TERMS_OR_FIELDS, INVALID_CREATOR
  return issueChallenge(creator, state, now); //           429 OFFLINE_CAPACITY
}

function verify({ body }: ServiceRequest, state: ServiceState, now: number): object {
  checkSize(body); //                                      413 BODY_TOO_LARGE
  const json = parseJson(body); //                         400 INVALID_JSON_BODY
  const proof = readProof(json); //                        400 INVALID_FIELDS
  const challenge = takeChallenge(proof.id, state, now); // 401 EXPIRED_OR_USED_CHALLENGE; from here on it is used
  checkProof(challenge, proof.signature); //               401 INVALID_PROOF
  return openSession(challenge.creator, state, now); //    429 OFFLINE_CAPACITY
}

function build({ body, bearer, idempotencyKey }: ServiceRequest, state: ServiceState, now: number): object {
  checkSize(body); //                                      413 BODY_TOO_LARGE
  const session = findSession(bearer, state, now); //      401 UNAUTHORIZED
  const key = readIdempotencyKey(idempotencyKey); //       400 IDEMPOTENCY_REQUIRED
  const json = parseJson(body); //                         400 INVALID_JSON_BODY
  const request = readLaunchRequest(json); //              400 INVALID_FIELDS
  checkBinding(request, session); //                       400 CREATOR_BINDING_OR_FIELDS
  checkConstraints(request); //                            400 CANONICAL_BUILD_REJECTED, METADATA_HOST, METADATA_URL
  const earlier = findDraft(request, key, state, now); //  409 IDEMPOTENCY_CONFLICT, REBUILD_WITH_NEW_KEY
  if (earlier !== undefined) return earlier; //            a retry is answered even when limits are reached
  checkRate(request, state, now); //                       429 OFFLINE_RATE_LIMIT
  checkRoom(request, key, state, now); //                  429 OFFLINE_CAPACITY
  return buildDraft(request, key, state, now);
}

function routeOf({ method, path }: ServiceRequest): Operation | undefined {
  return typeof method === "string" && typeof path === "string" ? ROUTES.get(`${method} ${path}`) : undefined;
}

function refusal(code: ErrorCode): Envelope {
  return { status: STATUS_OF[code], body: { code, productionApproved: false } };
}
