import assert from "node:assert/strict";
import { test } from "node:test";
import type { GatedReport } from "../policies/gated-report.ts";
import { REPORT_CONTEXT } from "../testing/reporting.ts";
import { failedResult, failureOf, resultOf } from "../testing/results.ts";
import { smallReport } from "../testing/small-report.ts";
import { consoleReport } from "./console.ts";
import { viewOf } from "./view.ts";

const INVOCATION = { command: "npx kit run", options: ["--module", "./my service.ts"], seed: 7 };
const text = (report: GatedReport, more: { color?: boolean; verbose?: boolean; width?: number } = {}) =>
  consoleReport(viewOf(report, { ...REPORT_CONTEXT, invocation: INVOCATION, ...more }));
const ALL_PASSED = [resultOf("limits/one", ["LIMIT-1", "LIMIT-2"]), resultOf("errors/one", ["ERROR-1"])];

test("a run in which all is well, from head to foot", () => {
  const observations = [
    { point: "SHAPE", reading: "otherwise" },
    { point: "CODE-X", reading: "A" },
  ];
  const results = [...ALL_PASSED, resultOf("limits/two", ["LIMIT-1"], { observations })];
  assert.equal(
    text(smallReport(results)),
    `launch-draft-conformance 1.2.3 · contract partner-preview-1 · seed 7, 20 runs a property
my-service 0.9 (Go), stdio

  area     required rules kept         results   open points
  Limits   2/2                         2         1
  Errors   1/1                         1         1

Observed choices: 2 of 2 open points seen, 1 unlike the reference's
  unlike the reference   observed    reference
  SHAPE                  otherwise   so
  1 as the reference's (--verbose lists them)

conforms: 3 of 3 required rules kept
3 passed, 0 failed, 0 skipped, 0 error; 3 of 3 run, suite 1.2.3 0123456789ab, 1.23 s
`,
  );
});

test("--verbose lists what is as usual, wrapped to the terminal", () => {
  const observations = [
    { point: "SHAPE", reading: "so" },
    { point: "CODE-X", reading: "A" },
  ];
  const report = smallReport([resultOf("x/y", ["LIMIT-1"], { observations })]);
  assert.match(
    text(report, { verbose: true }),
    /seen, 0 unlike the reference's\n {2}Limits: SHAPE so\n {2}Errors: CODE-X A\n/,
  );
  assert.match(
    text(report, { verbose: true, width: 16 }),
    /\n {2}Limits:\n {2}SHAPE so\n {2}Errors:\n {2}CODE-X A\n/,
  );
});

test("failures come first, whole; the verdict comes last", () => {
  const lines = text(smallReport([...ALL_PASSED, failedResult("limits/bad", ["LIMIT-1"])])).split("\n");
  assert.match(lines[3] ?? "", /^FAILED {2}limits\/bad {3}vectors\/suites\/sample\.yaml:12, step 1$/);
  assert.ok(lines.some((line) => /^ {2}Limits +1\/2 +1 failed +2 +1$/.test(line)));
  assert.equal(lines.at(-3), "does not conform: 2 of 3 required rules kept");
});

test("the same wrong answer to the same request is told once, with the others' ids", () => {
  const results = ["a", "b", "c", "d", "e"].map((name) => failedResult(`limits/${name}`, ["LIMIT-1"]));
  const told = text(smallReport(results));
  assert.equal(told.match(/^FAILED/gm)?.length, 1);
  assert.match(told, /^ {2}likewise {2}limits\/b, limits\/c, limits\/d and 1 more$/m);
});

test("a cause that shows in many requests and breaks many rules is one block, within the terminal's width", () => {
  const results = ["/v1/sign", "/v1/send", "/v1/buy", "/v1/claim", "/v1/payout"].map((path, index) => {
    const rules = [index === 0 ? "LIMIT-1" : "LIMIT-2"];
    const expected = "404 NO_EXECUTION_ENDPOINT";
    const differences = [{ path: "status", expected, got: "405" }];
    const failure = failureOf(rules, { request: { method: "PUT", path }, expected, got: "405", differences });
    return resultOf(`suite-${index}/asked`, rules, { outcome: "failed", failures: [failure] });
  });
  const told = text(smallReport(results), { width: 64 });
  assert.equal(told.match(/^FAILED/gm)?.length, 1);
  assert.match(told, /^ {2}likewise {2}suite-1\/asked, suite-2\/asked and 2 more$/m);
  assert.match(told, /^ {2}requests {2}PUT \/v1\/send, PUT \/v1\/buy, PUT \/v1\/claim and 1 more$/m);
  assert.match(told, /^ {2}breaks {4}LIMIT-2$/m);
  const lines = told.slice(told.indexOf("FAILED"), told.indexOf("area")).split("\n");
  assert.deepEqual(
    lines.filter((line) => line.length > 64 && !/^ {2}again/.test(line)),
    [],
  );
});

test("a test that gets the wrong answer twice is not like itself", () => {
  const one = failedResult("limits/a", ["LIMIT-1"]);
  const twice = { ...one, failures: [...one.failures, ...one.failures] };
  assert.doesNotMatch(text(smallReport([twice])), /likewise/);
  assert.match(
    text(smallReport([twice, failedResult("limits/b", ["LIMIT-1"])])),
    /^ {2}likewise {2}limits\/b$/m,
  );
});

test("a flood of failures is cut: some whole, more as a line, the rest counted", () => {
  const results = Array.from({ length: 50 }, (_, index) =>
    resultOf(`limits/${index}`, ["LIMIT-1"], {
      outcome: "failed",
      failures: [failureOf(["LIMIT-1"], { got: `${400 + index} X` })],
    }),
  );
  const told = text(smallReport(results));
  assert.equal(told.match(/^FAILED/gm)?.length, 5);
  assert.equal(told.match(/^failed {2}limits/gm)?.length, 25);
  assert.match(told, /^… and 20 more; --reporter json=FILE has them all$/m);
  assert.match(told, /^failed {2}limits\/5 {2}LIMIT-1 {2}expected 200, got 405 X$/m);
});

