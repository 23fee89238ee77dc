import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { GatedReport } from "../policies/gated-report.ts";
import { runCli } from "../testing/run-cli.ts";
import { vectorText } from "../testing/run-vectors.ts";
import { temporaryDirectory, temporaryFile } from "../testing/temporary-file.ts";

/** What a page shows, without its style. */
function shownOf(page: string): string {
  return page.replace(/<style>[\s\S]*?<\/style>/, "");
}

test("a selection that passes is told apart from a verdict in every report", async (context) => {
  const folder = temporaryDirectory(context);
  const file = (name: string) => join(folder, name);
  const text = (name: string) => readFileSync(file(name), "utf8");
  const texts = ["json", "html", "junit", "tap"];
  const { status, stdout, stderr } = await runCli([
    ...["run", "--only", "platform/constants", "--runs", "0", "--exhaustive", "0"],
    ...["--reporter", "console"],
    ...[...texts, "badge"].flatMap((name) => ["--reporter", `${name}=${file(name)}`]),
  ]);
  assert.equal(status, 0);
  assert.match(stdout, /^selection: 3 of \d+ vectors and properties, no verdict on the whole/m);
  assert.match(stdout, /^selection passed: 8 of 8 required rules of the selection kept\n3 passed, 0 failed/m);
  assert.doesNotMatch(stdout, /untried/);
  assert.equal(stderr, "badge: not written, since no verdict is given\n");
  assert.ok(!existsSync(file("badge")));
  const { verdict, selection } = JSON.parse(text("json")) as GatedReport;
  assert.deepEqual([verdict, selection?.outcome], ["undecided", "passed"]);
  assert.match(text("html"), /<title>selection passed: /);
  assert.match(text("junit"), /selection passed/);
  const compared = await runCli(["compare", file("json"), file("json"), "--reporter", "console"]);
  const page = await runCli(["compare", file("json"), file("json"), "--reporter", "html"]);
  assert.match(compared.stdout, /verdict +selection passed +selection passed/);
  assert.match(page.stdout, /selection passed/);
  for (const said of [stdout, shownOf(text("html")), text("junit"), text("tap"), compared.stdout])
    assert.doesNotMatch(said, /\bconforms\b/i);
  assert.doesNotMatch(shownOf(page.stdout), /class="[^"]*conforms|>conforms</);
});

test("vectors that are replayed are a selection, too", async (context) => {
  const folder = temporaryDirectory(context);
  const vectors = temporaryFile(context, "suite.yaml", vectorText("- platform:\n  expect: 200"));
  const [json, badge] = [join(folder, "report.json"), join(folder, "badge.json")];
  const reporters = ["--reporter", `json=${json}`, "--reporter", `badge=${badge}`];
  const { status, stdout, stderr } = await runCli(["replay", vectors, ...reporters]);
  assert.deepEqual([status, stderr], [0, "badge: not written, since no verdict is given\n"]);
  assert.match(stdout, /^selection passed\n1 passed, 0 failed/m);
  const { verdict, selection } = JSON.parse(readFileSync(json, "utf8")) as GatedReport;
  assert.deepEqual([verdict, selection], ["undecided", { only: [], chosen: 1, of: 1, outcome: "passed" }]);
  assert.equal(existsSync(badge), false);
});
