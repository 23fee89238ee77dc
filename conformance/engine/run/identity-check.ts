import { AdapterFault, type Connection } from "../../adapters/adapter.ts";
import { shown } from "../../adapters/one-line.ts";
import { isObject } from "../play/exchange.ts";
import type { Planned } from "./plan.ts";

/** Members of which every answer to `GET /v1/platform` has some, be it a profile, a broken one or a refusal. */
const FAMILIAR = ["productionApproved", "code", "mode", "platform", "termsHash"];

/**
 * Asks for the profile, by which everything begins.
 * @returns undefined where what answers may be the service; otherwise one line on what it said instead, such as a web
 *   server's own page
 */
export async function checkIdentity(connection: Connection): Promise<string | undefined> {
  try {
    const envelope = await connection.handle({ method: "GET", path: "/v1/platform" });
    const { status, body } = isObject(envelope) ? envelope : {};
    if (isObject(body) && FAMILIAR.some((name) => Object.hasOwn(body, name))) return undefined;
    return `what answers is not the service: GET /v1/platform gave ${shown(status)} ${shown(body)}`;
  } catch (error) {
    if (error instanceof AdapterFault) return undefined;
    throw error;
  }
}

/**
 * Where something else than the service answers, keeps one vector to say so: one of the profile's own if any was
 * chosen, one that does not wait if there is any.
 * @param notTheService what {@link checkIdentity} gave
 */
export function keepOneToReport(
  planned: readonly Planned[],
  notTheService: string | undefined,
): readonly Planned[] {
  if (notTheService === undefined) return planned;
  const playable = planned.filter(({ skip }) => skip === undefined);
  const prompt = playable.filter(({ vector }) => vector.totalWaitMs === 0);
  const profile = prompt.find(({ vector }) => vector.rules.includes("ENDPOINT-1"));
  const kept = profile ?? prompt[0] ?? playable[0];
  return planned.map((one) => (one === kept ? one : { ...one, skip: `not tried: ${notTheService}` }));
}
