/** Cases about refusal codes: a refusal has the right code, even if the request has several faults. */
import fc from "fast-check";
import { LIFETIME_MS } from "../contract/constants.ts";
import type { Fields } from "../data/json.ts";
import {
  type Action,
  advance,
  build,
  CORRUPTIONS,
  challenge,
  PROOF_FAULTS,
  PROOFS,
  session,
  verify,
} from "./actions.ts";
import type { Cases } from "./property.ts";

const CHALLENGE_FAULTS: readonly Fields[] = [
  { creator: "0OIl".repeat(9) },
  { creator: 7 },
  { termsHash: "0".repeat(64) },
  { termsHash: "none" },
  { omit: ["termsHash"] },
  { extra: { note: "" } },
  { body: "{" },
  { body: "[]" },
];

/** Draws up to three sets of fields, and merges them. */
function several(fields: readonly Fields[]): fc.Arbitrary<Fields> {
  return fc
    .array(fc.constantFrom(...fields), { maxLength: 3 })
    .map((drawn) => Object.assign({}, ...drawn) as Fields);
}

const challengeOfBob = challenge("bob", "challenge1");
const sessionOfAlice = session("alice", "session1");
const USUAL = { session: "$session1", key: "key-number-1" };

/** Draws a challenge, a proof and builds with several faults each, under used, expired and new keys. */
export const codes: fc.Arbitrary<readonly Action[]> = fc
  .record({
    faults: several(CHALLENGE_FAULTS),
    proof: fc.constantFrom(...PROOFS),
    builds: fc.array(several(CORRUPTIONS), { minLength: 1, maxLength: 4 }),
    isKeyUsed: fc.boolean(),
    waitMs: fc.constantFrom(0, 0, LIFETIME_MS.build + 1, LIFETIME_MS.verify + 1),
  })
  .map(({ faults, proof, builds, isKeyUsed, waitMs }) => [
    { verb: "challenge", fields: { for: "bob", ...faults } },
    challengeOfBob,
    verify("challenge1", proof, "bob"),
    sessionOfAlice,
    ...(isKeyUsed ? [build(USUAL)] : []),
    advance(waitMs),
    ...builds.map((fields) => build({ ...USUAL, ...fields })),
    build(USUAL),
  ]);

/** Returns each pair of faults, merged. Skips two faults of one field, because only one would remain. */
function pairsOf(faults: readonly Fields[]): readonly Fields[] {
  return faults.flatMap((one, index) =>
    faults
      .slice(index + 1)
      .filter((other) => !Object.keys(other).some((name) => name in one))
      .map((other) => ({ ...one, ...other })),
  );
}

/**
 * Returns requests with each pair of these faults, in cases of at most four pairs, so that the build limit
 * refuses none of them.
 * @param start actions at the start of each case
 */
function casesOf(
  faults: readonly Fields[],
  requestsWith: (pair: Fields) => readonly Action[],
  start: readonly Action[] = [],
): readonly (readonly Action[])[] {
  const pairs = pairsOf(faults);
  return pairs.flatMap((_, index) => {
    const inCase = pairs.slice(index, index + 4);
    return index % 4 === 0 ? [[...start, ...inCase.flatMap(requestsWith)]] : [];
  });
}

export const pairs: Cases = {
  casesPerRun: 0,
  draw: () => fc.constant([]),
  examples: [
    ...casesOf(CHALLENGE_FAULTS, (pair) => [{ verb: "challenge", fields: { for: "bob", ...pair } }]),
    ...casesOf(PROOF_FAULTS, (pair) => [
      challengeOfBob,
      { verb: "verify", fields: { challenge: "$challenge1", ...pair } },
    ]),
    ...casesOf(CORRUPTIONS, (pair) => [build({ ...USUAL, ...pair })], [sessionOfAlice]),
  ],
};