test("what was not run is told by reason: a reason that many share once", () => {
  const skipped = ["a", "b", "c", "d"].map((name) =>
    resultOf(`limits/${name}`, ["LIMIT-2"], {
      outcome: "skipped",
      reason: "needs what only the implementation can tell (fact operatorKey)",
    }),
  );
  const broke = resultOf("errors/x", ["ERROR-1"], { outcome: "error", reason: "handle threw: out of luck" });
  const told = text(smallReport([resultOf("limits/e", ["LIMIT-1"]), ...skipped, broke]));
  assert.match(told, /^ERROR {2}handle threw: out of luck\n {9}errors\/x$/m);
  assert.match(
    told,
    /^skipped {2}needs what only the implementation can tell \(fact operatorKey\)\n {9}4 tests: limits\/a, limits\/b, limits\/c and 1 more\n {9}\(--verbose names them all\)$/m,
  );
  assert.match(
    told,
    /undecided: 1 of 3 required rules kept\n1 passed, 0 failed, 4 skipped, 1 error; 1 of 6 run, .*\n {2}untried: LIMIT-2\n {11}needs what only the implementation can tell \(fact operatorKey\)\n {2}untried: ERROR-1\n {11}handle threw: out of luck\n$/,
  );
});

test("a rule that only a fact would show is told to be not observable, and no verdict hangs on it", () => {
  const reason = "needs what only the implementation can tell (fact operatorKey)";
  const told = text(
    smallReport([
      resultOf("limits/a", ["LIMIT-1"]),
      resultOf("limits/b", ["LIMIT-2"], { outcome: "skipped", reason, lacks: ["fact:operatorKey"] }),
      resultOf("errors/x", ["ERROR-1"]),
    ]),
  );
  assert.match(told, /^conforms: 2 of 2 required rules kept$/m);
  assert.match(told, /^ {2}not observable: LIMIT-2\n {18}needs what only the implementation can tell/m);
});

test("rules that nothing selected tries are named, with what would try them", () => {
  assert.match(
    text(smallReport([resultOf("limits/one", ["LIMIT-1"])])),
    /untried: LIMIT-2 ERROR-1\n {11}no selected vector tries it; run without --only\n/,
  );
});

test("over HTTP, the last lines tell what gives the kit a clock", () => {
  const reason = "waits 3600 s on a real clock, longer than --max-wait 90s";
  const report = smallReport([
    resultOf("limits/a", ["LIMIT-2"], { outcome: "skipped", reason, lacks: ["capability:clock"] }),
  ]);
  const hint = /\n {2}--control-url lets the kit set the clock and restart\n/;
  assert.match(text({ ...report, adapter: "http" }), hint);
  assert.doesNotMatch(text(report), hint);
});

test("the last line of an undecided run is the option that accepts it", () => {
  const waits = (id: string, rule: string, reason: string) =>
    resultOf(id, [rule], { outcome: "skipped", reason, lacks: ["capability:clock"] });
  const told = text(
    smallReport([
      resultOf("limits/one", ["LIMIT-1"]),
      waits("limits/hour", "LIMIT-2", "waits 3600 s on a real clock"),
      waits("errors/day", "ERROR-1", "waits 86400 s on a real clock"),
    ]),
  );
  assert.match(
    told,
    /\n {2}untried: LIMIT-2 ERROR-1\n {11}waits 3600 s on a real clock\n {2}to accept untested rules, use\n {4}--allow-untried capability:clock\n$/,
  );
});

test("untried rules that the user accepts are named all the same", () => {
  const told = text(smallReport([resultOf("limits/one", ["LIMIT-1", "LIMIT-2"])], ["ERROR-1"]));
  assert.match(told, /^conforms: 2 of 3 required rules kept\n.*\n {2}untried, as allowed: ERROR-1\n$/m);
});

test("a failure that does not count is a line with the reason, and what the run was held to stands before the verdict", () => {
  const known = { ...failedResult("limits/known", ["LIMIT-1"]), known: { reason: "to be mended" } };
  const baseline = {
    file: "known.yaml",
    known: ["limits/known"],
    stale: [{ id: "limits/gone", why: "it passes" }],
    expired: [],
    otherRules: [],
  };
  const told = text({ ...smallReport([...ALL_PASSED, known]), baseline });
  assert.doesNotMatch(told, /^FAILED/m);
  assert.match(told, /^known {4}to be mended\n {9}limits\/known$/m);
  assert.match(
    told,
    /^baseline known\.yaml: 1 known failure waived\nstale in the baseline: limits\/gone {2}it passes\n\ndoes not conform: /m,
  );
});

test("advice is told and fails nothing", () => {
  const advice = [{ rule: "LIMIT-4", message: "do it otherwise" }];
  const told = text(smallReport([...ALL_PASSED, resultOf("limits/two", ["LIMIT-4"], { advice })]));
  assert.match(told, /^advice {2}LIMIT-4 {2}do it otherwise$/m);
  assert.match(told, /^conforms: 3 of 3/m);
});

test("colours are there where they are wanted, and change no word", () => {
  const report = smallReport([...ALL_PASSED, failedResult("limits/bad", ["LIMIT-1"])]);
  const coloured = text(report, { color: true });
  assert.ok(coloured.includes("\u001b[31mFAILED"));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
  assert.equal(coloured.replaceAll(/\u001b\[\d+m/g, ""), text(report));
});
