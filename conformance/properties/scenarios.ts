/** property/scenarios: short series of requests about one topic each. */
import fc from "fast-check";
import { BUILDS_PER_MINUTE, LIFETIME_MS } from "../contract/constants.ts";
import { EXPIRED_KEY_RETENTION_MS, RATE_WINDOW_MS } from "../contract/refusals.ts";
import {
  type Action,
  advance,
  build,
  CORRUPTIONS,
  challenge,
  INPUTS,
  inputFields,
  PROOFS,
  pick,
  SPELLINGS,
  session,
  verify,
} from "./actions.ts";
import { codes } from "./codes.ts";
import type { Cases } from "./property.ts";

const KEY = "key-number-1";

function times(count: number, ...actions: readonly Action[]): readonly Action[] {
  return new Array<readonly Action[]>(count).fill(actions).flat();
}

const OWNERS = ["alice", "alice", "alice", "bob"] as const;

/** Draws valid and invalid proofs by two creators, in any order, around the expiry or a restart. */
const challenges: fc.Arbitrary<readonly Action[]> = fc
  .record({
    /** Time between two challenges. */
    gapMs: fc.constantFrom(0, 1, 1000, 20_000),
    /** Minimum time between the first challenge and the first proof. */
    ageMs: fc.constantFrom(
      ...[0, 1, LIFETIME_MS.challenge - 1, LIFETIME_MS.challenge + 1, LIFETIME_MS.challenge * 2],
    ),
    proofs: fc.array(
      fc.record({
        of: fc.nat(OWNERS.length - 1),
        proof: fc.oneof(fc.constant("valid" as const), fc.constantFrom(...PROOFS)),
        afterMs: fc.constantFrom(0, 0, 0, 1, 30_000),
      }),
      { minLength: 2, maxLength: 8 },
    ),
    restart: pick([3, false], [1, true]),
  })
  .map(({ gapMs, ageMs, proofs, restart }) => {
    const used = [...OWNERS.entries()].filter(([index]) => proofs.some(({ of }) => of === index));
    return [
      ...used.flatMap(([index, owner]) => [challenge(owner, `challenge${index}`), advance(gapMs)]),
      advance(ageMs - used.length * gapMs),
      ...times(restart ? 1 : 0, { verb: "restart" }, challenge("alice")),
      ...proofs.flatMap(({ of, proof, afterMs }) => [
        verify(`challenge${of}`, proof, OWNERS[of] ?? ""),
        advance(afterMs),
      ]),
    ];
  });

/** Ages of a draft, in ms: within its retry window, around the end of it, and while its key is kept. */
const AGES_MS = [
  ...[0, 1000, LIFETIME_MS.build - 1, LIFETIME_MS.build + 1, LIFETIME_MS.build * 1.5],
  LIFETIME_MS.build + EXPIRED_KEY_RETENTION_MS - 1,
];

/** Draws builds under one key: retries, changed and invalid input, by two creators and several sessions. */
const windows: fc.Arbitrary<readonly Action[]> = fc
  .array(
    fc.record({
      ageMs: fc.constantFrom(...AGES_MS),
      key: pick([6, KEY], [1, KEY.toUpperCase()]),
      fields: fc.oneof(
        { weight: 3, arbitrary: fc.constant({}) },
        fc.constantFrom(...INPUTS).map((input) => inputFields(input)),
        fc.constantFrom(...SPELLINGS),
        fc.constantFrom(...CORRUPTIONS),
      ),
      by: pick([3, "alice"], [1, "bob"]),
      repeat: fc.constantFrom(1, 1, 2, 4),
      newSession: pick([3, false], [1, true]),
    }),
    { minLength: 2, maxLength: 9 },
  )
  .map((builds) => {
    const inOrder = builds.toSorted((one, other) => one.ageMs - other.ageMs);
    return [
      session("bob"),
      build({ key: KEY }),
      ...inOrder.flatMap(({ ageMs, key, fields, by, repeat, newSession }, index) => [
        advance(ageMs - (inOrder[index - 1]?.ageMs ?? 0)),
        ...times(newSession ? 1 : 0, session(by)),
        ...times(repeat, build({ by, key, ...fields })),
      ]),
    ];
  });

/** Builds that are not new: retries, changed input under a used key, and invalid input. */
const OTHER_BUILDS = [
  { key: KEY },
  { key: KEY, name: "Other Coin" },
  { name: "" },
  { key: null },
  { bearer: null },
];

/** Draws builds of two creators and several sessions, with pauses of about a minute or a part of it. */
const limits: fc.Arbitrary<readonly Action[]> = fc
  .array(
    fc.record({
      by: pick([3, "alice"], [1, "bob"]),
      newBuilds: fc.constantFrom(0, 1, 1, 2, BUILDS_PER_MINUTE, BUILDS_PER_MINUTE + 1),
      other: fc.option(fc.constantFrom(...OTHER_BUILDS)),
      otherTimes: fc.integer({ min: 1, max: 4 }),
      newSession: pick([3, false], [1, true]),
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
  .map((rounds) => [
    build({ key: KEY }),
    ...rounds.flatMap(({ by, newBuilds, other, otherTimes, newSession, thenWaitMs }) => [
      ...times(newSession ? 1 : 0, session(by)),
      ...times(newBuilds, build({ by })),
      ...times(other === null ? 0 : otherTimes, build({ by, ...other })),
      build({ by }),
      advance(thenWaitMs),
    ]),
  ]);

/** Pause between the builds around the end of a minute, in ms. */
const PROBE_MS = 250;
/** Number of those builds. With more, a limit other than the build limit could explain a refusal. */
const PROBES = 9;

/**
 * Uses up the builds of two successive windows, and tries builds around the end of each window: from 58.5 s
 * and from 117.5 s on. The first window may end early, because it can start before the first build. The
 * second window lasts a whole minute.
 */
const minutes: readonly Action[] = [
  ...times(BUILDS_PER_MINUTE, build()),
  ...[58_500, 56_750].flatMap((ms) => [advance(ms), ...times(PROBES, build(), advance(PROBE_MS))]),
];

export const scenarios: Cases = {
  casesPerRun: 2.5,
  examples: [minutes],
  draw: () => fc.oneof(challenges, windows, limits, codes),
};
