import assert from "node:assert/strict";
import { test } from "node:test";
import type { Recorded } from "./checked-scene.ts";
import type { SequenceRun } from "./play-sequence.ts";
import { shorten } from "./shorten.ts";
import type { Violation } from "./violation.ts";

/** What a list of letters shows: which rule is broken, and whether that hangs on an answer. */
type Shown = (text: string) => { readonly rule?: string; readonly hangs?: boolean };

async function shortest(text: string, shows: Shown, simpler: Readonly<Record<string, readonly string[]>>) {
  const found = await shorten([...text], {
    play: async (letters) => runOf(shows(letters.join(""))),
    simpler: (letter) => simpler[letter] ?? [],
  });
  return found === undefined
    ? undefined
    : [found.items.join(""), found.run.violation?.rules[0], found.run.decisive.size];
}

function runOf({ rule, hangs = false }: ReturnType<Shown>): SequenceRun {
  const violation = rule === undefined ? undefined : ({ rules: [rule] } as unknown as Violation);
  const decisive = new Set(hangs ? [{} as Recorded] : []);
  return { violation, requests: 0, recorded: [], decisive, observations: [], advice: [] };
}

test("what breaks nothing is not made shorter", async () => {
  assert.equal(await shortest("abc", () => ({}), {}), undefined);
});

test("the shortest breaks the rule that the whole breaks", async () => {
  const shows: Shown = (text) => (text.includes("b") ? { rule: text.includes("a") ? "ONE-1" : "ONE-2" } : {});
  assert.deepEqual(await shortest("xaxbx", shows, {}), ["ab", "ONE-1", 0]);
});

test("one that hangs on no answer is taken before one that does, of the same rule where there is one", async () => {
  const same: Shown = (text) => ({ rule: "ONE-1", hangs: !text.includes("i") });
  assert.deepEqual(await shortest("xx", same, { x: ["i"] }), ["i", "ONE-1", 0]);
  const other: Shown = (text) => (text.includes("i") ? { rule: "ONE-2" } : { rule: "ONE-1", hangs: true });
  assert.deepEqual(await shortest("xx", other, { x: ["i"] }), ["i", "ONE-2", 0]);
});

test("where each hangs on an answer, the shortest does", async () => {
  assert.deepEqual(await shortest("xx", () => ({ rule: "ONE-1", hangs: true }), {}), ["x", "ONE-1", 1]);
});
