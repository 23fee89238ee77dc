/** property/races: concurrent requests get the same responses as in some sequential order. */
import fc from "fast-check";
import { BUILDS_PER_MINUTE } from "../contract/constants.ts";
import { type Action, build, challenge, type RequestAction, session, verify } from "./actions.ts";
import type { Cases } from "./property.ts";

const OF_ONE_KEY = build({ key: "key-number-1" });
const VALID = verify("challenge1", "valid", "alice");

/** Requests that compete for a challenge, a key or the build limit, and requests of another creator. */
const COMPETING: readonly (readonly RequestAction[])[] = [
  [VALID, VALID, verify("challenge1", "flipped bit", "alice"), verify("challenge2", "valid", "bob")],
  [OF_ONE_KEY, OF_ONE_KEY, build({ key: "key-number-1", name: "Other Coin" })],
  [build(), build(), build(), build({ by: "bob" })],
];

const PREPARATION: readonly Action[] = [
  challenge("alice", "challenge1"),
  challenge("bob", "challenge2"),
  session("alice"),
  session("bob"),
];

export const races: Cases = {
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
};
