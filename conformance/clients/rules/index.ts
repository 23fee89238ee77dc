/**
 * The tests of the rules for clients, in the order of the contract. Statements and levels of the rules are in
 * `vectors/contract/client/rules.yaml`.
 */
import { OUTCOMES } from "../../contract/constants.ts";
import { matchesOutcome } from "../../contract/outcome.ts";
import { hasStatus } from "../history.ts";
import {
  forProfileInWrongForm,
  toExecutionRoute,
  toUnknownRoute,
  withInvalidBody,
  withInvalidSignature,
  withMisplacedBearer,
  withOtherContentType,
  withOtherInputThanLaunch,
  withoutIssuedBearer,
  withoutValidKey,
  withSessionOfOtherCreator,
  withUnknownTermsHash,
  withWrongBuildFields,
  withWrongChallengeFields,
  withWrongProofFields,
  withWrongSignatureEncoding,
} from "./requests.ts";
import { withoutDraft, withoutDraftAfter, withoutEnd, withoutResult, withWrongReport } from "./results.ts";
import {
  BACK_OFF,
  ignoringConflict,
  ofUsedChallenge,
  repeatingInvalidInput,
  retriedUnderOtherKey,
  retriesTooSoon,
  withKeyOfExpiredDraft,
  withRefusedBearer,
  withUsedKeyAndOtherInput,
} from "./retries.ts";
import { type ClientRule, DRAFT, launches, received, requests, requestsOf, sent } from "./rule.ts";
import { requestsWithPrivateKey } from "./secrets.ts";
import { trusting } from "./trust.ts";

