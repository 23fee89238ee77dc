/** property/codes: each refusal code comes only with its reason, also if a request has several faults. */
import fc from "fast-check";
import type { Fields } from "../adapters/json.ts";
import type { Action } from "./checked-run.ts";
import { property } from "./property.ts";
import { CORRUPTIONS, PROOFS, proofFields } from "./requests.ts";

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

/** Draws up to three sets of fields, merged. */
function several(fields: readonly Fields[]): fc.Arbitrary<Fields> {
  return fc
    .array(fc.constantFrom(...fields), { maxLength: 3 })
    .map((drawn) => Object.assign({}, ...drawn) as Fields);
}

export const codes = property({
  name: "codes",
  title: "each refusal code comes only with its reason, also if a request has several faults",
  tries: "a challenge, a proof and builds with up to three faults each, under used, expired and new keys",
  rules: [
    "ERROR-3",
    "ERROR-4",
    "ERROR-5",
    "ERROR-6",
    "ERROR-7",
    "ERROR-11",
    "ERROR-12",
    "ERROR-14",
    "ERROR-16",
  ],
  needs: ["virtual-clock", "restart", "rawBody"],
  cases: 60,
  arbitrary: () =>
    fc.record({
      challenge: several(CHALLENGE_FAULTS),
      proof: fc.constantFrom(...PROOFS),
      builds: fc.array(several(CORRUPTIONS), { minLength: 1, maxLength: 4 }),
      isKeyUsed: fc.boolean(),
      waitMs: fc.constantFrom(0, 0, 30_001, 3_600_001),
    }),
  play: (run, { challenge, proof, builds, isKeyUsed, waitMs }) => {
    const key = "key-number-1";
    const used: Action = { verb: "build", fields: { by: "alice", session: "$session1", key } };
    const actions: readonly Action[] = [
      { verb: "challenge", fields: { for: "bob", ...challenge } },
      { verb: "challenge", fields: { for: "bob" }, as: "challenge1" },
      { verb: "verify", fields: proofFields("challenge1", proof, "alice") },
      { verb: "session", fields: { for: "alice" }, as: "session1" },
      ...(isKeyUsed ? [used] : []),
      { verb: "advance", ms: waitMs },
      ...builds.map((fields) => ({ ...used, fields: { ...used.fields, ...fields } })),
      used,
    ];
    return run.play(actions);
  },
});
