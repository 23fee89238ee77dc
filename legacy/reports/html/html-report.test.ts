import assert from "node:assert/strict";
import { test } from "node:test";
import { REPORT_CONTEXT } from "../../testing/reporting.ts";
import { failedResult, failureOf, resultOf } from "../../testing/results.ts";
import { smallReport } from "../../testing/small-report.ts";
import { viewOf } from "../view.ts";
import { htmlReport } from "./html-report.ts";

const RED = smallReport([
  resultOf("limits/good", ["LIMIT-1"]),
  failedResult("limits/bad", ["LIMIT-2"]),
  resultOf("limits/unable", ["LIMIT-2"], { outcome: "skipped", reason: "needs the operator key" }),
  resultOf("errors/broken", ["ERROR-1"], { outcome: "error", reason: "no answer within 5 s" }),
]);
const page = (report = RED) => htmlReport(viewOf(report, REPORT_CONTEXT));

test("what is broken comes before what was kept", () => {
  const text = page();
  const ids = ["broken", "failures", "errors", "rules", "choices", "skipped", "passed"];
  const places = ids.map((id) => text.indexOf(`<section id="${id}"`));
  assert.ok(
    places.every((place) => place > 0),
    String(places),
  );
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  );
});

test("the verdict stands with its counts and what they mean", () => {
  const text = page();
  assert.match(text, /Does not conform<\/p><p>1 of 3 required rules kept, 1 broken, 1 untried\./);
  assert.match(text, /<title>does not conform: my-service 0\.9<\/title>/);
});

test("rules lead to their tests, and tests to their rules", () => {
  const text = page();
  assert.match(text, /<a class="id" href="#limits\/bad">limits\/bad<\/a>/);
  assert.match(text, /<a class="id rule-id" href="#LIMIT-2">LIMIT-2<\/a>/);
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length, "an id twice");
  for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) {
    assert.ok(ids.includes(decodeURIComponent(target ?? "")), target);
  }
});

test("a failure says what was expected, what came and how to see it again", () => {
  const text = page();
  assert.match(text, /<dt>Expected<\/dt><dd><bdi>200<\/bdi>/);
  assert.match(text, /<dd class="got"><bdi>400 INVALID_FIELDS<\/bdi>/);
  assert.match(text, /npx kit run --module \.\/my-service\.ts --only limits\/bad --seed 7/);
  assert.match(text, /vectors\/suites\/sample\.yaml:12/);
});

test("a failure that the user knows of stands apart, with the reason", () => {
  const bad = failedResult("limits/bad", ["LIMIT-2"]);
  const known = { reason: "to be mended", link: "https://a.example/1", expires: "2030-01-01" };
  const text = page(smallReport([{ ...bad, known }]));
  assert.match(text, /<section id="known"/);
  assert.doesNotMatch(text, /<section id="(failures|broken)"/);
  assert.match(text, /to be mended.*href="https:\/\/a\.example\/1".*until 2030-01-01/);
  const script = page(smallReport([{ ...bad, known: { reason: "r", link: "javascript:alert(1)" } }]));
  assert.doesNotMatch(script, /href="javascript/);
});

test("a replay gives no verdict", () => {
  const text = htmlReport(viewOf(RED, { ...REPORT_CONTEXT, replay: true }));
  assert.match(text, /<title>replay: my-service 0\.9<\/title>/);
  assert.match(text, /no verdict about the whole contract is given/);
  assert.doesNotMatch(text, /Does not conform/);
});

test("what the run was held to stands beside the verdict, and what fails it is pointed out", () => {
  const held = {
    file: "choices.yaml",
    changed: [{ point: "SHAPE", was: "so", observed: "otherwise" }],
    added: [],
    unseen: [],
    sameRun: true,
  };
  const seen = resultOf("limits/good", ["LIMIT-1"], {
    observations: [{ point: "SHAPE", reading: "otherwise" }],
  });
  const text = page({ ...smallReport([seen]), exitStatus: 1, heldChoices: held });
  assert.match(text, /<strong>Fails the run:<\/strong> <bdi>changed choice: SHAPE {2}otherwise, was so/);
  assert.match(text, /Changed since they were saved/);
});

test("a rule names the broken services that its tests were seen to fail on", () => {
  const report = smallReport([resultOf("limits/good", ["LIMIT-1"])]);
  const rules = report.rules.map((rule) => ({ ...rule, mutants: ["limits-lost"] }));
  assert.match(page({ ...report, rules }), /1 broken service of the kit's own: limits-lost/);
});

test("failures of one kind are told as one group", () => {
  const tests = Array.from({ length: 9 }, (_, index) => failedResult(`limits/bad-${index}`, ["LIMIT-2"]));
  const text = page(smallReport(tests));
  assert.equal(text.match(/<li class="failure-group"/g)?.length, 1);
  assert.match(text, /<strong>9 tests<\/strong>/);
  assert.match(text, /and 6 more/);
});

test("what was met on the way is told after what was asked for, with the rule of the answer that came", () => {
  const onTheWay = { aside: true, received: "ERROR-1", got: "429 FULL" } as const;
  const text = page(
    smallReport([
      resultOf("limits/way", ["LIMIT-2"], {
        outcome: "failed",
        failures: [failureOf(["LIMIT-1"], onTheWay)],
      }),
      failedResult("limits/bad", ["LIMIT-2"]),
    ]),
  );
  const told = [...text.matchAll(/<li class="failure-group".*?<dd class="got"><bdi>(.*?)<\/bdi>/gs)];
  assert.deepEqual(
    told.map(([, got]) => got),
    ["400 INVALID_FIELDS", "429 FULL"],
  );
  assert.match(text, /What came belongs to <a [^>]*>ERROR-1<\/a> The service keeps ERROR-1\./);
});

test("nothing but the page's own style and script can run, and nothing is loaded", () => {
  const text = page();
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(text)?.[1] ?? "";
  assert.match(policy, /^default-src &#39;none&#39;; style-src &#39;sha256-/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.doesNotMatch(text, / (src|style|on\w+)=/);
  assert.equal(text.match(/<script>/g)?.length, 1);
});

test("the same report gives the same page", () => {
  assert.equal(page(), page(structuredClone(RED)));
});

test("a page stays small, however much failed and however long it is", () => {
  const long = "x".repeat(1_000_000);
  const failure = failureOf(["LIMIT-2"], {
    got: long,
    request: { method: "POST", path: long, body: long, bearer: long },
    response: { status: 400, body: { code: long, [long]: long } },
    differences: [{ path: "code", expected: "A", got: long }],
  });
  const trace = Array.from({ length: 10 }, (_, index) => ({
    step: String(index),
    place: failure.place,
    clockMs: 0,
    request: failure.request,
    response: failure.response,
  }));
  const tests = Array.from({ length: 500 }, (_, index) =>
    resultOf(`limits/bad-${index}`, ["LIMIT-2"], { outcome: "failed", failures: [failure], trace }),
  );
  const text = page(smallReport(tests));
  assert.ok(text.length < 5_000_000, `${text.length} characters`);
  assert.match(text, /Shortened to keep the page small/);
  assert.match(text, /1,000,000 characters in all/);
});
