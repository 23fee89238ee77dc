import assert from "node:assert/strict";
import { test } from "node:test";
import { everySequence } from "./every-sequence.ts";
import { interleaved } from "./interleaved.ts";

const written = (depth: number) => [...everySequence(depth)].map((letters) => JSON.stringify(letters));

test("sequences differ, end in a request, and begin with the first of each name", () => {
  const sequences = written(3);
  assert.equal(new Set(sequences).size, sequences.length);
  for (const sequence of sequences) {
    assert.doesNotMatch(sequence, /"kind":"(wait","limit":\d|restart")\}\]$/);
    const [first] = JSON.parse(sequence) as [{ kind: string; who?: string; key?: number; input?: number }];
    assert.ok(
      first.kind !== "build" || (first.who === "alice" && first.key === 1 && first.input === 1),
      sequence,
    );
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
    .map((letters) => JSON.stringify(letters));
  assert.notDeepEqual(reordered, written(3));
  assert.deepEqual([...reordered].sort(), written(3).sort());
});
