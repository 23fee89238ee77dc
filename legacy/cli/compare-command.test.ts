import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { jsonReport } from "../reports/json.ts";
import { keptOutput } from "../testing/output.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { threeReports } from "../testing/three-reports.ts";
import { compareCommand } from "./compare-command.ts";
import { UsageError } from "./usage-error.ts";

function reportFiles(context: TestContext): {
  readonly directory: string;
  readonly files: readonly string[];
} {
  const directory = temporaryDirectory(context);
  const files = threeReports().map(({ file, report }) => {
    const path = join(directory, file);
    writeFileSync(path, jsonReport(report));
    return path;
  });
  return { directory, files };
}

test("a table goes to the terminal, and a page and the data where they are asked for", async (context) => {
  const { directory, files } = reportFiles(context);
  const [page, data] = [join(directory, "compare.html"), join(directory, "compare.json")];
  const output = keptOutput();
  const reporter = ["console", `html=${page}`, `json=${data}`];
  assert.equal(await compareCommand({ files, reporter, verbose: false }, output), 0);
  assert.match(output.texts.join(""), /^A {2}first 1 .*first\.json\n/);
  assert.match(readFileSync(page, "utf8"), /^<!doctype html>/);
  const { subjects, pairs } = JSON.parse(readFileSync(data, "utf8"));
  assert.equal(subjects[2].verdict, "does-not-conform");
  assert.equal(pairs.length, 3);
});

test("each file that is no report is one line, and nothing is compared", async (context) => {
  const { directory, files } = reportFiles(context);
  const [empty, absent] = [join(directory, "empty.json"), join(directory, "absent.json")];
  writeFileSync(empty, "");
  const lines: string[] = [];
  const output = { ...keptOutput(), err: (text: string) => lines.push(text) };
  const given = { files: [...files, empty, absent], reporter: [], verbose: false };
  assert.equal(await compareCommand(given, output), 2);
  assert.deepEqual(output.texts, []);
  assert.equal(lines.length, 2);
  assert.match(lines[0] ?? "", /empty\.json: no JSON \(/);
  assert.match(lines[1] ?? "", /absent\.json: cannot be read \(ENOENT\)\n$/);
});

test("one report alone, and a reporter that is none, are wrong usage", async (context) => {
  const { files } = reportFiles(context);
  const output = keptOutput();
  const given = { files: files.slice(0, 1), reporter: [], verbose: false };
  await assert.rejects(compareCommand(given, output), UsageError);
  await assert.rejects(
    compareCommand({ files, reporter: ["htm"], verbose: false }, output),
    new UsageError('--reporter htm: a comparison is told by console, json, html (did you mean "html"?)'),
  );
});
