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

/** A response: the status of the prospective HTTP mapping, and the body as a JSON value. */
export interface Envelope {
  readonly status: number;
  readonly body: object;
}

/**
 * Performs one operation at `now`, in ms since the Unix epoch. Returns the body of a 200 response.
 * @throws {Refusal}
 */
type Operation = (request: ServiceRequest, state: ServiceState, now: number) => object;

/** All routes. Other methods and query strings are unknown routes (implementation-defined). */
const ROUTES: ReadonlyMap<string, Operation> = new Map([
  ["GET /v1/platform", platformProfile],
  ["POST /v1/auth/challenge", challenge],
  ["POST /v1/auth/verify", verify],
  ["POST /v1/launch/build", build],
]);

/**
 * Responds to a call with any argument. Never throws, and never changes the argument. The order of each
 * operation's checks is implementation-defined.
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
  const challenge = takeChallenge(proof.id, state, now); // 401 EXPIRED_OR_USED_CHALLENGE; uses it up
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
  checkConstraints(request); //                            400 CANONICAL_BUILD_REJECTED, METADATA_HOST or _URL
  const earlier = findDraft(request, key, state, now); //  409 IDEMPOTENCY_CONFLICT, REBUILD_WITH_NEW_KEY
  if (earlier !== undefined) return earlier; //            retries do not count
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
