import assert from "node:assert/strict";
import { test } from "node:test";
import { hostileReport, outcomesReport } from "../../testing/outcomes-report.ts";
import { REPORT_CONTEXT } from "../../testing/reporting.ts";
import { failureOf, resultOf } from "../../testing/results.ts";
import { smallReport } from "../../testing/small-report.ts";
import { githubSummary } from "./summary.ts";

test("the page has the verdict, the failures, what is known and skipped, and the areas", async () => {
  const page = await githubSummary(outcomesReport(), REPORT_CONTEXT);
  assert.match(page, /^<h2>❌ my-service 0\.9: does not conform<\/h2>/);
  assert.match(page, /2 passed, 4 failed, 1 skipped, 1 error/);
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
  const page = await githubSummary(hostileReport(), REPORT_CONTEXT);
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
  const page = await githubSummary(smallReport(results), REPORT_CONTEXT);
  assert.ok(page.length < 1024 * 1024, `${page.length}`);
  assert.match(page, /<p>and 480 more failures<\/p>/);
});
