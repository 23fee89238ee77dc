/** Reports on a second contract, of which no reporter has ever heard. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { schemaFault } from "../engine/data/schema.ts";
import { PATHS } from "../paths.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { forgetsLimit } from "../testing/counter/broken-counters.ts";
import { COUNTER } from "../testing/counter/counter-contract.ts";
import { counter } from "../testing/counter/counter-service.ts";
import { runCounter } from "../testing/counter/run-counter.ts";
import { temporaryFile } from "../testing/temporary-file.ts";
import { consoleReport } from "./console.ts";
import { htmlReport } from "./html/html-report.ts";
import { jsonReport } from "./json.ts";
import { readReport } from "./read-report.ts";
import type { ReportContext } from "./view.ts";
import { viewOf } from "./view.ts";

const CONTEXT: ReportContext = {
  contract: COUNTER,
  operationOf: COUNTER.operations.of,
  invocation: { command: "npx kit run", options: ["--module", "./counter.ts"], seed: 1 },
  color: false,
  width: 100,
  verbose: false,
};
const SEARCHED = { runs: 60, exhaustive: 4 };
const [right, broken] = [await runCounter(counter(), SEARCHED), await runCounter(forgetsLimit, SEARCHED)];

test("the console says what the counter's contract is called, what broke it, and the verdict", () => {
  const text = consoleReport(viewOf(broken, CONTEXT));
  assert.match(text, /contract counter-1 · seed 1, 60 runs a property\ncounter 1, in-process\n/);
  for (const said of [
    "LIMIT-2",
    "The limit",
    "409 FULL, or 422 FULL",
    "does not conform: 4 of 6 required rules kept",
  ])
    assert.ok(text.includes(said), `${said} in:\n${text}`);
  assert.match(consoleReport(viewOf(right, CONTEXT)), /\nconforms: 6 of 6 required rules kept/);
});

test("the JSON is read back as it was, and keeps the schema but for the contract's name", (context) => {
  const schema = JSON.parse(readFileSync(PATHS.reportSchema, "utf8"));
  schema.properties.contract = { const: COUNTER.id };
  const own = temporaryFile(context, "report.schema.json", JSON.stringify(schema));
  for (const report of [right, broken]) {
    const text = jsonReport(report);
    const read = JSON.parse(text) as GatedReport;
    assert.deepEqual(read, JSON.parse(JSON.stringify(report)));
    assert.equal(schemaFault(read, own), undefined);
    // What the kit reads back are reports on the contract that it is published for.
    assert.throws(
      () => readReport(temporaryFile(context, "report.json", text)),
      /contract must be "?partner-preview-1"?, not/,
    );
  }
});

test("the page shows the counter's rules, its open point and the verdict", () => {
  const page = htmlReport(viewOf(broken, CONTEXT));
  assert.match(page, /<title>does not conform: counter 1<\/title>/);
  for (const shown of [
    ...COUNTER.rules.keys(),
    ...COUNTER.points.keys(),
    ...COUNTER.areas.values(),
    COUNTER.id,
  ])
    assert.ok(page.includes(shown), `${shown} is not on the page`);
});
