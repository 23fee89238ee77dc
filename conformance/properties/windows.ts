/** A key returns its draft for 30 s and then refuses, regardless of the requests in between. */
import fc from "fast-check";
import { LIFETIME_MS } from "../contract/constants.ts";
import { EXPIRED_KEY_RETENTION_MS } from "../contract/refusals.ts";
import type { Action } from "./checked-run.ts";
import { CORRUPTIONS, INPUTS, inputFields, SPELLINGS } from "./requests.ts";

const KEY = "key-number-1";

/** Ages of a draft, in ms: within its retry window, around the end, and while its key is kept. */
const AGES_MS = [
  0,
  1000,
  LIFETIME_MS.build - 1,
  LIFETIME_MS.build + 1,
  LIFETIME_MS.build * 1.5,
  LIFETIME_MS.build + EXPIRED_KEY_RETENTION_MS - 1,
];

/** Draws builds under one key: retries, changed and invalid input, by two creators and several sessions. */
export const windows: fc.Arbitrary<readonly Action[]> = fc
  .array(
    fc.record({
      ageMs: fc.constantFrom(...AGES_MS),
      key: fc.constantFrom(KEY, KEY, KEY, KEY, KEY, KEY, KEY.toUpperCase()),
      fields: fc.oneof(
        { weight: 3, arbitrary: fc.constant({}) },
        fc.constantFrom(...INPUTS).map((input) => inputFields(input)),
        fc.constantFrom(...SPELLINGS),
        fc.constantFrom(...CORRUPTIONS),
      ),
      by: fc.constantFrom("alice", "alice", "alice", "bob"),
      repeat: fc.constantFrom(1, 1, 2, 4),
      newSession: fc.constantFrom(false, false, false, true),
    }),
    { minLength: 2, maxLength: 9 },
  )
  .map((builds) => {
    const inOrder = builds.toSorted((one, other) => one.ageMs - other.ageMs);
    return [
      { verb: "session", fields: { for: "bob" } },
      { verb: "build", fields: { by: "alice", key: KEY } },
      ...inOrder.flatMap(({ ageMs, key, fields, by, repeat, newSession }, index): readonly Action[] => [
        { verb: "advance", ms: ageMs - (inOrder[index - 1]?.ageMs ?? 0) },
        ...(newSession ? [{ verb: "session", fields: { for: by } } as const] : []),
        ...new Array<Action>(repeat).fill({ verb: "build", fields: { by, key, ...fields } }),
      ]),
    ];
  });
