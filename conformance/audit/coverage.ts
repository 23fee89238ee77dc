/** Finds the rules that an exchange tests: those that another response to its request would violate. */
import type { Operation } from "../contract/constants.ts";
import type { Exchange } from "../contract/exchange.ts";
import { STATUS_OF_CODE } from "../contract/refusals.ts";
import { codesOf, rulesOfBody, statusesOf } from "../contract/response-schemas.ts";
import type { Belief } from "../model/belief.ts";
import type { ExchangeEvent } from "../model/event.ts";

/** Rules about all responses. */
const ALWAYS = ["SERVICE-1", "SERVICE-2", "SERVICE-5"];
/** Members of other successful responses than those of a service. */
const OTHER_SUCCESS = { id: "0".repeat(48), bearer: "another bearer", nextGate: "another draft" };

/** Returns the rules that the judge checks in a response. @param hasClock whether the service's clock is known */
export function rulesOfResponse({ operation, status }: Exchange, hasClock: boolean): readonly string[] {
  const { rule } = statusesOf(operation) ?? {};
  const rules =
    status === 200 ? rulesOfBody(operation, hasClock ? undefined : "expiresAt") : ["ERROR-1", "ERROR-2"];
  return [...ALWAYS, ...(rule === undefined ? [] : [rule]), ...rules];
}

/** Returns the rules that the model finds violated for other responses. @param belief before the exchange */
export function rulesOfState(belief: Belief, { exchange, at }: ExchangeEvent): readonly string[] {
  const others = [
    { status: 200, body: { ...exchange.body, ...OTHER_SUCCESS } },
    ...codesIn(exchange.operation).map((code) => ({
      status: STATUS_OF_CODE.get(code),
      body: { code, productionApproved: false },
    })),
  ];
  return others.flatMap((other) => {
    const event = { kind: "exchange", at, exchange: { ...exchange, ...other, envelope: other } } as const;
    return belief.clone().step(event)?.rules[0] ?? [];
  });
}

/** Returns the refusal codes that the contract allows for an operation. */
function codesIn(operation: Operation): readonly string[] {
  return [...(statusesOf(operation)?.allowed ?? [404])].flatMap((status) => codesOf(status) ?? []);
}
