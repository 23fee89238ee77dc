import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { actionSequence } from "./action-sequence.ts";
import { scriptOf } from "./script.ts";

const sequences = fc.sample(actionSequence, { seed: 4, numRuns: 300 });

test("a seed gives the same sequences on every machine", () => {
  const digest = createHash("sha256").update(JSON.stringify(sequences)).digest("hex");
  assert.equal(digest.slice(0, 16), "8226edbe50f2016c");
});

test("every kind of action occurs, and something repeats, waits and starts anew in many sequences", () => {
  const kinds = new Set(sequences.flat().map((action) => action.do));
  assert.equal(kinds.size, 11);
  const share = (found: (text: string) => boolean) =>
    sequences.filter((actions) => found(actions.map((action) => action.do).join(" "))).length /
    sequences.length;
  assert.ok(share((text) => text.includes("restart")) > 0.2);
  assert.ok(share((text) => text.includes("wait")) > 0.4);
  assert.ok(share((text) => /(\b\w+\b)( \1){2}/.test(text)) > 0.4);
});

test("no sequence is so long that it costs as much as a suite", () => {
  const lengths = sequences.map((actions) => scriptOf(actions, 0).length);
  assert.ok(Math.max(...lengths) <= 120);
});
