import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { EXACT } from "../../engine/play/timekeeping.ts";
import { stepsOf } from "../../engine/search/commands.ts";
import { commandSequence } from "./command-sequence.ts";
import { COMMANDS } from "./launch-commands.ts";

const sequences = fc.sample(commandSequence, { seed: 4, numRuns: 300 });

test("a seed gives the same sequences on every machine", () => {
  const digest = createHash("sha256").update(JSON.stringify(sequences)).digest("hex");
  assert.equal(digest.slice(0, 16), "8f93a68b89d8101c");
});

test("every kind of command of random sequences occurs, and something repeats, waits and starts anew in many sequences", () => {
  const kinds = new Set(sequences.flat().map((command) => command.do));
  assert.equal(kinds.size, 10);
  const share = (found: (text: string) => boolean) =>
    sequences.filter((sequence) => found(sequence.map((command) => command.do).join(" "))).length /
    sequences.length;
  assert.ok(share((text) => text.includes("restart")) > 0.2);
  assert.ok(share((text) => text.includes("wait")) > 0.4);
  assert.ok(share((text) => /(\b\w+\b)( \1){2}/.test(text)) > 0.4);
});

test("no sequence is so long that it costs as much as a suite", () => {
  const lengths = sequences.map((sequence) => stepsOf(sequence, COMMANDS, EXACT, "1").length);
  assert.ok(Math.max(...lengths) <= 120);
});
