import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClientVector } from "../engine/client/client-vector.ts";
import type { Result } from "../engine/play/result.ts";
import type { Report } from "../engine/run/report.ts";
import { BAILED, notPlayed } from "../engine/run/stop.ts";
import { failedResult, failureOf, resultOf } from "../testing/results.ts";
import { firstFailure, type Selection } from "./judge.ts";

const PLACE = { file: "suite.yaml", line: 1 };
const vector = (id: string, ...rules: readonly string[]): ClientVector => ({
  id,
  suite: "suite",
  title: id,
  rules,
  place: PLACE,
  scenario: {} as ClientVector["scenario"],
});

/** Looks for the first failure where all vectors together would have these results; tells what had to be played. */
async function found(results: readonly Result[], ...known: readonly string[]) {
  const vectors = results.map(({ id, rules }) => vector(id, ...rules));
  const played: string[] = [];
  const run = async ({ ids, bail = false }: Selection) => {
    let isOver = false;
    const chosen = vectors.filter(({ id }) => ids?.has(id));
    const some = chosen.map((one) => {
      const result = results.find(({ id }) => id === one.id);
      if (isOver || result === undefined) return notPlayed(one, BAILED);
      played.push(one.id);
      isOver = bail && result.failures.length > 0;
      return result;
    });
    return { results: some } as unknown as Report;
  };
  const first = await firstFailure(
    results.map((result, index) =>
      known.includes(result.id) ? result : notPlayed(vectors[index] as ClientVector, BAILED),
    ),
    { vectors, run },
  );
  return [first === undefined ? "none" : `${first.id} ${first.rule}`, ...played];
}

const passed = (id: string) => resultOf(id, ["Z-1"]);
const met = (id: string, rule: string) => resultOf(id, ["Z-1"], { incidental: [failureOf([rule])] });
const aside = (id: string, rule: string) =>
  resultOf(id, ["Z-1"], { outcome: "failed", failures: [{ ...failureOf([rule]), aside: true }] });

test("only what could come before the failure that is known is played, as far as the first that fails", async () => {
  const all = [passed("a"), passed("b"), failedResult("c", ["A-1"]), passed("d")];
  assert.deepEqual(await found(all, "c"), ["c A-1", "a", "b"]);
  const earlier = [passed("a"), failedResult("b", ["B-1"]), passed("c"), failedResult("d", ["A-1"])];
  assert.deepEqual(await found(earlier, "d"), ["b B-1", "a", "b"]);
});

test("where nothing is known to fail everything is played", async () => {
  assert.deepEqual(await found([passed("a"), passed("b")], "a"), ["none", "b"]);
});

test("what is met on the way is told where a vector about it fails, and else where it is met first", async () => {
  const shown = [met("a", "A-1"), passed("b"), failedResult("c", ["B-1"]), failedResult("d", ["A-1"])];
  assert.deepEqual(await found(shown, "c"), ["c B-1", "a", "b", "d"]);
  const unshown = [met("a", "A-1"), failedResult("b", ["B-1"]), resultOf("c", ["A-1"]), passed("d")];
  assert.deepEqual(await found(unshown, "b"), ["a A-1", "a", "c"]);
});

test("a failure that is known only from the way to something else puts off no other", async () => {
  const all = [aside("a", "A-1"), passed("b"), failedResult("c", ["B-1"])];
  assert.deepEqual(await found(all, "a"), ["c B-1", "b", "c"]);
});
