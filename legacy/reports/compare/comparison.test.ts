import assert from "node:assert/strict";
import { test } from "node:test";
import { loadRuleBook } from "../../engine/rule-book.ts";
import { PATHS } from "../../paths.ts";
import { SMALL_CONTRACT } from "../../testing/small-report.ts";
import { threeReports } from "../../testing/three-reports.ts";
import { comparePage } from "./compare-page.ts";
import { compareText } from "./compare-text.ts";
import { compareReports, IMPACTS, impactOf } from "./comparison.ts";

const comparison = compareReports(threeReports(), SMALL_CONTRACT);

test("what is the same for all is left out, and what nothing showed is no difference", () => {
  assert.deepEqual(comparison.rules, [{ id: "LIMIT-1", outcomes: ["passed", "passed", "failed"] }]);
  assert.deepEqual(comparison.points, [
    { point: "SHAPE", impact: "limit", readings: ["so", "otherwise", undefined] },
  ]);
  assert.equal(comparison.comparable, 1);
  assert.deepEqual(comparison.warnings, []);
});

test("each two are told apart by impact", () => {
  const none = { form: 0, acceptance: 0, limit: 0, answer: 0 };
  assert.deepEqual(comparison.pairs, [
    { labels: ["A", "B"], points: { ...none, limit: 1 }, rules: 0 },
    { labels: ["A", "C"], points: none, rules: 1 },
    { labels: ["B", "C"], points: none, rules: 1 },
  ]);
});

test("reports of different suites, of part of a run or of fewer tests are warned of", () => {
  const [first, second] = threeReports();
  assert.ok(first && second);
  const suite = { ...second.report.suite, digest: "f".repeat(64), expected: 2 };
  const shard = { index: 1, of: 2, expected: 4, options: [] };
  const { warnings } = compareReports(
    [first, { ...second, report: { ...second.report, suite, shard } }],
    SMALL_CONTRACT,
  );
  assert.deepEqual(warnings, [
    "judged by different suites: A 1.2.3 0123456789ab, B 1.2.3 ffffffffffff",
    "not everything was selected everywhere: A 3 tests, B 2 tests",
    "B is one part of a run; merge puts the parts together",
  ]);
});

test("rules and points that the contract does not know are compared all the same", () => {
  const reports = threeReports().map(({ file, report }, index) => ({
    file,
    report: {
      ...report,
      rules: [
        ...report.rules,
        { id: "OLD-1", level: "required", outcome: index === 0 ? "failed" : "passed", results: [] } as const,
      ],
      choices: [...report.choices, { point: "OLD", observed: String(index), reference: "0" }],
    },
  }));
  const { rules, points } = compareReports(reports, SMALL_CONTRACT);
  assert.deepEqual(rules.map(({ id }) => id).sort(), ["LIMIT-1", "OLD-1"]);
  assert.deepEqual(points.at(-1), { point: "OLD", impact: "form", readings: ["0", "1", "2"] });
});

test("at a terminal it is tables", () => {
  const text = compareText(comparison, {
    contract: SMALL_CONTRACT,
    color: false,
    width: 100,
    verbose: false,
  });
  assert.match(text, /^A {2}first 1 {2}first\.json\nB {2}second 1 {2}second\.json\n/);
  assert.match(text, /^ {2}verdict +conforms +conforms +does not conform$/m);
  assert.match(text, /^ {2}LIMIT-1 +passed +passed +failed +The service keeps LIMIT-1\.$/m);
  assert.match(text, /^Where they would not interoperate: 1 of 1 open points read differently$/m);
  assert.match(text, /^ {2}SHAPE +so +otherwise +not seen$/m);
  assert.match(text, /^ {2}A and B +0 +0 +0 +1 +0$/m);
});

test("in a page each implementation has a column", () => {
  const text = comparePage(comparison, SMALL_CONTRACT);
  assert.match(text, /<title>side by side: first, second, third<\/title>/);
  assert.match(text, /id="LIMIT-1".*passed.*passed.*failed/);
  assert.match(text, /id="SHAPE".*so.*<strong><bdi>otherwise.*not seen/);
  assert.equal(text, comparePage(comparison, SMALL_CONTRACT));
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length, "an id twice");
});

test("names from an implementation are text", () => {
  const reports = threeReports().map(({ report, file }) => ({
    file: "<b>\u202e",
    report: { ...report, implementation: { name: "<script>\u001b\u202e", version: file } },
  }));
  const hostile = compareReports(reports, SMALL_CONTRACT);
  const page = comparePage(hostile, SMALL_CONTRACT);
  const text = compareText(hostile, { contract: SMALL_CONTRACT, color: false, width: 80, verbose: true });
  for (const told of [page, text]) {
    assert.ok(!told.includes("\u001b") && !told.includes("\u202e"));
  }
  assert.doesNotMatch(page, /<b>|<script>\\u/);
  assert.match(page, /&lt;script&gt;\\u\{1b\}\\u\{202e\}/);
  assert.match(page, /&lt;b&gt;\\u\{202e\}/);
  assert.match(text, /<script>\\u\{1b\}\\u\{202e\} .*<b>\\u\{202e\}/);
});

const { points } = loadRuleBook(PATHS.contract);
const at = (id: string, ...observed: string[]) => {
  const point = points.get(id);
  assert.ok(point, id);
  return impactOf(point, observed);
};

test("a client sees another form of the answers", () => {
  assert.equal(at("CHALLENGE-TIMESTAMP-FORMAT", "iso-8601", "epoch-seconds"), "form");
  assert.equal(at("MESSAGE-LAYOUT", "lines", "json"), "form");
});

test("a request that one serves and the other refuses is a matter of what is accepted", () => {
  assert.equal(at("URI-QUERY", "accepted", "METADATA_URL"), "acceptance");
  assert.equal(at("TRAILING-SLASH", "NO_EXECUTION_ENDPOINT", "served"), "acceptance");
  assert.equal(at("CANONICAL-TRIMMING", "same-input", "changed-input"), "acceptance");
  assert.equal(at("JSON-DUPLICATE-KEY-WINNER", "first-wins", "last-wins"), "acceptance");
});

test("a request that both refuse is a matter of the answer to a fault", () => {
  assert.equal(at("URI-QUERY", "METADATA_HOST", "METADATA_URL"), "answer");
  assert.equal(at("ORDER-BEARER-OR-KEY", "bearer", "key"), "answer");
});

test("limits, lifetimes and what is remembered are one matter", () => {
  assert.equal(at("RATE-SHAPE", "fixed", "sliding"), "limit");
  assert.equal(at("CHALLENGE-INSTANT", "valid", "expired"), "limit");
  assert.equal(at("KEY-MEMORY", "remembered", "forgotten"), "limit");
});

test("one reading among several is enough to be served", () => {
  assert.equal(at("URI-QUERY", "METADATA_URL | accepted", "METADATA_URL"), "acceptance");
});

test("every observable point falls into a kind that there is, and every kind has points", () => {
  const kinds = new Set(
    [...points.values()]
      .filter(({ observable }) => observable)
      .map((point) =>
        impactOf(
          point,
          point.readings.map(({ id }) => id),
        ),
      ),
  );
  assert.deepEqual([...kinds].sort(), Object.keys(IMPACTS).sort());
});
