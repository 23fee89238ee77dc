/** Each refusal code comes only with its reason, even if a request has several faults. */
import fc from "fast-check";
import type { Fields } from "../adapters/json.ts";
import { LIFETIME_MS } from "../contract/constants.ts";
import type { Action } from "./checked-run.ts";
import { property } from "./property.ts";
import { CORRUPTIONS, PROOF_FAULTS, PROOFS, proofFields } from "./requests.ts";

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

/** Draws a challenge, a proof and builds with several faults each, under used, expired and new keys. */
export const codes: fc.Arbitrary<readonly Action[]> = fc
  .record({
    challenge: several(CHALLENGE_FAULTS),
    proof: fc.constantFrom(...PROOFS),
    builds: fc.array(several(CORRUPTIONS), { minLength: 1, maxLength: 4 }),
    isKeyUsed: fc.boolean(),
    waitMs: fc.constantFrom(0, 0, LIFETIME_MS.build + 1, LIFETIME_MS.verify + 1),
  })
  .map(({ challenge, proof, builds, isKeyUsed, waitMs }) => {
    const fields = { by: "alice", session: "$session1", key: "key-number-1" };
    const used: Action = { verb: "build", fields };
    return [
      { verb: "challenge", fields: { for: "bob", ...challenge } },
      { verb: "challenge", fields: { for: "bob" }, as: "challenge1" },
      { verb: "verify", fields: proofFields("challenge1", proof, "alice") },
      { verb: "session", fields: { for: "alice" }, as: "session1" },
      ...(isKeyUsed ? [used] : []),
      { verb: "advance", ms: waitMs },
      ...builds.map((faults): Action => ({ verb: "build", fields: { ...fields, ...faults } })),
      used,
    ];
  });

/** Returns each pair of faults, merged. Skips pairs for the same field, which would have only one fault. */
function pairsOf(faults: readonly Fields[]): readonly Fields[] {
  return faults.flatMap((one, index) =>
    faults
      .slice(index + 1)
      .filter((other) => !Object.keys(other).some((name) => name in one))
      .map((other) => ({ ...one, ...other })),
  );
}

/** Splits requests into cases of at most four, so that the build limit refuses none of them. */
function casesOf(start: readonly Action[], requests: readonly (readonly Action[])[]) {
  const cases: (readonly Action[])[] = [];
  for (let index = 0; index < requests.length; index += 4)
    cases.push([...start, ...requests.slice(index, index + 4).flat()]);
  return cases;
}

const challengeOfBob: Action = { verb: "challenge", fields: { for: "bob" }, as: "challenge1" };
const sessionOfAlice: Action = { verb: "session", fields: { for: "alice" }, as: "session1" };

export const pairs = property({
  name: "pairs",
  title: "a request with two faults is refused with a code of one of them",
  tries: "each pair of faults of a challenge, of a proof, and of a build",
  rules: ["ERROR-1", "ERROR-2"],
  needs: ["rawBody"],
  casesPerRun: 0,
  draw: () => fc.constant([]),
  examples: [
    ...casesOf(
      [],
      pairsOf(CHALLENGE_FAULTS).map((faults): readonly Action[] => [
        { verb: "challenge", fields: { for: "bob", ...faults } },
      ]),
    ),
    ...casesOf(
      [],
      pairsOf(PROOF_FAULTS).map((faults): readonly Action[] => [
        challengeOfBob,
        { verb: "verify", fields: { challenge: "$challenge1", ...faults } },
      ]),
    ),
    ...casesOf(
      [sessionOfAlice],
      pairsOf(CORRUPTIONS).map((faults): readonly Action[] => [
        { verb: "build", fields: { by: "alice", session: "$session1", key: "key-number-1", ...faults } },
      ]),
    ),
  ],
});
