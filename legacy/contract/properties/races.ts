import fc from "fast-check";
import { formatOutcome } from "../../engine/outcome.ts";
import type { RaceVector } from "../../engine/search/in-flight.ts";
import { BUILDS_PER_MINUTE, OUTCOMES } from "../operations.ts";
import { ownText } from "../own-texts.ts";

/** Requests in flight together: which, and how many. */
export type Race =
  /** Honest proofs of one challenge. */
  | { readonly kind: "proofs"; readonly times: number }
  /** Builds of one input under one key; `before`: one was answered already. */
  | { readonly kind: "retries"; readonly times: number; readonly before: boolean }
  /** Builds of two inputs under one key, so many of each. */
  | { readonly kind: "inputs"; readonly times: number }
  /** New builds under a key each; `others`: another creator builds five at the same time. */
  | { readonly kind: "builds"; readonly times: number; readonly others: boolean };

/** Random races. */
export const races: fc.Arbitrary<Race> = fc.oneof(
  fc.record({ kind: fc.constant("proofs" as const), times: fc.integer({ min: 2, max: 5 }) }),
  fc.record({
    kind: fc.constant("retries" as const),
    times: fc.integer({ min: 2, max: 5 }),
    before: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("inputs" as const), times: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    kind: fc.constant("builds" as const),
    times: fc.integer({ min: BUILDS_PER_MINUTE + 1, max: BUILDS_PER_MINUTE + 3 }),
    others: fc.boolean(),
  }),
);

const KEY = "key-number-1";

/** A race as a vector, with the outcomes that the contract leaves it, whatever the order. */
export function raceVector(race: Race, label: string): RaceVector {
  return { id: `races-${race.kind}`, ...stepsOf(race, label) };
}

function stepsOf(race: Race, label: string): Omit<RaceVector, "id"> {
  const key = ownText(KEY, label);
  switch (race.kind) {
    case "proofs": {
      const tally = { 200: 1, [formatOutcome(OUTCOMES.spentChallenge)]: race.times - 1 };
      const together = { times: race.times, steps: [{ verify: { challenge: "$first" } }], tally };
      return { rules: ["CHALLENGE-71"], steps: [{ challenge: { for: "alice" }, as: "first" }, { together }] };
    }
    case "retries": {
      const build = { by: "alice", key };
      const names = Array.from({ length: race.times }, (_, index) => `build${index + 1}`);
      const together = { steps: names.map((as) => ({ build, as })), tally: { 200: race.times } };
      const first = race.before ? { build, as: "before" } : { session: { for: "alice" } };
      const equal = (race.before ? ["before", ...names] : names).slice(0, -1).map((name, index) => ({
        compare: { value: `$${name}`, equals: `$${(race.before ? ["before", ...names] : names)[index + 1]}` },
      }));
      return { rules: ["IDEMPOTENCY-70"], steps: [first, { together }, ...equal] };
    }
    case "inputs": {
      const build = { by: "alice", key };
      const steps = [{ build }, { build: { ...build, name: ownText("Other Coin", label) } }];
      const tally = { 200: race.times, [formatOutcome(OUTCOMES.conflict)]: race.times };
      return {
        rules: ["IDEMPOTENCY-71"],
        steps: [{ session: { for: "alice" } }, { together: { times: race.times, steps, tally } }],
      };
    }
    case "builds": {
      const own = { build: { by: "alice" } };
      const steps = Array.from({ length: race.times }, () => own);
      const others = race.others
        ? Array.from({ length: BUILDS_PER_MINUTE }, () => ({ build: { by: "bob" } }))
        : [];
      const tally = {
        200: BUILDS_PER_MINUTE + others.length,
        [formatOutcome(OUTCOMES.limited)]: race.times - BUILDS_PER_MINUTE,
      };
      const sessions = [{ session: { for: "alice" } }, ...(race.others ? [{ session: { for: "bob" } }] : [])];
      return {
        rules: race.others ? ["LIMIT-70", "LIMIT-71"] : ["LIMIT-70"],
        steps: [...sessions, { together: { steps: [...steps, ...others], tally } }],
      };
    }
  }
}
