import assert from "node:assert/strict";
import { test } from "node:test";
import { everySequence } from "./every-sequence.ts";
import { partsOf, rounds } from "./rounds.ts";

const sequences = [...everySequence(4)];
const played = rounds(sequences);
const shared = played.filter(({ length }) => length > 1);

test("rounds leave nothing out and play nothing twice", () => {
  const written = (all: readonly (readonly object[])[]) =>
    all.map((letters) => JSON.stringify(letters)).sort();
  assert.deepEqual(written(played.flat()), written(sequences));
});

test("sequences of a round share what ends their sessions, in its order", () => {
  assert.ok(shared.length > 200, String(shared.length));
  for (const round of shared) {
    const ends = round.map((letters) => JSON.stringify(partsOf(letters).ends));
    assert.equal(new Set(ends).size, 1);
    assert.notEqual(ends[0], "[]");
  }
});

test("nobody's proof opens a session for the others of a round", () => {
  for (const letters of shared.flat()) assert.ok(letters.every(({ kind }) => kind !== "prove"));
});

test("what follows an end leaves room for all within the five builds of a minute", () => {
  for (const round of shared) {
    const builds = round.flatMap((letters) => partsOf(letters).between.slice(1).flat());
    const keys = builds.filter(({ kind }) => kind === "build" || kind === "spend" || kind === "stale");
    const spent = keys.reduce((sum, { kind }) => sum + (kind === "spend" ? 4 : 1), 0);
    assert.ok(spent <= 2 * 5, JSON.stringify(round));
  }
});

test("a sequence taken apart has all of its letters, in their order", () => {
  for (const letters of sequences) {
    const { between, ends } = partsOf(letters);
    assert.equal(between.length, ends.length + 1);
    assert.deepEqual(
      between.flatMap((part, index) => [...part, ...ends.slice(index, index + 1)]),
      letters,
    );
  }
});
