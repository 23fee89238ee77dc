/** property/challenges: which proofs of which challenges open a session, and when. */
import fc from "fast-check";
import { LIFETIME_MS } from "../contract/constants.ts";
import type { Action } from "./checked-run.ts";
import { property } from "./property.ts";
import { PROOFS, proofFields } from "./requests.ts";
import { bisectLifetimes } from "./windows.ts";

const OWNERS = ["alice", "alice", "alice", "bob"] as const;

export const challenges = property({
  name: "challenges",
  title: "a challenge opens one session, within 60 s, by a valid proof; each proof uses only its challenge",
  tries:
    "proofs of four challenges by two creators, valid or not, in any order, around the expiry or a restart",
  rules: [
    "CHALLENGE-20",
    "CHALLENGE-21",
    "CHALLENGE-22",
    "CHALLENGE-23",
    "CHALLENGE-24",
    "CHALLENGE-25",
    "VERIFY-8",
  ],
  needs: ["virtual-clock", "restart"],
  cases: 30,
  arbitrary: () =>
    fc.record({
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
    }),
  calibrate: (run) => bisectLifetimes(run, ["challenge"]),
  play: (run, { gapMs, ageMs, proofs, restart }) => {
    const used = [...OWNERS.keys()].filter((index) => proofs.some(({ of }) => of === index));
    const requested = used.flatMap((index): readonly Action[] => [
      { verb: "challenge", fields: { for: OWNERS[index] ?? "" }, as: `challenge${index}` },
      { verb: "advance", ms: gapMs },
    ]);
    const proven = proofs.flatMap(({ of, proof, afterMs }): readonly Action[] => {
      const other = OWNERS[of] === "alice" ? "bob" : "alice";
      return [
        { verb: "verify", fields: proofFields(`challenge${of}`, proof, other) },
        { verb: "advance", ms: afterMs },
      ];
    });
    const between: readonly Action[] = restart
      ? [{ verb: "restart" }, { verb: "challenge", fields: { for: "alice" } }]
      : [];
    const waitMs = Math.max(0, ageMs - used.length * gapMs);
    return run.play([...requested, { verb: "advance", ms: waitMs }, ...between, ...proven]);
  },
});
