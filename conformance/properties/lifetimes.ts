/** Challenges, sessions and drafts all expire by one clock, to the millisecond of that clock. */
import { LIFETIME_MS } from "../contract/constants.ts";
import type { Action } from "./checked-run.ts";

/** Times at which entries are created, in ms after the clock's start, modulo one second. */
const PHASES_MS = [0, 266, 434, 861];
/** Offsets from the end of a lifetime, in ms. At the last one, an entry is expired in every clock world. */
const OFFSETS_MS = [-1, 0, 1, 2001];
/** More than a minute, so that the limiter allows a build. */
const PAUSE_MS = 65_000;

/**
 * Uses entries around their expiry. Such a series of responses leaves only the service's own clock world, so
 * that the model detects a lifetime that is wrong by one millisecond.
 */
export const lifetimes: readonly Action[] = (["challenge", "verify", "build"] as const).flatMap((entry) =>
  PHASES_MS.flatMap((phaseMs) =>
    OFFSETS_MS.flatMap((offsetMs): readonly Action[] => {
      const as = `${entry}${10_000 * phaseMs + offsetMs + 1}`;
      const ageMs = LIFETIME_MS[entry] + offsetMs;
      const toPhase: Action = { verb: "advance", ms: phaseMs };
      const wait: Action = { verb: "advance", ms: ageMs };
      // After the pause the clock is at phase 0 again.
      const pause: Action = { verb: "advance", ms: PAUSE_MS - phaseMs - offsetMs };
      if (entry === "challenge") {
        const verify: Action = { verb: "verify", fields: { challenge: `$${as}` } };
        return [toPhase, { verb: "challenge", fields: { for: "alice" }, as }, wait, verify, pause];
      }
      const session: Action = { verb: "session", fields: { for: "alice" } };
      const build: Action = { verb: "build", fields: { by: "alice", key: `key-of-${as}` } };
      return [toPhase, session, ...(entry === "build" ? [build] : []), wait, build, pause];
    }),
  ),
);
