import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import type { GatedReport } from "../../policies/gated-report.ts";
import { hostileReport, outcomesReport } from "../../testing/outcomes-report.ts";
import { REPORT_CONTEXT } from "../../testing/reporting.ts";
import { failureOf, resultOf } from "../../testing/results.ts";
import { smallReport } from "../../testing/small-report.ts";
import { githubAnnotations } from "./annotations.ts";

const lines = (report: GatedReport, folder = process.cwd(), has = () => true) =>
  githubAnnotations(report, REPORT_CONTEXT, { folder, has }).trimEnd().split("\n");

test("a failure stands on the failing line of its vector, like failures once; what does not count has none", () => {
  const [first = "", ...others] = lines(outcomesReport());
  assert.match(
    first,
    /^::error title=limits\/bad fails LIMIT-1,file=vectors\/suites\/sample\.yaml,line=12:: {2}LIMIT-1 {2}The service keeps LIMIT-1\.%0A.*%0A {2}expected {2}200%0A/,
  );
  assert.match(first, /%0Aand 1 like it$/);
  assert.deepEqual(others, [
    "::error title=errors/broken%3A the adapter broke,file=vectors/suites/sample.yaml,line=7::no answer within 5 s",
  ]);
});

test("paths are from the workspace; a vector outside of it, or in no file, is named in the text", () => {
  assert.match(lines(outcomesReport(), resolve("vectors"))[0] ?? "", /,file=suites\/sample\.yaml,line=12::/);
  for (const others of [
    lines(outcomesReport(), "/elsewhere"),
    lines(outcomesReport(), process.cwd(), () => false),
  ]) {
    assert.match(
      others[0] ?? "",
      /^::error title=limits\/bad fails LIMIT-1::vectors\/suites\/sample\.yaml:12%0A {2}LIMIT-1/,
    );
  }
});

test("a run that is undecided warns, and advice is a notice", () => {
  const advice = [{ rule: "LIMIT-4", message: "do it otherwise" }];
  assert.deepEqual(lines(smallReport([resultOf("limits/one", ["LIMIT-1", "LIMIT-4"], { advice })])), [
    "::warning title=undecided::required rules were not tried: LIMIT-2 ERROR-1%0Aaccepted by --allow-untried LIMIT-2 ERROR-1",
    '::notice title=advice LIMIT-4::do it otherwise%0Acontract, "Limits; Errors"',
  ]);
});

test("a green run says nothing", () => {
  const report = smallReport([resultOf("limits/all", ["LIMIT-1", "LIMIT-2", "ERROR-1"])]);
  assert.equal(githubAnnotations(report, REPORT_CONTEXT, { folder: process.cwd(), has: () => true }), "");
});

test("of many failures as many are shown as GitHub shows, the last of which counts the others", () => {
  const results = Array.from({ length: 15 }, (_, index) =>
    resultOf(`limits/${index}`, ["LIMIT-1"], {
      outcome: "failed",
      failures: [failureOf(["LIMIT-1"], { got: `${400 + index} X` })],
    }),
  );
  const shown = lines(smallReport(results)).filter((line) => line.startsWith("::error"));
  assert.equal(shown.length, 10);
  assert.equal(shown.at(-1), "::error title=and 6 more::the job summary and the other reports have them");
});

test("an entry of the baseline that holds no more is an error", () => {
  const baseline = {
    file: "known.yaml",
    known: [],
    stale: [{ id: "limits/all", why: "it passes" }],
    expired: [],
    otherRules: [],
  };
  const report = { ...smallReport([resultOf("limits/all", ["LIMIT-1", "LIMIT-2", "ERROR-1"])]), baseline };
  assert.deepEqual(lines(report), [
    "::error title=stale in the baseline::stale in the baseline: limits/all  it passes",
  ]);
});

test("what an implementation writes gives no command", () => {
  for (const line of lines(hostileReport())) {
    assert.match(line, /^::(?:error|warning|notice) title=(?:[^:,\n]|%3A)+(?:,file=[^:,]+,line=\d+)?::/);
  }
});
