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
  { doubt, inPart, bearerHabit }: ModelContext,
): { readonly session: SessionState | undefined; readonly faults: readonly RequestFault[] } {
  if (bearer === undefined || bearer === "")
    return { session: undefined, faults: [certain("AUTH-4", OUTCOMES.unauthorized)] };
  const exact = service.sessions.get(bearer);
  const bare = exact === undefined ? bearer.trim().replace(/^bearer\s+/i, "") : bearer;
  const session = exact ?? service.sessions.get(bare);
  if (session === undefined) {
    const isFormer = earlierBearers.has(bare);
    if (inPart && (!isFormer || bearerHabit?.mayOutliveRestart === true)) return { session, faults: [] };
    const rule = isFormer ? "SESSION-10" : "AUTH-5";
    return { session, faults: [certain(rule, OUTCOMES.unauthorized)] };
  }
  const spelling = exact === undefined ? [uncertain("BEARER-PREFIX")] : [];
  // It may have been given again unseen.
  if (inPart && bearerHabit?.mayRecur === true) return { session, faults: spelling };
  // It was said to be none: what is over stays over.
  if (inPart && session.ended)
    return { session: undefined, faults: [certain("SESSION-6", OUTCOMES.unauthorized)] };
  const phase = phaseOf(session.issued, now, LIFETIME_MS.session, doubt, "verify");
  if (phase === "live") return { session, faults: spelling };
  if (phase === "either" && !session.ended)
    return { session, faults: [...spelling, uncertain("SESSION-INSTANT")] };
  return {
    session: undefined,
    faults: [certain(session.uses > 0 ? "SESSION-8" : "SESSION-7", OUTCOMES.unauthorized)],
  };
}
