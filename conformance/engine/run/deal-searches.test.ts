import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_DEPTH, DEFAULT_RUNS } from "../search/default-runs.ts";
import { type Deal, type Dealt, dealSearches } from "./deal-searches.ts";
import { stretchOf } from "./shard.ts";

const USUAL = { vectorsAsTheyCome: true, lanes: 1, runs: DEFAULT_RUNS, exhaustive: DEFAULT_DEPTH };

/** What each of so many parts is dealt. */
function deals(of: number, given: Omit<Dealt, "shard"> = USUAL): readonly Deal[] {
  return Array.from({ length: of }, (_, place) =>
    dealSearches({ ...given, shard: { index: place + 1, of } }),
  );
}

/** How many of so many things each part has; fails where they do not follow on each other to the end. */
function counts(dealt: readonly Deal[], kind: "atRandom" | "everySequence", count: number) {
  let next = 0;
  const own = dealt.map((deal) => {
    const stretch = stretchOf(count, deal[kind] ?? { index: 1, of: 1 });
    if (stretch.count > 0) assert.equal(stretch.from, next, kind);
    next += stretch.count;
    return stretch.count;
  });
  assert.equal(next, count, kind);
  return own;
}

for (const of of [1, 2, 3, 4, 7, 8])
  test(`${of} threads of a usual run share out each search, in their order`, () => {
    const dealt = deals(of);
    for (const count of [0, 1, 24, 493]) {
      const atRandom = counts(dealt, "atRandom", count);
      const sequences = counts(dealt, "everySequence", count);
      for (const [place, own] of sequences.entries()) assert.ok(place % 2 === 0 || own === 0);
      // Who has all the sequences that there are for it has the fewest cases.
      for (const [place, own] of atRandom.entries())
        assert.ok(place === 0 || place % 2 === 0 || own >= (atRandom[place - 1] ?? 0));
    }
    assert.ok(dealt.every(({ searchesFirst }) => searchesFirst === of > 1));
  });

for (const [what, given] of Object.entries<Partial<Dealt>>({
  "more cases than usual": { runs: DEFAULT_RUNS + 1 },
  "longer sequences than usual": { exhaustive: DEFAULT_DEPTH + 1 },
  "several services at once": { lanes: 2 },
  "vectors that are dealt out beforehand": { vectorsAsTheyCome: false },
}))
  test(`${what}: every part has a stretch of each search, after the vectors`, () => {
    const dealt = deals(2, { ...USUAL, ...given });
    assert.deepEqual(counts(dealt, "atRandom", 24), [12, 12]);
    assert.deepEqual(counts(dealt, "everySequence", 24), [12, 12]);
    assert.ok(dealt.every(({ searchesFirst }) => !searchesFirst));
  });

test("a run that nobody shares does all of both", () => {
  assert.deepEqual(dealSearches(USUAL), { searchesFirst: false });
});
