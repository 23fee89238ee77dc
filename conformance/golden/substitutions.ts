import type { Facts } from "../adapters/adapter.ts";
import type { ExchangeStep, GoldenProof, GoldenRequest, Substitution } from "./fixture.ts";
import type { MadeProof } from "./golden-world.ts";
import { atPointer } from "./matchers.ts";

/** Members of answers that clients send back. */
const SENT_BACK = ["/termsHash", "/id", "/bearer"];

/**
 * The texts of a request that another run, or another implementation, has otherwise.
 * @param earlier the exchanges before it
 * @param proofs every proof that was made, by its text
 */
export function substitutionsIn(
  request: GoldenRequest,
  earlier: readonly ExchangeStep[],
  proofs: ReadonlyMap<string, MadeProof>,
  facts: Facts,
): readonly Substitution[] {
  const found = new Map<string, Substitution>();
  const add = (substitution: Substitution) => {
    if (mentions(request, substitution.value)) found.set(substitution.value, substitution);
  };
  for (const { step, response } of earlier) {
    for (const pointer of SENT_BACK) {
      const value = atPointer(response.body, pointer);
      if (typeof value === "string" && value !== "") add({ value, step, pointer });
    }
  }
  for (const [value, { by, text, ...changes }] of proofs) {
    const signed = earlier.findLast(({ response }) => response.body["message"] === text);
    if (signed === undefined) continue;
    const proof: GoldenProof = { by, step: signed.step, pointer: "/message", ...changes };
    add({ value, proof });
  }
  const [hostA, hostB] = facts.metadataHosts;
  add({ value: hostA, fact: "/metadataHosts/0" });
  add({ value: hostB, fact: "/metadataHosts/1" });
  if (facts.operatorKey !== undefined) add({ value: facts.operatorKey, fact: "/operatorKey" });
  return [...found.values()];
}

/** The request with every text replaced by what it is in this run. */
export function substitute(
  request: GoldenRequest,
  values: readonly (readonly [old: string, now: string])[],
): GoldenRequest {
  const replaced = (text: string) =>
    values.reduce((inner, [old, now]) => inner.replaceAll(old, () => now), text);
  const { body, bearer, idempotencyKey } = request;
  return {
    ...request,
    ...(body === undefined ? {} : { body: replaced(body) }),
    ...(bearer === undefined ? {} : { bearer: replaced(bearer) }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey: replaced(idempotencyKey) }),
  };
}

function mentions({ body = "", bearer = "" }: GoldenRequest, value: string): boolean {
  return body.includes(value) || bearer === value;
}
