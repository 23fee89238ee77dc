import assert from "node:assert/strict";
import { test } from "node:test";
import type { GatedReport } from "../policies/gated-report.ts";
import { outcomesReport } from "../testing/outcomes-report.ts";
import { resultOf } from "../testing/results.ts";
import { smallReport } from "../testing/small-report.ts";
import { inTotoStatement } from "./in-toto.ts";

const SUBJECT = { name: "service.tar", sha256: "ab".repeat(32) };
const ALL = ["LIMIT-1", "LIMIT-2", "ERROR-1"];
const predicateOf = (report: GatedReport) => JSON.parse(inTotoStatement(report, SUBJECT)).predicate;

test("the statement binds a test result to its subject, and names what it was tested with", () => {
  assert.deepEqual(JSON.parse(inTotoStatement(smallReport([resultOf("limits/all", ALL)]), SUBJECT)), {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: "service.tar", digest: { sha256: "ab".repeat(32) } }],
    predicateType: "https://in-toto.io/attestation/test-result/v0.1",
    predicate: {
      result: "PASSED",
      configuration: [
        {
          name: "partner-preview-1@1.2.3",
          digest: { sha256: "0123456789abcdef".repeat(4) },
          annotations: { expected: 1, executed: 1, allowedUntried: [] },
        },
        {
          name: "launch-draft-conformance",
          uri: "pkg:npm/launch-draft-conformance@1.2.3",
          annotations: {
            seed: 7,
            runs: 20,
            adapter: "stdio",
            verdict: "conforms",
            implementation: "my-service 0.9",
          },
        },
      ],
      passedTests: ["limits/all"],
      warnedTests: [],
      failedTests: [],
    },
  });
});

test("failures and errors are failed tests, known ones too; one that came later only warns; a skip is none", () => {
  const { result, passedTests, warnedTests, failedTests } = predicateOf(outcomesReport());
  assert.equal(result, "FAILED");
  assert.deepEqual(passedTests, ["limits/good", "property/good"]);
  assert.deepEqual(warnedTests, ["limits/later"]);
  assert.deepEqual(failedTests, ["limits/bad", "limits/known", "errors/broken", "property/bad"]);
});

test("a pass with advice, or with a rule allowed untried, warns", () => {
  const advice = [{ rule: "LIMIT-4", message: "do it otherwise" }];
  const advised = predicateOf(smallReport([resultOf("limits/all", [...ALL, "LIMIT-4"], { advice })]));
  assert.deepEqual([advised.result, advised.warnedTests], ["WARNED", ["limits/all"]]);
  const allowed = predicateOf(smallReport([resultOf("limits/one", ["LIMIT-1", "LIMIT-2"])], ["ERROR-1"]));
  assert.deepEqual(
    [allowed.result, allowed.configuration[0].annotations.allowedUntried],
    ["WARNED", ["ERROR-1"]],
  );
});

test("what is undecided has not passed, nor has a run that something beside the contract failed", () => {
  assert.equal(predicateOf(smallReport([resultOf("limits/one", ["LIMIT-1"])])).result, "FAILED");
  assert.equal(
    predicateOf({ ...smallReport([resultOf("limits/all", ALL)]), exitStatus: 1 }).result,
    "FAILED",
  );
});

test("a verdict about a frozen suite names that one", () => {
  const frozen = {
    suite: "partner-preview-1@0.9.0",
    digest: "cd".repeat(32),
    counted: 1,
    later: 0,
    changed: [],
    removed: [],
  };
  const [suite] = predicateOf({ ...smallReport([resultOf("limits/all", ALL)]), frozen }).configuration;
  assert.deepEqual([suite.name, suite.digest.sha256], ["partner-preview-1@0.9.0", "cd".repeat(32)]);
});
