import type { Moment } from "../../engine/search/model.ts";
import { LIFETIME_MS, OUTCOMES } from "../operations.ts";
import { phaseOf } from "./moment.ts";
import { certain, type RequestFault, uncertain } from "./request-fault.ts";
import type { ModelContext, ServiceInstance, SessionState } from "./state.ts";

/** The session that a bearer stands for, and what is wrong with the bearer (contract, "Authentication" 4 and 7). */
export function sessionOf(
  bearer: string | undefined,
  service: ServiceInstance,
  earlierBearers: ReadonlySet<string>,
  now: Moment,
  { doubt }: ModelContext,
): { readonly session: SessionState | undefined; readonly faults: readonly RequestFault[] } {
  if (bearer === undefined || bearer === "")
    return { session: undefined, faults: [certain("AUTH-4", OUTCOMES.unauthorized)] };
  const exact = service.sessions.get(bearer);
  const bare = exact === undefined ? bearer.trim().replace(/^bearer\s+/i, "") : bearer;
  const session = exact ?? service.sessions.get(bare);
  if (session === undefined) {
    const rule = earlierBearers.has(bare) ? "SESSION-10" : "AUTH-5";
    return { session, faults: [certain(rule, OUTCOMES.unauthorized)] };
  }
  const spelling = exact === undefined ? [uncertain("BEARER-PREFIX")] : [];
  const phase = phaseOf(session.issued, now, LIFETIME_MS.session, doubt, "verify");
  if (phase === "live") return { session, faults: spelling };
  if (phase === "either" && !session.ended)
    return { session, faults: [...spelling, uncertain("SESSION-INSTANT")] };
  return {
    session: undefined,
    faults: [certain(session.uses > 0 ? "SESSION-8" : "SESSION-7", OUTCOMES.unauthorized)],
  };
}
