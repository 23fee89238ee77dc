// Alone, because tap-parser has the package `yaml` take no text for a timestamp any more, whoever asks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Parser } from "tap-parser";
import { hostileReport, outcomesReport } from "../testing/outcomes-report.ts";
import { reportText } from "../testing/reporting.ts";

/** What a parser makes of the text: all that is no TAP, and the assertions of the inner tests. */
function parsed(text: string) {
  const strange: string[] = [];
  const results = { ok: 0, failed: 0, skipped: 0, todo: 0 };
  const reasons: string[] = [];
  const top = new Parser({ bail: false });
  top.on("child", (child: Parser) => {
    child.on("assert", ({ ok, skip, todo }: { ok: boolean; skip: unknown; todo: unknown }) => {
      if (skip) results.skipped += 1;
      else if (todo) results.todo += 1;
      else if (ok) results.ok += 1;
      else results.failed += 1;
      for (const reason of [skip, todo]) if (typeof reason === "string") reasons.push(reason);
    });
    child.on("extra", (line: string) => strange.push(line));
  });
  top.on("extra", (line: string) => strange.push(line));
  top.on("bailout", () => strange.push("bail out"));
  top.end(text);
  return { results, reasons, strange, count: top.count, failures: top.failures.length };
}

test("a parser counts what the report counts", async () => {
  const report = outcomesReport();
  const { results, reasons, strange } = parsed(await reportText("tap", report));
  const { passed, skipped, error } = report.totals;
  const failed = report.results.filter(({ outcome, known }) => outcome === "failed" && !known);
  const waived = report.totals.failed - failed.length;
  assert.deepEqual(results, { ok: passed, failed: failed.length + error, skipped, todo: waived });
  assert.deepEqual(reasons, ["needs the operator key", "to be mended https://a.example/1"]);
  assert.deepEqual(strange, []);
});

test("what an implementation writes adds no test, no plan and no end", async () => {
  const report = hostileReport();
  const { results, strange, count } = parsed(await reportText("tap", report));
  assert.deepEqual(results, { ok: 1, failed: 3, skipped: 1, todo: 1 });
  assert.deepEqual([strange, count], [[], 2]);
});

test("a failure's whole story is there as YAML", async () => {
  const text = await reportText("tap", hostileReport());
  const diags: unknown[] = [];
  const top = new Parser();
  top.on("child", (child: Parser) =>
    child.on("assert", ({ ok, diag }: { ok: boolean; diag: unknown }) => {
      if (!ok) diags.push(diag);
    }),
  );
  top.end(text);
  const [bad] = diags as readonly { readonly error?: string; readonly failureType?: string }[];
  assert.equal(diags.length, 4);
  assert.equal(bad?.failureType, "testCodeFailure");
  assert.match(bad?.error ?? "", /^LIMIT-1: .*\nFAILED {2}limits\/bad /);
});
