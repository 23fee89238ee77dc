/**
 * Violations: responses that no possible world explains. The table in this file maps the other kinds of
 * violations to rules, and the rules themselves name the faults of requests. No other file of the model names
 * rules.
 */
import { readServiceContract } from "../contract/contract.ts";
import type { Exchange } from "../contract/exchange.ts";
import { outcomesOf, STATUS_OF_CODE } from "../contract/refusals.ts";
import { successRuleOf } from "../contract/response-schemas.ts";
import type { Difference } from "../judge/difference.ts";
import type { Fault } from "./fault.ts";

/** A response that no possible world explains. */
export interface Violation {
  /** IDs of the violated rules, the most specific one first. */
  readonly rules: readonly string[];
  /** The violated requirement, as a sentence. */
  readonly statement: string;
  readonly exchange: Exchange;
  /** Allowed outcomes: `OK` and refusal codes. */
  readonly expected: readonly string[];
  /** Whether the outcome is allowed, but the response to a retry has another draft. */
  readonly isOtherDraft?: boolean;
}

/** Returns the difference between the allowed outcomes and the response. */
export function differenceOf({ expected, isOtherDraft = false }: Violation): Difference {
  return { kind: "outcome", expected: outcomesOf(expected), ...(isOtherDraft && { isOtherDraft }) };
}

/** Violated rules, by the statement of the violation. */
const RULES_OF_STATEMENT = {
  "an ID that the service never issued opens no session": ["VERIFY-12"],
  "a challenge that was issued before a restart opens no session": ["CHALLENGE-27"],
  "an unused challenge can be used for 60 s": ["CHALLENGE-20", "CHALLENGE-24"],
  "a challenge opens only one session": ["CHALLENGE-22"],
  "an invalid proof uses up the challenge": ["CHALLENGE-23"],
  "an expired challenge opens no session": ["CHALLENGE-21"],
  "an invalid proof opens no session": ["VERIFY-8"],
  "a session can be used for an hour": ["SESSION-5"],
  "a session stays valid after its first use": ["SESSION-6", "SESSION-5"],
  "an expired session is refused": ["SESSION-7"],
  "a bearer that was issued before a restart is refused": ["SESSION-10"],
  "a build without a bearer is refused": ["AUTH-4"],
  "an unknown bearer is refused": ["AUTH-5"],
  "a build for a creator other than the session's is refused": ["LAUNCH-6"],
  "a retry gets the same draft": ["IDEMPOTENCY-5"],
  "a retry within 30 s gets the draft": ["IDEMPOTENCY-5"],
  "a build with changed input under a used key gets a conflict": ["IDEMPOTENCY-10"],
  "an expired draft is not returned": ["IDEMPOTENCY-14"],
  "a creator gets no more new builds than the limit": ["LIMIT-6"],
  "a new build within the limit succeeds": ["LIMIT-30"],
  "a retry does not count as a new build": ["LIMIT-11"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Statement = keyof typeof RULES_OF_STATEMENT;

/** Rules that a service violates if it refuses a new build within the limit with `OFFLINE_RATE_LIMIT`. */
export const RULES_OF_EARLY_LIMIT = RULES_OF_STATEMENT["a new build within the limit succeeds"];

const RULES = [...readServiceContract().rules.values()];

/** By name of a fault, with its operation: the rule that requires a refusal. */
const FAULT_RULES = new Map(RULES.flatMap(({ id, fault }) => (fault === undefined ? [] : [[fault, id]])));
/** By code: the rule about its reasons. */
export const CODE_RULES: ReadonlyMap<string, string> = new Map(
  RULES.flatMap(({ id, response }) => response?.codes.map((code) => [code, id]) ?? []),
);

/** The members of a violation that do not depend on its statement. */
export type ViolationPlace = Omit<Violation, "rules" | "statement">;

/** Returns a violation with this statement. */
export function violationOf(statement: Statement, place: ViolationPlace): Violation {
  return { ...place, statement, rules: RULES_OF_STATEMENT[statement] };
}

/** @param fields names of the changed fields */
export function conflictMissed(fields: readonly string[], place: ViolationPlace): Violation {
  const [rule] = fields.flatMap((field) => FAULT_RULES.get(`build changed ${field}`) ?? []);
  const violation = violationOf("a build with changed input under a used key gets a conflict", place);
  return rule === undefined ? violation : { ...violation, rules: [rule] };
}

/** Returns the violation of a service that accepts a request with this fault. */
export function faultAccepted({ name }: Fault, place: ViolationPlace): Violation {
  const { operation } = place.exchange;
  const rule = FAULT_RULES.get(`${operation} ${name}`) ?? successRuleOf(operation) ?? "SERVICE-1";
  return { ...place, statement: `an invalid request is refused (fault: ${name})`, rules: [rule] };
}

/**
 * Returns the violation for a refusal with the wrong status, or without a reason. The refusal violates the
 * rule about its code. If the status is right and the request is valid, the refusal also violates the rule
 * that valid requests succeed.
 */
export function refusalUnexplained(code: string, place: ViolationPlace): Violation {
  const codeRule = CODE_RULES.get(code) ?? "ERROR-2";
  const successRule = successRuleOf(place.exchange.operation) ?? "SERVICE-1";
  if (STATUS_OF_CODE.get(code) !== place.exchange.status)
    return { ...place, statement: "each code has the status that the contract lists", rules: [codeRule] };
  if (!place.expected.includes("OK"))
    return { ...place, statement: "the code of a refusal names one of its reasons", rules: [codeRule] };
  return { ...place, statement: "a valid request succeeds", rules: [successRule, codeRule] };
}
