import { certain, type Fault, uncertain } from "./fault.ts";
import { type Moment, phaseOf } from "./moment.ts";
import type { ModelContext, ServiceLife, SessionState } from "./state.ts";

const SESSION_LIFETIME_MS = 3_600_000;
const UNAUTHORIZED = { status: 401, codes: ["UNAUTHORIZED"] };

/** The session that a bearer stands for, and what is wrong with the bearer (contract, "Authentication" 4 and 7). */
export function sessionOf(
  bearer: string | undefined,
  life: ServiceLife,
  earlierBearers: ReadonlySet<string>,
  now: Moment,
  { doubt }: ModelContext,
): { readonly session: SessionState | undefined; readonly faults: readonly Fault[] } {
  if (bearer === undefined || bearer === "")
    return { session: undefined, faults: [certain("AUTH-4", UNAUTHORIZED)] };
  const exact = life.sessions.get(bearer);
  const bare = exact === undefined ? bearer.trim().replace(/^bearer\s+/i, "") : bearer;
  const session = exact ?? life.sessions.get(bare);
  if (session === undefined) {
    const rule = earlierBearers.has(bare) ? "SESSION-10" : "AUTH-5";
    return { session, faults: [certain(rule, UNAUTHORIZED)] };
  }
  const spelling = exact === undefined ? [uncertain("BEARER-PREFIX", UNAUTHORIZED)] : [];
  const phase = phaseOf(session.issued, now, SESSION_LIFETIME_MS, doubt);
  if (phase === "live") return { session, faults: spelling };
  if (phase === "either" && !session.ended)
    return { session, faults: [...spelling, uncertain("SESSION-INSTANT", UNAUTHORIZED)] };
  return {
    session: undefined,
    faults: [certain(session.uses > 0 ? "SESSION-8" : "SESSION-7", UNAUTHORIZED)],
  };
}
