import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { GatedReport } from "../policies/gated-report.ts";
import { runCli } from "../testing/run-cli.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";

test("without arguments the bundled reference is judged: it conforms, and the report says what was looked at", async (context) => {
  const file = join(temporaryDirectory(context), "report.json");
  const { status, stdout: out, stderr: err } = await runCli(["--reporter", `json=${file}`]);
  assert.deepEqual([status, err], [0, ""]);
  const lines = out.trimEnd().split("\n");
  assert.match(
    lines[0] ?? "",
    /^launch-draft-conformance \S+ · contract partner-preview-1 · seed 1, \d+ runs a property$/,
  );
  assert.match(lines[1] ?? "", /^launch-draft-reference \S+ \(TypeScript\), in-process$/);
  assert.match(out, /^ {2}Unsigned draft +(\d+)\/\1 /m);
  const [, seen, points] =
    /^Observed choices: (\d+) of (\d+) open points seen, 0 unlike the reference's$/m.exec(out) ?? [];
  assert.equal(Number(points) - Number(seen), 1, "all but what HTTP alone shows");
  const verdict = lines.findIndex((line) => /^conforms: (\d+) of \1 required rules kept$/.test(line));
  assert.match(
    lines[verdict + 1] ?? "",
    /^(\d+) passed, 0 failed, (\d+) skipped, 0 error; \1 of \d+ run, suite \S+ [0-9a-f]{12}, \d+\.\d\d s$/,
  );
  assert.match(
    lines.slice(verdict + 2, verdict + 4).join("\n"),
    /^searched at random \d+ sequences, \d+ requests, \d+ states of the model;\n {9}every sequence of 3, \d+ steps in /,
  );
  assert.equal(lines[verdict + 4], "  deeper: --runs 600, --exhaustive 4");
  assert.match(lines[verdict + 5] ?? "", /^time: /);
  const report = JSON.parse(readFileSync(file, "utf8")) as GatedReport;
  assert.deepEqual([report.verdict, report.exitStatus, report.adapter], ["conforms", 0, "in-process"]);
  const required = report.rules.filter(
    ({ level, outcome }) => level === "required" && outcome !== "unobservable",
  );
  assert.deepEqual(
    required.filter(({ outcome, results }) => outcome !== "passed" || results.length < 2),
    [],
  );
});
