/** property/races: concurrent requests get the responses that they would get in some order. */
import fc from "fast-check";
import type { Fields } from "../adapters/json.ts";
import { BUILDS_PER_MINUTE } from "../contract/constants.ts";
import type { Action, RequestAction } from "./checked-run.ts";
import { property } from "./property.ts";
import { type ProofName, proofFields } from "./requests.ts";

const prove = (challenge: string, proof: ProofName, other: string): RequestAction => {
  return { verb: "verify", fields: proofFields(challenge, proof, other) };
};
const build = (fields: Fields): RequestAction => ({ verb: "build", fields: { by: "alice", ...fields } });

const OF_ONE_KEY = build({ key: "key-number-1" });
const VALID = prove("challenge1", "valid", "bob");

/** Requests that compete for a challenge, a key or the limit, and some of another creator. */
const COMPETING: readonly (readonly RequestAction[])[] = [
  [VALID, VALID, prove("challenge1", "flipped bit", "bob"), prove("challenge2", "valid", "alice")],
  [OF_ONE_KEY, OF_ONE_KEY, build({ key: "key-number-1", name: "Other Coin" })],
  [build({}), build({}), build({}), build({ by: "bob" })],
];

const PREPARATION: readonly Action[] = [
  { verb: "challenge", fields: { for: "alice" }, as: "challenge1" },
  { verb: "challenge", fields: { for: "bob" }, as: "challenge2" },
  { verb: "session", fields: { for: "alice" } },
  { verb: "session", fields: { for: "bob" } },
];

export const races = property({
  name: "races",
  title: "concurrent requests get the responses that they would get one after the other, in some order",
  tries: "proofs of one challenge, builds under one key, or new builds of two creators, all at once",
  rules: ["CHALLENGE-71", "IDEMPOTENCY-70", "IDEMPOTENCY-71", "LIMIT-70", "LIMIT-71"],
  needs: ["concurrency"],
  casesPerRun: 0.5,
  draw: () => {
    const length = { minLength: 2, maxLength: BUILDS_PER_MINUTE + 3 };
    const requests = fc
      .constantFrom(...COMPETING)
      .chain((competing) => fc.array(fc.constantFrom(...competing), length));
    return fc.tuple(requests, fc.boolean()).map(([drawn, isBuilt]): readonly Action[] => {
      const named = drawn.map((request, index) => ({ ...request, as: `request${index}` }));
      const before = isBuilt ? [...PREPARATION, OF_ONE_KEY] : PREPARATION;
      return [...before, { verb: "together", requests: named }, ...drawn.slice(0, 1)];
    });
  },
});
