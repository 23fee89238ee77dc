/** Properties about time: the windows of drafts and keys, and the lifetimes of all entries. */
import fc from "fast-check";
import { type ExpiringOperation, LIFETIME_MS } from "../contract/constants.ts";
import { EXPIRED_KEY_RETENTION_MS } from "../contract/refusals.ts";
import type { Action, CheckedRun } from "./checked-run.ts";
import { property } from "./property.ts";
import { CORRUPTIONS, INPUTS, inputFields, SPELLINGS } from "./requests.ts";
import { Sequence } from "./sequence.ts";

const KEY = "key-number-1";

/** Ages of a draft, in ms: in its window, around its end, and while its key is kept. */
const AGES_MS = [
  0,
  1000,
  LIFETIME_MS.build - 1,
  LIFETIME_MS.build + 1,
  LIFETIME_MS.build * 2 - 1,
  LIFETIME_MS.build + EXPIRED_KEY_RETENTION_MS - 1,
];

export const windows = property({
  name: "windows",
  title: "a key returns its draft for 30 s after the first build, and then refuses, whatever comes between",
  tries:
    "builds under one key around the ends of its windows: retries, changed and invalid input, other sessions",
  rules: [
    "IDEMPOTENCY-5",
    "IDEMPOTENCY-10",
    "IDEMPOTENCY-13",
    "IDEMPOTENCY-14",
    "IDEMPOTENCY-16",
    "IDEMPOTENCY-51",
  ],
  needs: ["virtual-clock", "restart", "rawBody"],
  cases: 30,
  arbitrary: () =>
    fc.array(
      fc.record({
        ageMs: fc.constantFrom(...AGES_MS),
        fields: fc.oneof(
          fc.constant({}),
          fc.constantFrom(...INPUTS).map((input) => inputFields(input)),
          fc.constantFrom(...SPELLINGS),
          fc.constantFrom(...CORRUPTIONS),
        ),
        by: fc.constantFrom("alice", "alice", "alice", "bob"),
        repeat: fc.constantFrom(1, 1, 2, 4),
        newSession: fc.constantFrom(false, false, false, true),
      }),
      { minLength: 2, maxLength: 9 },
    ),
  calibrate: (run) => bisectLifetimes(run, ["build"]),
  play: (run, builds) => {
    const inOrder = builds.toSorted((one, other) => one.ageMs - other.ageMs);
    const actions = inOrder.flatMap(({ ageMs, fields, by, repeat, newSession }, index): readonly Action[] => {
      const build = { verb: "build", fields: { by, key: KEY, ...fields } } as const;
      return [
        { verb: "advance", ms: ageMs - (inOrder[index - 1]?.ageMs ?? 0) },
        ...(newSession ? [{ verb: "session", fields: { for: by } } as const] : []),
        ...new Array<Action>(repeat).fill(build),
      ];
    });
    const first: readonly Action[] = [
      { verb: "session", fields: { for: "bob" } },
      { verb: "build", fields: { by: "alice", key: KEY } },
    ];
    return run.play([...first, ...actions]);
  },
});

/** All entries that expire. */
export const ENTRIES: readonly ExpiringOperation[] = ["challenge", "verify", "build"];

/** A little more than the largest rounding of a clock. */
const MARGIN_MS = 2100;
/** More than a minute, so that the limiter allows a build. */
const PAUSE_MS = 62_000;

export const lifetimes = property({
  name: "lifetimes",
  title: "challenges, sessions and drafts all expire by one clock, to the millisecond of that clock",
  tries:
    "the age at which an entry expires, found by halving, with entries created at different fractions of a second",
  rules: ["CHALLENGE-20", "CHALLENGE-21", "SESSION-5", "SESSION-7", "IDEMPOTENCY-5", "IDEMPOTENCY-14"],
  needs: ["virtual-clock", "restart"],
  cases: 6,
  arbitrary: () =>
    fc.record({
      entry: fc.constantFrom(...ENTRIES),
      startMs: fc.constantFrom(0, 137, 403, 571, 998),
    }),
  startMs: ({ startMs }) => startMs,
  play: (run, { entry }) => bisectLifetimes(run, [entry]),
});

/**
 * Finds the age at which entries expire, by halving. Such a series of responses leaves only the service's own
 * clock as an explanation, so that the model notices a lifetime that is off by one millisecond.
 */
export async function bisectLifetimes(run: CheckedRun, entries: readonly ExpiringOperation[]): Promise<void> {
  const sequence = new Sequence(run);
  for (const entry of entries) {
    let [liveMs, expiredMs] = [LIFETIME_MS[entry] - MARGIN_MS, LIFETIME_MS[entry] + MARGIN_MS];
    while (expiredMs - liveMs > 1) {
      const ageMs = Math.floor((liveMs + expiredMs) / 2);
      // Each entry starts at another fraction of a second.
      await run.advance(PAUSE_MS + (ageMs % 997));
      if (await isLiveAt(sequence, entry, ageMs)) liveMs = ageMs;
      else expiredMs = ageMs;
    }
  }
}

async function isLiveAt(sequence: Sequence, entry: ExpiringOperation, ageMs: number): Promise<boolean> {
  const { checked } = sequence;
  const name = await sequence.challenge("alice");
  if (name === undefined) return false;
  if (entry === "challenge") {
    await checked.advance(ageMs);
    const { fields } = sequence.proof({ owner: "alice", name });
    return (await checked.request("verify", fields)).status === 200;
  }
  await sequence.verify({ owner: "alice", name });
  const build = await sequence.buildAction("alice", sequence.key("fresh"), {});
  if (build === undefined) return false;
  if (entry === "build") await checked.request("build", build.fields);
  await checked.advance(ageMs);
  return (await checked.request("build", build.fields)).status === 200;
}
