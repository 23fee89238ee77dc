import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { loadModule } from "../adapters/load-module.ts";
import { PATHS } from "../paths.ts";
import { failedResult, failureOf, resultOf } from "../testing/results.ts";
import { runWith, suitesOf, vectorText } from "../testing/run-vectors.ts";
import { smallReport } from "../testing/small-report.ts";
import { jsonReport } from "./json.ts";

const schema = JSON.parse(readFileSync(join(PATHS.contract, "report.schema.json"), "utf8"));
const validate = new Ajv2020({ allErrors: true, strict: true }).compile(schema);

/** Where a report departs from its schema. */
function faults(report: unknown): readonly string[] {
  validate(JSON.parse(JSON.stringify(report)));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const REPORT = smallReport([
  resultOf("limits/one", ["LIMIT-1"], { observations: [{ point: "SHAPE", reading: "so" }] }),
  failedResult("limits/two", ["LIMIT-2"]),
  resultOf("limits/three", ["LIMIT-2"], { outcome: "skipped", reason: "needs x" }),
  resultOf("errors/one", ["ERROR-1"], {
    outcome: "error",
    reason: "no answer",
    incidental: [failureOf(["LIMIT-1"])],
  }),
  resultOf("properties/one", ["ERROR-1"], { kind: "property", advice: [{ rule: "LIMIT-4", message: "do" }] }),
]);

test("a report with every outcome keeps its schema", () => assert.deepEqual(faults(REPORT), []));

test("real runs keep it, those of services that break everything above all", async (context) => {
  const suites = suitesOf(context, vectorText("- build: { by: alice }", "DRAFT-1"));
  assert.deepEqual(faults(await runWith({ suites })), []);
  for (const name of [
    "always-refuses",
    "answers-garbage",
    "hostile-text",
    "lies-about-status",
    "throws",
    "throws-after-profile",
  ]) {
    const service = await loadModule(join(PATHS.root, `legacy/testing/services/${name}.ts`));
    assert.deepEqual(faults(await runWith({ suites }, service)), [], name);
  }
});

/** A copy of the report with the member at the path replaced; undefined takes it away. */
function replaced(path: string, value: unknown): unknown {
  const copy = structuredClone(REPORT) as unknown as Record<string, never>;
  const steps = path.split(".");
  const last = steps.pop() ?? "";
  const holder = steps.reduce<Record<string, never>>((inner, step) => inner[step] as never, copy);
  Object.assign(holder, { [last]: value });
  return copy;
}

for (const [path, value] of [
  ["kit", undefined],
  ["further", 1],
  ["contract", "partner-preview-2"],
  ["verdict", "passed"],
  ["exitStatus", 2],
  ["totals.passed", -1],
  ["totals.skipped", undefined],
  ["results", []],
  ["results.0.outcome", "ok"],
  ["results.0.further", 1],
  ["results.0.failures", [failureOf(["LIMIT-1"])]],
  ["results.1.failures", []],
  ["results.1.failures.0.rules", []],
  ["results.1.failures.0.differences", []],
  ["results.1.failures.0.place.line", 0],
  ["results.1.failures.0.request", { method: "GET" }],
  ["results.2.reason", undefined],
  ["results.3.reason", undefined],
  ["rules.0.outcome", "skipped"],
  ["rules.0.id", "limit-1"],
  ["suite.digest", "abc"],
  ["choices.0.observed", undefined],
  ["allowedUntried", undefined],
] as const) {
  test(`the schema refuses ${path} ${value === undefined ? "absent" : JSON.stringify(value).slice(0, 40)}`, () => {
    assert.notDeepEqual(faults(replaced(path, value)), []);
  });
}

test("the text is JSON of the same value, and can be shown on a terminal", () => {
  const hostile = "\u001b[2J\u007f\u009b31m\u202e\u2028\u{e0041}\ud800 é 😀";
  const report = smallReport([resultOf("limits/one", ["LIMIT-1"], { outcome: "skipped", reason: hostile })]);
  const text = jsonReport(report);
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(report)));
  assert.doesNotMatch(text.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
  assert.match(text, /\\u009b31m\\u202e\\u2028\\udb40\\udc41\\ud800 é 😀/);
});

test("who accepts an untried rule is told so in the report", () => {
  const results = [resultOf("limits/one", ["LIMIT-1", "LIMIT-2"])];
  assert.deepEqual(smallReport(results, ["ERROR-1", "LIMIT-1"]).allowedUntried, ["ERROR-1"]);
  assert.deepEqual(smallReport(results).allowedUntried, []);
});
