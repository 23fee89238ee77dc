/** Challenges, sessions and drafts all expire by one clock, to the millisecond of that clock. */
import { type ExpiringOperation, LIFETIME_MS } from "../contract/constants.ts";
import type { CheckedRun } from "./checked-run.ts";

/** A little more than the largest rounding of a clock. */
const MARGIN_MS = 2100;
/** More than a minute, so that the limiter allows a build. */
const PAUSE_MS = 62_000;

/**
 * Finds the age at which each kind of entry expires, by halving. Such a series of responses leaves only the
 * service's own clock as an explanation, so that the model notices a lifetime that is off by one millisecond.
 */
export async function bisectLifetimes(run: CheckedRun): Promise<void> {
  for (const entry of ["challenge", "verify", "build"] as const) {
    let [liveMs, expiredMs] = [LIFETIME_MS[entry] - MARGIN_MS, LIFETIME_MS[entry] + MARGIN_MS];
    while (expiredMs - liveMs > 1) {
      const ageMs = Math.floor((liveMs + expiredMs) / 2);
      // Each entry starts at another fraction of a second.
      await run.advance(PAUSE_MS + (ageMs % 997));
      if (await isLiveAt(run, entry, ageMs)) liveMs = ageMs;
      else expiredMs = ageMs;
    }
  }
}

async function isLiveAt(run: CheckedRun, entry: ExpiringOperation, ageMs: number): Promise<boolean> {
  const by = "alice";
  const as = `${entry}${run.played.length}`;
  if (entry === "challenge") {
    await run.request({ verb: "challenge", fields: { for: by }, as });
    await run.advance(ageMs);
    return (await run.request({ verb: "verify", fields: { challenge: `$${as}` } })).status === 200;
  }
  await run.request({ verb: "session", fields: { for: by } });
  const build = { verb: "build", fields: { by, key: `key-of-${as}` } } as const;
  if (entry === "build") await run.request(build);
  await run.advance(ageMs);
  return (await run.request(build)).status === 200;
}
