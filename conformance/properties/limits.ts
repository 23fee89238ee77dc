/** A creator gets all new builds of a minute, regardless of other requests by this or another creator. */
import fc from "fast-check";
import { BUILDS_PER_MINUTE } from "../contract/constants.ts";
import { RATE_WINDOW_MS } from "../contract/refusals.ts";
import type { Action } from "./checked-run.ts";

/** Builds that are not new: retries, changed input under a used key, and invalid input. */
const OTHER_BUILDS = [
  { key: "key-number-1" },
  { key: "key-number-1", name: "Other Coin" },
  { name: "" },
  { key: null },
  { bearer: null },
];

/** Draws builds of two creators and several sessions, with pauses near a minute and near parts of it. */
export const limits: fc.Arbitrary<readonly Action[]> = fc
  .array(
    fc.record({
      by: fc.constantFrom("alice", "alice", "alice", "bob"),
      newBuilds: fc.constantFrom(0, 1, 1, 2, BUILDS_PER_MINUTE, BUILDS_PER_MINUTE + 1),
      other: fc.option(fc.constantFrom(...OTHER_BUILDS)),
      otherTimes: fc.integer({ min: 1, max: 4 }),
      newSession: fc.constantFrom(false, false, false, true),
      thenWaitMs: fc.oneof(
        fc.constant(0),
        fc
          .constantFrom(RATE_WINDOW_MS / BUILDS_PER_MINUTE, RATE_WINDOW_MS / 2, RATE_WINDOW_MS)
          .chain((spanMs) => fc.constantFrom(-1, 0, 1).map((offsetMs) => spanMs + offsetMs)),
        fc.integer({ min: 1, max: 2 * RATE_WINDOW_MS }),
      ),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((rounds) => {
    const times = (count: number, action: Action) => new Array<Action>(count).fill(action);
    return [
      { verb: "build", fields: { by: "alice", key: "key-number-1" } },
      ...rounds.flatMap(({ by, newBuilds, other, otherTimes, newSession, thenWaitMs }) => [
        ...times(newSession ? 1 : 0, { verb: "session", fields: { for: by } }),
        ...times(newBuilds, { verb: "build", fields: { by } }),
        ...times(other === null ? 0 : otherTimes, { verb: "build", fields: { by, ...other } }),
        ...times(1, { verb: "build", fields: { by } }),
        ...times(1, { verb: "advance", ms: thenWaitMs }),
      ]),
    ];
  });

/** Pause between the builds around the end of a minute, in ms. */
const PROBE_MS = 250;
/** Number of builds: too few for another limit to explain a refusal. */
const PROBES = 9;

/**
 * Uses up the builds of two successive windows. Tries builds from 58.5 s and 117.5 s on. The first window can
 * start before the first build and then ends early, but the second one lasts a whole minute.
 */
export const minutes: readonly Action[] = [
  ...new Array<Action>(BUILDS_PER_MINUTE).fill({ verb: "build", fields: { by: "alice" } }),
  ...[58_500, 56_750].flatMap((ms): readonly Action[] => [
    { verb: "advance", ms },
    ...new Array<readonly Action[]>(PROBES)
      .fill([
        { verb: "build", fields: { by: "alice" } },
        { verb: "advance", ms: PROBE_MS },
      ])
      .flat(),
  ]),
];
