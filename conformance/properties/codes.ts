/** Each refusal code comes only with its reason, also if a request has several faults. */
import fc from "fast-check";
import type { Fields } from "../adapters/json.ts";
import { LIFETIME_MS } from "../contract/constants.ts";
import type { Action } from "./checked-run.ts";
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
