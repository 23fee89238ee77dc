import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { GatedReport } from "../policies/gated-report.ts";
import { REPORT_CONTEXT } from "../testing/reporting.ts";
import { failedResult } from "../testing/results.ts";
import { smallReport } from "../testing/small-report.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import type { Output } from "./output.ts";
import type { Reporter } from "./reporters.ts";
import { loadReporters } from "./reporters.ts";
import { writeReports } from "./write-reports.ts";

const REPORT = smallReport([failedResult("limits/bad", ["LIMIT-1"])]);

async function written(
  reporters: readonly Reporter[],
  more: Partial<Output> = {},
  report: GatedReport = REPORT,
) {
  const said = { out: "", err: "" };
  const output: Output = {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    color: false,
    width: 100,
    live: false,
    ...more,
  };
  return { complete: await writeReports(reporters, report, REPORT_CONTEXT, output), ...said };
}

test("the console's report is written unless another takes its place", async () => {
  const plain = await written(await loadReporters([]));
  assert.deepEqual([plain.complete, plain.err], [true, ""]);
  assert.match(plain.out, /^does not conform: /m);
  assert.equal(JSON.parse((await written(await loadReporters(["json"]))).out).seed, 7);
});

test("colours are for the terminal alone", async (context) => {
  const file = join(temporaryDirectory(context), "report.txt");
  const reporters = await loadReporters([`console=${file}`]);
  const { out } = await written(reporters, { color: true });
  assert.ok(out.includes("\u001b[31mFAILED"));
  assert.match(readFileSync(file, "utf8"), /^FAILED/m);
  assert.doesNotMatch(readFileSync(file, "utf8"), /\p{Cc}(?<!\n)/u);
});

test("a file that cannot be written is one line, and the others are written", async (context) => {
  const directory = temporaryDirectory(context);
  const file = join(directory, "report.json");
  const { complete, out, err } = await written(await loadReporters([`json=${directory}`, `json=${file}`]));
  assert.deepEqual([complete, err], [false, `${directory}: the json report could not be written (EISDIR)\n`]);
  assert.match(out, /^does not conform: /m);
  assert.equal(JSON.parse(readFileSync(file, "utf8")).seed, 7);
});

test("a report that cannot be made is one line, and the others are written", async () => {
  const broken: Reporter = {
    name: "broken",
    write: () => {
      throw new Error("\u001b[2Jno\nluck");
    },
  };
  const { complete, out, err } = await written([broken, ...(await loadReporters(["dot"]))]);
  assert.deepEqual([complete, err], [false, "the broken report could not be made: [2Jno luck\n"]);
  assert.match(out, /^XX\n/);
});

test("what did not reach standard output is one line", async () => {
  const { complete, err } = await written(await loadReporters(["github"]), { lost: async () => "EPIPE" });
  assert.equal(complete, false);
  assert.match(err, /^standard output: the console and the github report could not be written \(EPIPE\)\n$/);
});

test("a report that appends leaves what is there", async (context) => {
  const file = join(temporaryDirectory(context), "summary.md");
  writeFileSync(file, "before\n");
  await written([{ name: "page", file, appends: true, write: () => "after\n" }]);
  assert.equal(readFileSync(file, "utf8"), "before\nafter\n");
});

test("GitHub is given a page on the job beside the annotations, where it says into which file", async (context) => {
  const file = join(temporaryDirectory(context), "summary.md");
  const before = process.env["GITHUB_STEP_SUMMARY"];
  context.after(() => {
    if (before === undefined) delete process.env["GITHUB_STEP_SUMMARY"];
    else process.env["GITHUB_STEP_SUMMARY"] = before;
  });
  process.env["GITHUB_STEP_SUMMARY"] = file;
  const { out } = await written(await loadReporters(["github"]));
  assert.match(out, /^::error title=limits\/bad fails LIMIT-1/m);
  assert.match(readFileSync(file, "utf8"), /^<h2>❌ my-service 0\.9: does not conform<\/h2>/);
});
