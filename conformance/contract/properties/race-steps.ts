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

type Entry = Readonly<Record<string, unknown>>;

const KEY = "key-number-1";

/** A race as the steps of a vector, with the outcomes that the contract leaves it, whatever the order. */
export function raceSteps(race: Race): {
  readonly rules: readonly string[];
  readonly steps: readonly Entry[];
} {
  switch (race.kind) {
    case "proofs": {
      const tally = { 200: 1, "401 EXPIRED_OR_USED_CHALLENGE": race.times - 1 };
      const together = { times: race.times, steps: [{ verify: { challenge: "$first" } }], tally };
      return { rules: ["CHALLENGE-22"], steps: [{ challenge: { for: "alice" }, as: "first" }, { together }] };
    }
    case "retries": {
      const build = { by: "alice", key: KEY };
      const names = Array.from({ length: race.times }, (_, index) => `build${index + 1}`);
      const together = { steps: names.map((as) => ({ build, as })), tally: { 200: race.times } };
      const first = race.before ? { build, as: "before" } : { session: { for: "alice" } };
      const equal = (race.before ? ["before", ...names] : names).slice(0, -1).map((name, index) => ({
        compare: { value: `$${name}`, equals: `$${(race.before ? ["before", ...names] : names)[index + 1]}` },
      }));
      return { rules: ["IDEMPOTENCY-5"], steps: [first, { together }, ...equal] };
    }
    case "inputs": {
      const build = { by: "alice", key: KEY };
      const steps = [{ build }, { build: { ...build, name: "Other Coin" } }];
      const tally = { 200: race.times, "409 IDEMPOTENCY_CONFLICT": race.times };
      return {
        rules: ["IDEMPOTENCY-10"],
        steps: [{ session: { for: "alice" } }, { together: { times: race.times, steps, tally } }],
      };
    }
    case "builds": {
      const own = { build: { by: "alice" } };
      const steps = Array.from({ length: race.times }, () => own);
      const others = race.others ? Array.from({ length: 5 }, () => ({ build: { by: "bob" } })) : [];
      const tally = { 200: 5 + others.length, "429 OFFLINE_RATE_LIMIT": race.times - 5 };
      const sessions = [{ session: { for: "alice" } }, ...(race.others ? [{ session: { for: "bob" } }] : [])];
      return {
        rules: ["LIMIT-6"],
        steps: [...sessions, { together: { steps: [...steps, ...others], tally } }],
      };
    }
  }
}
