import assert from "node:assert/strict";
import { after, test } from "node:test";
import { audit } from "../../testing/audit.ts";
import { openPage, overflow, startBrowser } from "../../testing/browser.ts";
import { contract } from "../../testing/contract-data.ts";
import { REPORT_CONTEXT } from "../../testing/reporting.ts";
import { runWith, suitesOf, vectorText } from "../../testing/run-vectors.ts";
import { comparePage } from "../compare/compare-page.ts";
import { compareReports } from "../compare/comparison.ts";
import { viewOf } from "../view.ts";
import { htmlReport } from "./html-report.ts";

const browser = await startBrowser();
after(() => browser.close());

/** What would run, redraw, hide, turn the direction of writing or fill the page, for every field. */
const HOSTILE = [
  "\u001b[31m\u001b]0;owned\u0007\u009b2J\u0000\u202egnorw\u2066\u200b\u200f\u2028\ud800",
  "<script>alert(1)</script><img src=http://a.example/x onerror=alert(2)><svg/onload=alert(3)>",
  "</pre></details></style><style>*{display:none}</style><!--\"'`>javascript:alert(4)<base href=//a.example>",
  "שלום العربية",
  "x".repeat(1_000_000),
].join(" ");
const body = () => ({
  code: HOSTILE,
  [HOSTILE.slice(0, 500)]: HOSTILE,
  productionApproved: HOSTILE,
  cost: { accounts: [HOSTILE, { kind: HOSTILE }] },
});
const service = {
  facts: { metadataHosts: ["a.example", "b.example"] as const },
  createService: () => ({ handle: () => ({ status: 400, body: body() }) }),
};

test("what a hostile service says is text, in either page", async (context) => {
  const suites = suitesOf(context, vectorText("- platform: {}\n- challenge: { for: alice }"));
  const found = await runWith({ suites }, service);
  const report = {
    ...found,
    implementation: { name: HOSTILE, version: HOSTILE, language: HOSTILE },
    choices: [{ point: "MESSAGE-LAYOUT", observed: HOSTILE, reference: "lines" }],
    advice: [{ rule: "LIMIT-20", message: HOSTILE }],
  };
  const other = { ...report, choices: [{ point: "MESSAGE-LAYOUT", observed: "lines", reference: "lines" }] };
  const files = [report, other].map((one) => ({ file: HOSTILE, report: one }));
  const invocation = { command: "kit run", options: [HOSTILE.slice(0, 300)], seed: 1 };
  const pages = {
    report: htmlReport(
      viewOf(report, { ...REPORT_CONTEXT, contract, operationOf: contract.operations.of, invocation }),
    ),
    compare: comparePage(compareReports(files, contract), contract),
  };
  for (const [name, html] of Object.entries(pages)) {
    assert.ok(html.length < 1_000_000, `${name} has ${html.length} characters`);
    assert.ok(!html.includes("\u202e") && !html.includes("\u001b"), name);
    const { page, events } = await openPage(context, browser, html, { width: 390 });
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    await page.waitForLoadState("networkidle");
    assert.deepEqual(events, [], name);
    assert.equal(await page.locator("img, base, svg[onload], main script, main style").count(), 0, name);
    assert.match((await page.locator("h1, .subject h2").last().textContent()) ?? "", /<script>alert\(1\)/);
    assert.match((await page.locator("body").textContent()) ?? "", /\\u\{202e\}gnorw/);
    assert.equal(await overflow(page), 0, name);
    assert.deepEqual(await audit(page), [], name);
  }
});
