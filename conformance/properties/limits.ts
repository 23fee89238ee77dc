/** property/limits: five new builds per minute. */
import fc from "fast-check";
import { BUILDS_PER_MINUTE } from "../contract/constants.ts";
import { RATE_WINDOW_MS } from "../contract/refusals.ts";
import type { Action } from "./checked-run.ts";
import { property } from "./property.ts";

/** Builds that are not new: retries, changed input under a used key, and invalid input. */
const OTHER_BUILDS = [
  { key: "key-number-1" },
  { key: "key-number-1", name: "Other Coin" },
  { name: "" },
  { key: null },
  { bearer: null },
];

const REFILL_MS = RATE_WINDOW_MS / BUILDS_PER_MINUTE;

export const limits = property({
  name: "limits",
  title: "a creator gets five new builds per minute, whatever else the creator or others send",
  tries:
    "builds of two creators and several sessions with pauses around the ends of a minute and a fifth of it",
  rules: ["LIMIT-5", "LIMIT-6", "LIMIT-8", "LIMIT-9", "LIMIT-10", "LIMIT-11", "LIMIT-12", "LIMIT-30"],
  needs: ["virtual-clock", "restart"],
  cases: 30,
  arbitrary: () =>
    fc.array(
      fc.record({
        by: fc.constantFrom("alice", "alice", "alice", "bob"),
        newBuilds: fc.constantFrom(0, 1, 1, 2, BUILDS_PER_MINUTE, BUILDS_PER_MINUTE + 1),
        other: fc.option(fc.constantFrom(...OTHER_BUILDS)),
        otherTimes: fc.integer({ min: 1, max: 4 }),
        newSession: fc.constantFrom(false, false, false, true),
        thenWaitMs: fc.oneof(
          fc.constant(0),
          fc
            .constantFrom(REFILL_MS, RATE_WINDOW_MS / 2, RATE_WINDOW_MS)
            .chain((spanMs) => fc.constantFrom(-1, 0, 1).map((offsetMs) => spanMs + offsetMs)),
          fc.integer({ min: 1, max: 2 * RATE_WINDOW_MS }),
        ),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  play: (run, rounds) => {
    const first: Action = { verb: "build", fields: { by: "alice", key: "key-number-1" } };
    const actions = rounds.flatMap(({ by, newBuilds, other, otherTimes, newSession, thenWaitMs }) => {
      const build: Action = { verb: "build", fields: { by } };
      const others: readonly Action[] =
        other === null ? [] : new Array<Action>(otherTimes).fill({ verb: "build", fields: { by, ...other } });
      const session: readonly Action[] = newSession ? [{ verb: "session", fields: { for: by } }] : [];
      const wait: Action = { verb: "advance", ms: thenWaitMs };
      return [...session, ...new Array<Action>(newBuilds).fill(build), ...others, build, wait];
    });
    return run.play([first, ...actions]);
  },
});
