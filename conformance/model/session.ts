/** States of the sessions with one bearer. A session lasts an hour (contract, "Session"). */
import { LIFETIME_MS } from "../contract/constants.ts";
import { type Clocks, type Interval, instant, splitByPhase } from "../judge/clocks.ts";

export interface Session {
  /** Undefined if the history does not show the creator. */
  readonly creator: string | undefined;
  /** One state for each session. A service may give several sessions of one creator the same bearer. */
  readonly states: readonly SessionState[];
}

export interface SessionState {
  readonly opened: Interval;
  readonly clocks: Clocks;
}

/** Start of a session that has expired in every world. */
const LONG_AGO = instant(-1e15);

export interface SessionStep {
  /** States after the response. Empty if no state explains it. */
  readonly states: readonly SessionState[];
  readonly mayBeLive: boolean;
  readonly mayBeExpired: boolean;
}

/**
 * Keeps the states that explain the response to a build.
 *
 * @param session undefined if no session has the bearer
 * @param code `OK`, a refusal code, or undefined if the bearer is spelled in an unusual way: then the
 *   response shows nothing about the session
 * @param incomplete whether the history may lack exchanges and restarts
 */
export function stepSession(
  session: Session | undefined,
  at: Interval,
  code: string | undefined,
  sharedClocks: Clocks,
  incomplete: boolean,
): SessionStep {
  if (session === undefined) return { states: [], mayBeLive: false, mayBeExpired: true };
  const states: SessionState[] = [];
  let [mayBeLive, mayBeExpired] = [false, false];
  for (const state of session.states) {
    const clocks = state.clocks.filter((clock) => sharedClocks.includes(clock));
    const phases = splitByPhase(clocks, state.opened, at, LIFETIME_MS.verify);
    // A restart that the history lacks may have ended the session.
    const expired = incomplete ? clocks : phases.expired;
    mayBeLive ||= phases.live.length > 0;
    mayBeExpired ||= expired.length > 0;
    const left = code === "OK" ? phases.live : code === "UNAUTHORIZED" ? expired : clocks;
    const hasEnded = incomplete && code === "UNAUTHORIZED";
    if (left.length > 0) states.push({ opened: hasEnded ? LONG_AGO : state.opened, clocks: left });
  }
  return { states, mayBeLive, mayBeExpired };
}

/** Requires a refusal if a build names a creator other than the session's (contract, "Authentication"). */
export function applyCreatorBinding(
  session: Session | undefined,
  { mayBeLive }: SessionStep,
  namedCreator: string | undefined,
  allowed: Set<string>,
): void {
  if (session === undefined) return;
  if (session.creator === undefined) allowed.add("CREATOR_BINDING_OR_FIELDS");
  else if (mayBeLive && namedCreator !== undefined && namedCreator !== session.creator) {
    allowed.add("CREATOR_BINDING_OR_FIELDS");
    allowed.delete("OK");
  }
}
