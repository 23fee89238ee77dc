import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILDS_PER_MINUTE } from "../operations.ts";
import type { Command } from "./command.ts";
import { everySequence } from "./every-sequence.ts";
import { endsSessions, roundsOf } from "./rounds.ts";

const sequences = [...everySequence(4)];
const played = roundsOf(sequences);
const shared = played.filter(({ length }) => length > 1);

test("rounds leave nothing out and play nothing twice", () => {
  const written = (all: readonly (readonly object[])[]) =>
    all.map((sequence) => JSON.stringify(sequence)).sort();
  assert.deepEqual(written(played.flat()), written(sequences));
});

test("sequences of a round share what ends their sessions, in its order", () => {
  assert.ok(shared.length > 200, String(shared.length));
  for (const round of shared) {
    const ends = round.map((sequence) => JSON.stringify(sequence.filter(endsSessions)));
    assert.equal(new Set(ends).size, 1);
    assert.notEqual(ends[0], "[]");
  }
});

test("nobody's proof opens a session for the others of a round", () => {
  for (const sequence of shared.flat())
    assert.ok(sequence.every((command: Command) => command.do !== "verify"));
});

test("what follows an end leaves room for all within the five builds of a minute", () => {
  let most = 0;
  for (const round of shared) {
    const parts = round.map(partsOf);
    for (let part = 1; part < (parts[0]?.length ?? 0); part++) {
      const places = parts.reduce((sum, sequence) => sum + placesTaken(sequence[part] ?? []), 0);
      assert.ok(places <= BUILDS_PER_MINUTE, JSON.stringify(round));
      most = Math.max(most, places);
    }
  }
  assert.equal(most, BUILDS_PER_MINUTE);
});

/** The commands of a sequence between those that end sessions. */
function partsOf(sequence: readonly Command[]): readonly (readonly Command[])[] {
  const ends = sequence.flatMap((command, place) => (endsSessions(command) ? [place] : []));
  return [-1, ...ends].map((end, index) => sequence.slice(end + 1, ends[index]));
}

/** How many builds of a minute a part takes: a second build under one creator's key is a retry. */
function placesTaken(part: readonly Command[]): number {
  const builds = part.filter((command) => command.do === "build" || command.do === "invalid");
  const keyed = builds.filter((command) => command.do === "build" && command.key !== 0);
  const keys = keyed.map((command) => JSON.stringify({ ...command, input: 0 }));
  return new Set(keys).size + builds.length - keyed.length;
}
