/** A challenge opens one session, within 60 s, by a valid proof. Each proof uses only its own challenge. */
import fc from "fast-check";
import { LIFETIME_MS } from "../contract/constants.ts";
import type { Action } from "./checked-run.ts";
import { PROOFS, proofFields } from "./requests.ts";

const OWNERS = ["alice", "alice", "alice", "bob"] as const;

/** Draws proofs of challenges by two creators, valid or not, in any order, around the expiry or a restart. */
export const challenges: fc.Arbitrary<readonly Action[]> = fc
  .record({
    /** Time between two challenges. */
    gapMs: fc.constantFrom(0, 1, 1000, 20_000),
    /** Time after the first challenge at which the proofs start. */
    ageMs: fc.constantFrom(
      0,
      1,
      LIFETIME_MS.challenge - 1,
      LIFETIME_MS.challenge + 1,
      LIFETIME_MS.challenge * 2,
    ),
    proofs: fc.array(
      fc.record({
        of: fc.nat(OWNERS.length - 1),
        proof: fc.oneof(fc.constant("valid" as const), fc.constantFrom(...PROOFS)),
        afterMs: fc.constantFrom(0, 0, 0, 1, 30_000),
      }),
      { minLength: 2, maxLength: 8 },
    ),
    restart: fc.constantFrom(false, false, false, true),
  })
  .map(({ gapMs, ageMs, proofs, restart }) => {
    const used = [...OWNERS.keys()].filter((index) => proofs.some(({ of }) => of === index));
    const requested = used.flatMap((index): readonly Action[] => [
      { verb: "challenge", fields: { for: OWNERS[index] ?? "" }, as: `challenge${index}` },
      { verb: "advance", ms: gapMs },
    ]);
    const between: readonly Action[] = restart
      ? [{ verb: "restart" }, { verb: "challenge", fields: { for: "alice" } }]
      : [];
    const proven = proofs.flatMap(({ of, proof, afterMs }): readonly Action[] => [
      {
        verb: "verify",
        fields: proofFields(`challenge${of}`, proof, OWNERS[of] === "alice" ? "bob" : "alice"),
      },
      { verb: "advance", ms: afterMs },
    ]);
    return [...requested, { verb: "advance", ms: ageMs - used.length * gapMs }, ...between, ...proven];
  });
