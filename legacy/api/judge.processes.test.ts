import assert from "node:assert/strict";
import { test } from "node:test";
import { PATHS } from "../paths.ts";
import { judge } from "./judge.ts";

test("threads that share a run stop with it, for the same reason", async () => {
  const judging = judge({ target: { module: PATHS.reference }, jobs: 2 });
  const seen: string[] = [];
  for await (const { id, outcome } of judging) {
    seen.push(id);
    if (outcome === "passed") break;
  }
  const { results, stopped, verdict, totals } = await judging.report;
  assert.deepEqual([stopped, verdict, totals.error], [true, "undecided", 0]);
  const left = results.filter(({ reason }) => reason === "not run: the run was stopped");
  assert.ok(left.length > results.length / 2);
  assert.deepEqual(
    results.filter(({ reason }) => reason?.includes("Ctrl-C")),
    [],
  );
  const again: string[] = [];
  for await (const { id } of judging) again.push(id);
  assert.deepEqual(again.slice(0, seen.length), seen);
  assert.deepEqual([...again].sort(), results.map(({ id }) => id).sort());
});
