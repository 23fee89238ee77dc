import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import type { GatedReport } from "../policies/gated-report.ts";
import { hostileReport, outcomesReport } from "../testing/outcomes-report.ts";
import { REPORT_CONTEXT } from "../testing/reporting.ts";
import { failureOf, resultOf } from "../testing/results.ts";
import { smallReport } from "../testing/small-report.ts";
import { githubAnnotations, githubSummary, workflowCommand } from "./github.ts";
import { viewOf } from "./view.ts";

/** As GitHub's runner reads it: the escapes of its `ActionCommand`, the percent sign last. */
function read(line: string) {
  const [, name, stated = "", message = ""] = /^::(\w+)(?: ([^\n]*?))?::([^\n]*)\n$/.exec(line) ?? [];
  const back = (text: string) => text.replaceAll("%0D", "\r").replaceAll("%0A", "\n");
  const value = (text: string) =>
    back(text).replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%25", "%");
  const pairs = stated.split(",").filter((pair) => pair !== "");
  const properties = pairs.map((pair) => [
    pair.slice(0, pair.indexOf("=")),
    value(pair.slice(pair.indexOf("=") + 1)),
  ]);
  return { name, properties: Object.fromEntries(properties), message: back(message).replaceAll("%25", "%") };
}

const HARD = "100%, a::b,c=d\r\n::error file=x::owned\n%0A%25";

test("whatever stands in a message or a property, the runner reads that, and one command", () => {
  for (const text of [HARD, "", "plain", "::", "%", "\r", ",", "é\u{1f600}"]) {
    const line = workflowCommand("error", { title: text, line: 7 }, text);
    assert.deepEqual(read(line), { name: "error", properties: { title: text, line: "7" }, message: text });
    assert.equal(line.split(/[\r\n]/).length, 2, "one line");
  }
});

test("colons and commas of a message stay as they are; a command without properties has no gap", () => {
  assert.equal(workflowCommand("notice", {}, "a: b, c"), "::notice::a: b, c\n");
  assert.equal(workflowCommand("error", { title: "a: b, c" }, "x"), "::error title=a%3A b%2C c::x\n");
});

const lines = (report: GatedReport, folder = process.cwd(), has = () => true) =>
  githubAnnotations(viewOf(report, REPORT_CONTEXT), { folder, has }).trimEnd().split("\n");

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
    "::warning title=undecided::required rules were not tried: LIMIT-2 ERROR-1%0Ato accept them, use --allow-untried LIMIT-2 ERROR-1",
    '::notice title=advice LIMIT-4::do it otherwise%0Acontract, "Limits; Errors"',
  ]);
});

test("a green run says nothing", () => {
  const report = smallReport([resultOf("limits/all", ["LIMIT-1", "LIMIT-2", "ERROR-1"])]);
  assert.equal(
    githubAnnotations(viewOf(report, REPORT_CONTEXT), { folder: process.cwd(), has: () => true }),
    "",
  );
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

test("the page has the verdict, the failures, what is known and skipped, and the areas", async () => {
  const page = await githubSummary(viewOf(outcomesReport(), REPORT_CONTEXT));
  assert.match(page, /^<h2>❌ my-service 0\.9: does not conform<\/h2>/);
  assert.match(page, /2 passed, 3 failed, 1 skipped, 1 error/);
  assert.match(
    page,
    /<summary><code>limits\/bad<\/code> LIMIT-1, and 1 like it<\/summary>\n<pre>FAILED {2}limits\/bad/,
  );
  assert.match(page, /<p>known failure: <code>limits\/known<\/code> to be mended https:/);
  assert.match(page, /<p>1 × skipped: needs the operator key<\/p>/);
  assert.match(page, /<p>1 × error: no answer within 5 s<\/p>/);
  assert.match(page, /<tr><td>Errors<\/td><td>0\/1<\/td><td>1<\/td><td>0<\/td><\/tr>/);
});

test("what an implementation writes is text, and Markdown begins nowhere", async () => {
  const page = await githubSummary(viewOf(hostileReport(), REPORT_CONTEXT));
  const tags = new Set([...page.matchAll(/<\/?(\w+)/g)].map(([, name]) => name));
  const known = ["h2", "p", "code", "details", "summary", "pre", "table", "tr", "th", "td"];
  assert.deepEqual(
    [...tags].filter((name) => !known.includes(name ?? "")),
    [],
  );
  assert.doesNotMatch(page, /\n\s*\n/);
  assert.match(page, /&lt;script&gt;alert/);
});

test("many failures stay within what a summary may hold", async () => {
  const results = Array.from({ length: 500 }, (_, index) =>
    resultOf(`limits/${index}`, ["LIMIT-1"], {
      outcome: "failed",
      failures: [failureOf(["LIMIT-1"], { got: `${100 + index} ${"x".repeat(10_000)}` })],
    }),
  );
  const page = await githubSummary(viewOf(smallReport(results), REPORT_CONTEXT));
  assert.ok(page.length < 1024 * 1024, `${page.length}`);
  assert.match(page, /<p>and 480 more failures<\/p>/);
});
