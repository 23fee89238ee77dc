import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { loadKitData } from "../../contract/kit-data.ts";
import { PATHS } from "../../paths.ts";
import { runWith } from "../../testing/run-vectors.ts";

/** One run of every vector against the bundled reference, by which the kit and its data are held to each other. */
const { contract, suites } = loadKitData();
const report = await runWith({ suites });

/** Vectors that only a server can be asked, or a service whose clock cannot be moved. */
const ELSEWHERE = new Set(
  suites.vectors.flatMap(({ id, needs }) => (needs.has("http") || needs.has("real-clock") ? [id] : [])),
);

test("the reference conforms, with every vector played that needs no server and no real clock", () => {
  const odd = report.results.filter(
    ({ id, outcome }) => outcome !== (ELSEWHERE.has(id) ? "skipped" : "passed"),
  );
  assert.deepEqual(
    odd.map(({ id, outcome, reason, failures }) => [
      id,
      outcome,
      reason,
      failures.map(({ rules, got }) => [rules, got]),
    ]),
    [],
  );
  assert.deepEqual([report.verdict, report.exitStatus], ["conforms", 0]);
  assert.equal(report.suite.executed, suites.vectors.length - ELSEWHERE.size);
});

test("every required rule that can be observed is passed, by two results at least", () => {
  const observable = report.rules.filter(
    ({ level, outcome }) => level === "required" && outcome !== "unobservable",
  );
  const thin = observable.filter(({ outcome, results }) => outcome !== "passed" || results.length < 2);
  assert.deepEqual(
    thin.map(({ id, outcome, results }) => [id, outcome, results.length]),
    [],
  );
});

test("every open point that can be observed without a server is shown, and the reference reads it as it says", () => {
  const observable = [...contract.points.values()].filter((point) => point.observable);
  assert.deepEqual(
    report.choices.map(({ point }) => point),
    observable.map(({ id }) => id),
  );
  const other = report.choices.filter(({ observed, reference }) => observed !== reference);
  assert.deepEqual(
    other.map(({ point, observed }) => [point, observed]),
    [["BEARER-SCHEME-CASE", "not seen"]],
  );
});

test("only readings that the open points have are ever recorded", () => {
  const observed = new Set(
    report.results.flatMap(({ observations }) =>
      observations.map(({ point, reading }) => `${point} ${reading}`),
    ),
  );
  const known = new Set(
    [...contract.points.values()].flatMap(({ id, readings }) =>
      readings.map((reading) => `${id} ${reading.id}`),
    ),
  );
  assert.deepEqual(
    [...observed].filter((one) => !known.has(one)),
    [],
  );
});

test("the reference is advised of the two things that it chose to accept", () => {
  assert.deepEqual(
    report.advice.map(({ rule }) => rule),
    ["LAUNCH-38", "JSON-12"],
  );
});

test("its report keeps the schema", () => {
  const schema = JSON.parse(readFileSync(join(PATHS.contract, "report.schema.json"), "utf8"));
  const validate = new Ajv2020({ strict: true }).compile(schema);
  assert.ok(validate(JSON.parse(JSON.stringify(report))), JSON.stringify(validate.errors));
});
