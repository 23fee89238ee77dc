import assert from "node:assert/strict";
import { test } from "node:test";
import type { Result } from "../engine/play/result.ts";
import { resultOf } from "../testing/results.ts";
import { smallReport } from "../testing/small-report.ts";
import { allowUntriedOption } from "./allow-untried.ts";

const CLOCK = "capability:clock";
const RESTART = "capability:restart";
const skipped = (rule: string, ...lacks: readonly string[]): Result =>
  resultOf(`limits/${rule}-${lacks.join("-")}`, [rule], { outcome: "skipped", reason: "it cannot", lacks });
const ONE = resultOf("limits/one", ["LIMIT-1"]);

test("capabilities stand before the rules that none of them accounts for", () => {
  const report = smallReport([ONE, skipped("LIMIT-2", "way:http"), skipped("ERROR-1", RESTART, CLOCK)]);
  assert.equal(allowUntriedOption(report), `--allow-untried ${CLOCK} ${RESTART} LIMIT-2`);
});

test("what two rules lack is named once, and what would not be missed is not named", () => {
  const report = smallReport([
    ONE,
    skipped("LIMIT-2", CLOCK),
    skipped("ERROR-1", CLOCK),
    skipped("ERROR-1", CLOCK, RESTART),
  ]);
  assert.equal(allowUntriedOption(report), `--allow-untried ${CLOCK}`);
});

test("the option accepts a run that is repeated with it, and keeps what was accepted before", () => {
  const results = [ONE, skipped("LIMIT-2", RESTART), skipped("ERROR-1", "way:http")];
  const first = smallReport(results, ["ERROR-1"]);
  assert.equal(first.exitStatus, 4);
  const option = allowUntriedOption(first) ?? "";
  assert.equal(option, `--allow-untried ${RESTART} ERROR-1`);
  const again = smallReport(results, option.split(" ").slice(1));
  assert.deepEqual(
    [again.verdict, again.exitStatus, again.allowedUntried],
    ["conforms", 0, ["LIMIT-2", "ERROR-1"]],
  );
  assert.equal(allowUntriedOption(again), undefined);
});

test("nothing is offered for want of room, which the user can give", () => {
  const full = skipped("ERROR-1", "room");
  assert.equal(allowUntriedOption(smallReport([ONE, skipped("LIMIT-2", RESTART), full])), undefined);
});

test("a rule that fails still fails, whatever is accepted", () => {
  const failing = resultOf("limits/bad", ["LIMIT-2"], { outcome: "failed", failures: [] });
  const report = smallReport([ONE, failing, skipped("ERROR-1", RESTART)], [RESTART, "LIMIT-2"]);
  assert.deepEqual([report.verdict, report.exitStatus], ["does-not-conform", 1]);
});

test("nothing is offered where something broke, or where not all was run", () => {
  const results = [ONE, skipped("LIMIT-2", RESTART), skipped("ERROR-1", RESTART)];
  const report = smallReport(results);
  assert.ok(allowUntriedOption(report));
  const broke = resultOf("limits/broke", ["LIMIT-1"], { outcome: "error", reason: "no answer" });
  assert.equal(allowUntriedOption(smallReport([...results, broke])), undefined);
  assert.equal(allowUntriedOption({ ...report, stopped: true }), undefined);
  assert.equal(
    allowUntriedOption({ ...report, shard: { index: 1, of: 2, expected: 4, options: [] } }),
    undefined,
  );
  const selection = { only: ["limits"], chosen: 3, of: 4, outcome: "undecided" } as const;
  assert.equal(allowUntriedOption({ ...report, selection }), undefined);
});
