import assert from "node:assert/strict";
import { test } from "node:test";
import type { Letter } from "./alphabet.ts";
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
  let most = 0;
  for (const round of shared) {
    const parts = round.map((letters) => partsOf(letters).between);
    for (let part = 1; part < (parts[0]?.length ?? 0); part++) {
      const places = parts.reduce((sum, between) => sum + placesTaken(between[part] ?? []), 0);
      assert.ok(places <= 5, JSON.stringify(round));
      most = Math.max(most, places);
    }
  }
  assert.equal(most, 5);
});

/** How many builds of a minute a part takes: a second build under one creator's key is a retry. */
function placesTaken(letters: readonly Letter[]): number {
  const keys = letters.flatMap((letter) => (letter.kind === "build" ? [`${letter.who} ${letter.key}`] : []));
  const others = letters.filter(({ kind }) => kind === "stale" || kind === "invalid");
  const spent = letters.filter(({ kind }) => kind === "spend");
  return new Set(keys).size + others.length + 4 * spent.length;
}

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
