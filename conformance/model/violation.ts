/**
 * Violations: responses that no possible world explains. This file says which rules each kind of violation
 * breaks; the tables are the only place in the model that names rules.
 */
import type { Operation } from "../contract/constants.ts";
import type { Exchange } from "../contract/exchange.ts";
import { STATUS_OF_CODE } from "../contract/refusals.ts";
import type { Fault } from "./fault.ts";

/** A response that no possible world explains. */
export interface Violation {
  /** IDs of the violated rules, the most specific one first. */
  readonly rules: readonly string[];
  /** What is wrong, as a sentence. */
  readonly statement: string;
  readonly exchange: Exchange;
  /** The partition of the service's state that the response contradicts, such as `bearer of 7xK…`. */
  readonly partition: string;
  /** What would be allowed: `OK` and refusal codes. */
  readonly expected: readonly string[];
  readonly got: string;
}

/** Rules that a violation breaks, by its statement. */
const RULES_OF_STATEMENT = {
  "an ID that the service never issued opens no session": ["VERIFY-12"],
  "a challenge from before a restart opens no session": ["CHALLENGE-27"],
  "an unused challenge can be used for 60 s": ["CHALLENGE-20", "CHALLENGE-24"],
  "a challenge opens one session": ["CHALLENGE-22"],
  "an invalid proof uses the challenge": ["CHALLENGE-23"],
  "an expired challenge opens no session": ["CHALLENGE-21"],
  "an invalid proof opens no session": ["VERIFY-8"],
  "a session can be used for an hour": ["SESSION-5"],
  "a used session can be used again": ["SESSION-6", "SESSION-5"],
  "an expired session is refused": ["SESSION-7"],
  "a bearer from before a restart is refused": ["SESSION-10"],
  "a build without a bearer is refused": ["AUTH-4"],
  "an unknown bearer is refused": ["AUTH-5"],
  "a build for another creator than the session's is refused": ["LAUNCH-6"],
  "a retry gets the same draft": ["IDEMPOTENCY-5"],
  "a retry within 30 s gets the draft": ["IDEMPOTENCY-5"],
  "changed input under a used key is a conflict": ["IDEMPOTENCY-10"],
  "an expired draft is not returned": ["IDEMPOTENCY-14"],
  "a creator gets at most five new builds per minute": ["LIMIT-6"],
  "five new builds per minute are served": ["LIMIT-30"],
  "a retry does not count as a new build": ["LIMIT-11"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Statement = keyof typeof RULES_OF_STATEMENT;

/** Rule that changed input under a used key is a conflict, by the changed field (contract, "Drafts"). */
const CONFLICT_RULES = [
  ["mint", "IDEMPOTENCY-9"],
  ["name", "IDEMPOTENCY-10"],
  ["symbol", "IDEMPOTENCY-11"],
  ["uri", "IDEMPOTENCY-12"],
] as const;

/** Rule that a valid request succeeds, by operation. */
const SUCCESS_RULES: Readonly<Record<Operation, string>> = {
  platform: "ENDPOINT-1",
  challenge: "ENDPOINT-2",
  verify: "ENDPOINT-3",
  build: "ENDPOINT-4",
  other: "SERVICE-1",
};

/** Rule that a code comes only with its reason, by code. */
const CODE_RULES: Readonly<Record<string, string>> = {
  INVALID_DEMO_TERMS_OR_FIELDS: "ERROR-3",
  INVALID_CREATOR: "ERROR-4",
  INVALID_FIELDS: "ERROR-5",
  CREATOR_BINDING_OR_FIELDS: "ERROR-6",
  IDEMPOTENCY_REQUIRED: "ERROR-7",
  METADATA_HOST: "ERROR-8",
  METADATA_URL: "ERROR-9",
  CANONICAL_BUILD_REJECTED: "ERROR-10",
  INVALID_JSON_BODY: "ERROR-11",
  UNAUTHORIZED: "ERROR-12",
  EXPIRED_OR_USED_CHALLENGE: "ERROR-13",
  INVALID_PROOF: "ERROR-14",
  NO_EXECUTION_ENDPOINT: "ERROR-15",
  IDEMPOTENCY_CONFLICT: "ERROR-16",
  REBUILD_WITH_NEW_KEY: "ERROR-17",
  BODY_TOO_LARGE: "ERROR-18",
  OFFLINE_CAPACITY: "ERROR-19",
  OFFLINE_RATE_LIMIT: "ERROR-20",
};

/** Rules that a request with a fault is refused, by operation and fault. */
const FAULT_RULES: Readonly<Record<string, string>> = {
  "challenge size": "LIMIT-1",
  "challenge json": "JSON-1",
  "challenge not-object": "JSON-4",
  "challenge extra-field": "CHALLENGE-19",
  "challenge missing creator": "CHALLENGE-10",
  "challenge missing termsHash": "CHALLENGE-15",
  "challenge type of creator": "CHALLENGE-11",
  "challenge type of termsHash": "CHALLENGE-16",
  "challenge alphabet of creator": "CHALLENGE-12",
  "challenge length of creator": "CHALLENGE-13",
  "challenge bytes of creator": "CHALLENGE-14",
  "challenge form of termsHash": "CHALLENGE-17",
  "challenge other termsHash": "CHALLENGE-18",
  "verify size": "LIMIT-2",
  "verify json": "JSON-2",
  "verify not-object": "JSON-5",
  "verify extra-field": "VERIFY-7",
  "verify missing id": "VERIFY-1",
  "verify missing signatureBase64": "VERIFY-4",
  "verify type of id": "VERIFY-2",
  "verify type of signatureBase64": "VERIFY-5",
  "verify form of id": "VERIFY-3",
  "verify signature": "VERIFY-6",
  "build size": "LIMIT-3",
  "build json": "JSON-3",
  "build not-object": "JSON-6",
  "build extra-field": "LAUNCH-35",
  "build missing creator": "LAUNCH-1",
  "build missing mint": "LAUNCH-7",
  "build missing name": "LAUNCH-14",
  "build missing symbol": "LAUNCH-19",
  "build missing uri": "LAUNCH-24",
  "build type of creator": "LAUNCH-2",
  "build type of mint": "LAUNCH-8",
  "build type of name": "LAUNCH-15",
  "build type of symbol": "LAUNCH-20",
  "build type of uri": "LAUNCH-25",
  "build alphabet of creator": "LAUNCH-3",
  "build length of creator": "LAUNCH-4",
  "build bytes of creator": "LAUNCH-5",
  "build alphabet of mint": "LAUNCH-9",
  "build length of mint": "LAUNCH-10",
  "build bytes of mint": "LAUNCH-11",
  "build mint is creator": "LAUNCH-12",
  "build mint is operator key": "LAUNCH-13",
  "build empty name": "LAUNCH-16",
  "build long name": "LAUNCH-17",
  "build bytes of name": "LAUNCH-18",
  "build empty symbol": "LAUNCH-21",
  "build long symbol": "LAUNCH-22",
  "build bytes of symbol": "LAUNCH-23",
  "build empty uri": "LAUNCH-26",
  "build long uri": "LAUNCH-27",
  "build bytes of uri": "LAUNCH-28",
  "build scheme of uri": "LAUNCH-29",
  "build host of uri": "LAUNCH-30",
  "build slash of uri": "LAUNCH-31",
  "build credentials of uri": "LAUNCH-32",
  "build port of uri": "LAUNCH-33",
  "build fragment of uri": "LAUNCH-34",
  "build key missing": "IDEMPOTENCY-1",
  "build key short": "IDEMPOTENCY-2",
  "build key long": "IDEMPOTENCY-3",
  "build key alphabet": "IDEMPOTENCY-4",
  "other execution": "ENDPOINT-8",
};

/** The parts of a violation that do not depend on its kind. */
export type ViolationPlace = Omit<Violation, "rules" | "statement">;

/** Returns the violation of a statement. */
export function violationOf(statement: Statement, place: ViolationPlace): Violation {
  return { ...place, statement, rules: RULES_OF_STATEMENT[statement] };
}

/** @param fields names of the changed fields */
export function conflictMissed(fields: readonly string[], place: ViolationPlace): Violation {
  const rule = CONFLICT_RULES.find(([field]) => fields.includes(field))?.[1];
  const violation = violationOf("changed input under a used key is a conflict", place);
  return rule === undefined ? violation : { ...violation, rules: [rule] };
}

/** Returns the violation of a service that accepts a request with a fault. */
export function faultAccepted({ name }: Fault, place: ViolationPlace): Violation {
  const { operation } = place.exchange;
  const rule = FAULT_RULES[`${operation} ${name}`] ?? SUCCESS_RULES[operation];
  return { ...place, statement: `an invalid request is refused (${name})`, rules: [rule] };
}

/**
 * Returns the violation of a refusal without a reason. If nothing is wrong with the request, it violates the
 * rule that a valid request succeeds; otherwise, that the code comes only with its reason.
 */
export function refusalUnexplained(code: string, place: ViolationPlace): Violation {
  const { operation, status } = place.exchange;
  if (STATUS_OF_CODE[code] !== status)
    return { ...place, statement: "each code comes with its status", rules: [CODE_RULES[code] ?? "ERROR-2"] };
  const codeRule = CODE_RULES[code] ?? "ERROR-2";
  if (!place.expected.includes("OK"))
    return { ...place, statement: "a code comes only with its reason", rules: [codeRule] };
  return { ...place, statement: "a valid request succeeds", rules: [SUCCESS_RULES[operation], codeRule] };
}
