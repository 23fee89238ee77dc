/** The type of a rule, and the functions that build the tables of rules. */
import type { Operation } from "../../contract/constants.ts";
import type { WrongValue } from "../../contract/response-schemas.ts";
import { type ClientExchange, type History, type Launch, resultOf } from "../history.ts";

/** One violation of a rule: the exchange or the launch that shows it, and a description or the wrong values. */
export interface Violation {
  readonly exchange?: ClientExchange | undefined;
  readonly launch?: Launch | undefined;
  readonly got: string | readonly WrongValue[];
}

/** The events that a trial must contain to test a rule. */
interface Need {
  readonly isMet: (history: History) => boolean;
  /** Why a trial without these events does not test the rule. */
  readonly otherwise: string;
}

/** The test of one rule. The rule's statement and level are in `vectors/contract/client/rules.yaml`. */
export interface RuleTest {
  /** The expected behavior of a client that satisfies the rule. */
  readonly expected: string;
  readonly testedBy: Need;
  /** Whether another violation in the same trial can cause a violation of this rule. */
  readonly isConsequence?: true;
  /** Whether a violation means that a launch did not end as the trial requires. The trial then fails. */
  readonly endsTrial?: true;
  /** Returns all violations in a history. */
  readonly check: (history: History) => readonly Violation[];
}

/** Tests of rules, by the IDs of the rules without `CLIENT-`. */
export type RuleTable = Readonly<Record<string, RuleTest>>;

/** Requires a launch that ended with a draft. */
export const DRAFT: Need = {
  isMet: ({ launches }) => launches.some((launch) => resultOf(launch)?.kind === "draft"),
  otherwise: "no launch ended with a draft",
};

/** Requires that the client sent a request of an operation. */
export function sent(operation: Operation): Need {
  return {
    isMet: ({ exchanges }) => exchanges.some((exchange) => exchange.operation === operation),
    otherwise: `the client sent no ${operation} request`,
  };
}

/** Requires a response for which `isIt` returns true. @param what the response in words */
export function received(what: string, isIt: (exchange: ClientExchange) => boolean): Need {
  return {
    isMet: ({ exchanges }) => exchanges.some(isIt),
    otherwise: `the client received no ${what}`,
  };
}

/** Description of a violation or the wrong values, or a falsy value if there is no violation. */
type Fault = Violation["got"] | false | undefined;
type RequestTest = (exchange: ClientExchange, history: History) => Fault;

/** Returns the test of a rule about all requests. */
export function requests(testedBy: Need, expected: string, faultOf: RequestTest): RuleTest {
  const check = (history: History) =>
    history.exchanges.flatMap((exchange) => {
      const got = faultOf(exchange, history);
      return got ? [{ exchange, got }] : [];
    });
  return { expected, testedBy, check };
}

/** Returns the test of a rule about the requests of one operation. */
export function requestsOf(
  operation: Operation,
  expected: string,
  faultOf: RequestTest,
  testedBy: Need = sent(operation),
): RuleTest {
  return requests(
    testedBy,
    expected,
    (exchange, history) => exchange.operation === operation && faultOf(exchange, history),
  );
}

/** Returns the check of a rule about all launches. */
export function launches(faultOf: (launch: Launch, history: History) => Fault): RuleTest["check"] {
  return (history) =>
    history.launches.flatMap((launch) => {
      const got = faultOf(launch, history);
      return got ? [{ launch, exchange: launch.exchanges.at(-1), got }] : [];
    });
}
