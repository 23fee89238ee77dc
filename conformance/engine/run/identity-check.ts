import { AdapterFault, type Connection } from "../../adapters/adapter.ts";
import { shown } from "../../adapters/one-line.ts";
import type { Identity } from "../contract.ts";
import { isObject } from "../play/exchange.ts";
import type { Planned } from "./plan.ts";

/**
 * Asks for what the service is known by.
 * @returns undefined where what answers may be the service; otherwise one line on what it said instead, such as a web
 *   server's own page
 */
export async function checkIdentity(
  connection: Connection,
  { request, isFamiliar }: Identity,
): Promise<string | undefined> {
  try {
    const envelope = await connection.handle(request);
    const { status, body } = isObject(envelope) ? envelope : {};
    if (isObject(body) && isFamiliar(body)) return undefined;
    const asked = `${request.method} ${request.path}`;
    return `what answers is not the service: ${asked} gave ${shown(status)} ${shown(body)}`;
  } catch (error) {
    if (error instanceof AdapterFault) return undefined;
    throw error;
  }
}

/**
 * Where something else than the service answers, keeps one vector to say so: one that is about what the service is
 * known by if any was chosen, one that does not wait if there is any.
 * @param notTheService what {@link checkIdentity} gave
 * @param rule the one that vectors about it speak for
 */
export function keepOneToReport(
  planned: readonly Planned[],
  notTheService: string | undefined,
  rule: string,
): readonly Planned[] {
  if (notTheService === undefined) return planned;
  const playable = planned.filter(({ skip }) => skip === undefined);
  const prompt = playable.filter(({ vector }) => vector.totalWaitMs === 0);
  const about = prompt.find(({ vector }) => vector.rules.includes(rule));
  const kept = about ?? prompt[0] ?? playable[0];
  return planned.map((one) =>
    one === kept ? one : { ...one, skip: { reason: `not tried: ${notTheService}` } },
  );
}
