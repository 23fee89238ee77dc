import assert from "node:assert/strict";
import { test } from "node:test";
import type { Result } from "../../engine/play/result.ts";
import { attributeFailures } from "../../engine/run/attribute-failures.ts";
import { failedResult, failureOf, resultOf } from "../../testing/results.ts";
import { SMALL_CONTRACT } from "../../testing/small-report.ts";
import { gatedReport } from "../gated-report.ts";
import type { Release } from "./release.ts";

/** LIMIT-2 and LIMIT-4 came later, LIMIT-3 could not be observed, and so it is still. */
const RELEASE: Release = {
  version: "1.0.0",
  digest: "ab".repeat(32),
  rules: new Map([
    ["LIMIT-1", "required"],
    ["LIMIT-3", "unobservable"],
    ["ERROR-1", "required"],
  ]),
  vectors: new Map([
    ["limits/one", "1111111111111111"],
    ["errors/one", "2222222222222222"],
  ]),
  properties: new Set(["property/x"]),
};
const DIGESTS = new Map([
  ["limits/one", "1111111111111111"],
  ["limits/two", "3333333333333333"],
  ["errors/one", "2222222222222222"],
]);

function judged(results: readonly Result[], digests = DIGESTS, kitVersion = "1.1.0", release = RELEASE) {
  const {
    verdict,
    exitStatus,
    frozen,
    results: told,
  } = gatedReport(
    SMALL_CONTRACT,
    {
      results: attributeFailures(results),
      facts: {
        kitVersion,
        info: { implementation: { name: "my-service", version: "0.9" } },
        adapter: "stdio",
        seed: 7,
        runs: 20,
        durationMs: 0,
        digest: "cd".repeat(32),
        accepted: new Set(),
      },
    },
    { frozen: { release, digests, kitVersion } },
  );
  const later = told.filter((result) => result.later).map(({ id }) => id);
  return { verdict: `${verdict} ${exitStatus}`, later, frozen };
}

const OLD = [resultOf("limits/one", ["LIMIT-1"]), resultOf("errors/one", ["ERROR-1"])];

test("what came later is run and shown, and does not count", () => {
  const { verdict, later, frozen } = judged([...OLD, failedResult("limits/two", ["LIMIT-1", "LIMIT-2"])]);
  assert.deepEqual([verdict, later], ["conforms 0", ["limits/two"]]);
  assert.deepEqual(frozen, {
    suite: "partner-preview-1@1.0.0",
    digest: RELEASE.digest,
    counted: 2,
    later: 1,
    changed: [],
    removed: [],
  });
});

test("what counted then counts now", () => {
  const failed = failedResult("limits/one", ["LIMIT-1"]);
  assert.equal(judged([failed, resultOf("errors/one", ["ERROR-1"])]).verdict, "does-not-conform 1");
  assert.equal(judged(OLD.slice(0, 1)).verdict, "undecided 4");
});

test("an old vector that fails for a rule of today alone has kept the rules of then", () => {
  const failed = failedResult("errors/one", ["ERROR-1"], ["LIMIT-2"]);
  assert.equal(judged([resultOf("limits/one", ["LIMIT-1"]), failed]).verdict, "conforms 0");
});

test("what an old vector saw on the way counts, though a later one is about it now", () => {
  const saw = resultOf("errors/one", ["ERROR-1"], { incidental: [failureOf(["LIMIT-1"])] });
  const results = [resultOf("limits/one", ["LIMIT-1"]), saw, failedResult("limits/two", ["LIMIT-1"])];
  assert.equal(judged(results).verdict, "does-not-conform 1");
});

test("a frozen vector that does other things now, or is gone, does not count, and is named", () => {
  const changed = new Map([...DIGESTS, ["errors/one", "4444444444444444"]]);
  const { verdict, later, frozen } = judged(OLD, changed);
  assert.deepEqual([verdict, later, frozen?.changed], ["undecided 4", ["errors/one"], ["errors/one"]]);
  const gone = new Map([...DIGESTS].filter(([id]) => id !== "errors/one"));
  assert.deepEqual(judged(OLD.slice(0, 1), gone).frozen?.removed, ["errors/one"]);
});

test("a rule that is no more is named", () => {
  const release = { ...RELEASE, rules: new Map([...RELEASE.rules, ["LIMIT-9", "required"]] as const) };
  const { verdict, frozen } = judged(OLD, DIGESTS, "1.1.0", release as Release);
  assert.deepEqual([verdict, frozen?.removed], ["conforms 0", ["LIMIT-9"]]);
});

test("a rule has the level that it had", () => {
  const release = { ...RELEASE, rules: new Map([...RELEASE.rules, ["LIMIT-2", "open"]] as const) };
  const failed = resultOf("errors/one", ["ERROR-1"]);
  const results = [failedResult("limits/one", ["LIMIT-1"], ["LIMIT-2"]), failed];
  assert.equal(judged(results, DIGESTS, "1.1.0", release as Release).verdict, "does-not-conform 1");
  const open = [resultOf("limits/one", ["LIMIT-1"]), failedResult("errors/one", ["LIMIT-2"])];
  const withoutError = new Map([...release.rules].filter(([id]) => id !== "ERROR-1"));
  assert.equal(
    judged(open, DIGESTS, "1.1.0", { ...release, rules: withoutError } as Release).verdict,
    "conforms 0",
  );
});

test("properties count with the version that they were frozen in, whose cases they draw", () => {
  const property = failedResult("property/x", ["LIMIT-1"]);
  const results = [...OLD, { ...property, kind: "property" as const }];
  assert.equal(judged(results, DIGESTS, "1.0.0").verdict, "does-not-conform 1");
  assert.equal(judged(results, DIGESTS, "1.1.0").verdict, "conforms 0");
});