export const RULES: readonly ClientRule[] = [
  // Launch as a whole
  {
    id: "CLIENT-FLOW-1",
    expected: "a draft",
    testedBy: DRAFT,
    isConsequence: true,
    endsTrial: true,
    check: launches(withoutDraft),
  },
  {
    id: "CLIENT-FLOW-2",
    expected: "the draft or the refusal that the service returned",
    testedBy: DRAFT,
    check: launches(withWrongReport),
  },
  {
    id: "CLIENT-FLOW-3",
    expected: "a result of the client protocol",
    testedBy: DRAFT,
    endsTrial: true,
    check: launches(withoutResult),
  },
  // Routes
  {
    id: "CLIENT-ROUTE-1",
    expected: "no request that would sign, send, buy, claim, or pay out",
    testedBy: sent("verify"),
    check: requests(toExecutionRoute),
  },
  {
    id: "CLIENT-ROUTE-2",
    expected: "only routes of the contract, without a query",
    testedBy: sent("verify"),
    check: requests(toUnknownRoute),
  },
  // Platform profile
  {
    id: "CLIENT-PROFILE-1",
    expected: "a terms hash that the profile of this service returned",
    testedBy: sent("challenge"),
    check: requestsOf("challenge", withUnknownTermsHash),
  },
  {
    id: "CLIENT-PROFILE-2",
    expected: "GET, without a body or a query",
    testedBy: sent("platform"),
    check: requests(forProfileInWrongForm),
  },
  // Challenge
  {
    id: "CLIENT-CHALLENGE-1",
    expected: "only the creator of a launch and a terms hash",
    testedBy: sent("challenge"),
    check: requestsOf("challenge", withWrongChallengeFields),
  },
  // Proof
  {
    id: "CLIENT-PROOF-1",
    expected: "only the ID of a challenge that the service issued, and a signature",
    testedBy: sent("verify"),
    check: requestsOf("verify", withWrongProofFields),
  },
  {
    id: "CLIENT-PROOF-2",
    expected: "a signature by the creator, over the message exactly as received",
    testedBy: sent("verify"),
    check: requestsOf("verify", withInvalidSignature),
  },
  {
    id: "CLIENT-PROOF-3",
    expected: "64 bytes in padded standard base64",
    testedBy: sent("verify"),
    check: requestsOf("verify", withWrongSignatureEncoding),
  },
  {
    id: "CLIENT-PROOF-4",
    expected: "no proof for a challenge that is used or expired",
    testedBy: sent("verify"),
    check: requestsOf("verify", ofUsedChallenge),
  },
  // Session
  {
    id: "CLIENT-SESSION-1",
    expected: "a bearer exactly as the service issued it",
    testedBy: sent("build"),
    check: requestsOf("build", withoutIssuedBearer),
  },
  {
    id: "CLIENT-SESSION-2",
    expected: "the creator of the session",
    testedBy: sent("build"),
    check: requestsOf("build", withSessionOfOtherCreator),
  },
  {
    id: "CLIENT-SESSION-3",
    expected: "a new session, or the end of the launch, after 401 for the bearer",
    testedBy: received("401 to a build", (one) => one.operation === "build" && hasStatus(one, 401)),
    check: requestsOf("build", withRefusedBearer),
  },
  {
    id: "CLIENT-SESSION-4",
    expected: "the bearer only with builds",
    testedBy: sent("build"),
    check: requests(withMisplacedBearer),
  },
  // Launch request
  {
    id: "CLIENT-BUILD-1",
    expected: "exactly the five fields, each a string",
    testedBy: sent("build"),
    check: requestsOf("build", withWrongBuildFields),
  },
  {
    id: "CLIENT-BUILD-2",
    expected: "the values of the launch, unchanged",
    testedBy: sent("build"),
    check: requestsOf("build", withOtherInputThanLaunch),
  },
  {
    id: "CLIENT-BUILD-3",
    expected: "one Idempotency-Key of 8 to 64 letters, digits, underscores, and hyphens",
    testedBy: sent("build"),
    check: requestsOf("build", withoutValidKey),
  },
  {
    id: "CLIENT-BUILD-4",
    expected: "a JSON object in UTF-8 that names each field once, of at most 16 KiB",
    testedBy: sent("challenge"),
    check: requests(withInvalidBody),
  },
  {
    id: "CLIENT-BUILD-5",
    expected: "the content type application/json",
    testedBy: sent("challenge"),
    check: requests(withOtherContentType),
  },
  // Idempotency and retries
  {
    id: "CLIENT-RETRY-1",
    expected: "no other input under a key that may stand for a draft",
    testedBy: sent("build"),
    check: requestsOf("build", withUsedKeyAndOtherInput),
  },
  {
    id: "CLIENT-RETRY-2",
    expected: "the same key for the build after a lost response or a 500",
    testedBy: sent("build"),
    check: requestsOf("build", retriedUnderOtherKey),
  },
  {
    id: "CLIENT-RETRY-3",
    expected: "no build under the key after REBUILD_WITH_NEW_KEY",
    testedBy: received("REBUILD_WITH_NEW_KEY", (one) => matchesOutcome(one, OUTCOMES.rebuild)),
    check: requestsOf("build", withKeyOfExpiredDraft),
  },
  {
    id: "CLIENT-RETRY-4",
    expected: "the earlier input, another key, or the end of the launch, after a conflict",
    testedBy: received("IDEMPOTENCY_CONFLICT", (one) => matchesOutcome(one, OUTCOMES.conflict)),
    check: requestsOf("build", ignoringConflict),
  },
  // Refused input
  {
    id: "CLIENT-INPUT-1",
    expected: "a changed request, or the end of the launch, after 400 or 413",
    testedBy: received("400 or 413", (one) => hasStatus(one, 400, 413)),
    check: requests(repeatingInvalidInput),
  },
  // Limits
  {
    id: "CLIENT-LIMIT-1",
    expected: "a wait after 429 before the same request",
    testedBy: BACK_OFF,
    check: retriesTooSoon,
  },
  {
    id: "CLIENT-LIMIT-2",
    expected: "the end of the launch in time, after a bounded number of requests",
    testedBy: received(
      "failure after the profile",
      (one) => one.operation !== "platform" && !hasStatus(one, 200),
    ),
    endsTrial: true,
    check: launches(withoutEnd),
  },
  // Private key
  {
    id: "CLIENT-SECRET-1",
    expected: "no part of a private key",
    testedBy: sent("verify"),
    check: requestsWithPrivateKey,
  },
  // What the contract leaves open
  {
    id: "CLIENT-TOLERANCE-1",
    expected: "a draft, although responses have additional fields and headers",
    testedBy: DRAFT,
    isConsequence: true,
    endsTrial: true,
    check: launches(withoutDraftAfter("add", "headers")),
  },
  {
    id: "CLIENT-TOLERANCE-2",
    expected: "a draft, although timestamps have another form",
    testedBy: DRAFT,
    isConsequence: true,
    endsTrial: true,
    check: launches(withoutDraftAfter("timestamps")),
  },
  {
    id: "CLIENT-TOLERANCE-3",
    expected: "a draft, although the message has another layout or the bearer another form",
    testedBy: DRAFT,
    isConsequence: true,
    endsTrial: true,
    check: launches(withoutDraftAfter("message", "bearer")),
  },
  {
    id: "CLIENT-TOLERANCE-4",
    expected: "a draft, although the JSON is spelled in another way",
    testedBy: DRAFT,
    isConsequence: true,
    endsTrial: true,
    check: launches(withoutDraftAfter("spelling")),
  },
  // Trust
  ...[1, 2, 3, 4, 5, 6].map((number) => ({
    id: `CLIENT-TRUST-${number}`,
    expected: "no draft from a service that contradicts the contract",
    testedBy: sent("build"),
    check: trusting(`CLIENT-TRUST-${number}`),
  })),
];
