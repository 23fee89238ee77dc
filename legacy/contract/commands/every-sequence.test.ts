import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "./command.ts";
import { everySequence } from "./every-sequence.ts";
import { interleaved } from "./interleaved.ts";

const written = (depth: number) => [...everySequence(depth)].map((sequence) => JSON.stringify(sequence));

test("sequences differ, end in a request, and begin with the first of each name", () => {
  const sequences = written(3);
  assert.equal(new Set(sequences).size, sequences.length);
  for (const sequence of sequences) {
    const commands = JSON.parse(sequence) as readonly Command[];
    const [first, last] = [commands[0], commands.at(-1)];
    assert.ok(last?.do !== "wait" && last?.do !== "restart", sequence);
    if (first?.do !== "build") continue;
    assert.ok(first.who === "alice" && first.key <= 1 && first.input === 0, sequence);
  }
});

test("a depth holds what the one before holds, and more", () => {
  assert.deepEqual(
    [1, 2, 3].map((depth) => written(depth).length),
    [4, 29, 485],
  );
});

test("another order leaves nothing out", () => {
  const reordered = interleaved(everySequence(3))
    .flat()
    .map((sequence) => JSON.stringify(sequence));
  assert.notDeepEqual(reordered, written(3));
  assert.deepEqual([...reordered].sort(), written(3).sort());
});
