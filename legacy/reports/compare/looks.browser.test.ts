import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { inProcessAdapter, type ServiceModule } from "../../adapters/in-process.ts";
import { loadSuites } from "../../engine/vectors/load.ts";
import { PATHS } from "../../paths.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { audit } from "../../testing/audit.ts";
import { openPage, overflow, startBrowser } from "../../testing/browser.ts";
import { contract } from "../../testing/contract-data.ts";
import { type Envelope, reference, spoiled } from "../../testing/reference.ts";
import { REPORT_CONTEXT } from "../../testing/reporting.ts";
import { runWith } from "../../testing/run-vectors.ts";
import { htmlReport } from "../html/html-report.ts";
import { viewOf } from "../view.ts";
import { comparePage } from "./compare-page.ts";
import { compareReports } from "./comparison.ts";

/** Where the pictures go: a folder that is named, for people to look at, or one that nobody looks into. */
const SCREENSHOTS = process.env["SCREENSHOTS"] ?? mkdtempSync(join(tmpdir(), "launch-draft-screenshots-"));
mkdirSync(SCREENSHOTS, { recursive: true });

const suites = loadSuites(PATHS.suites, PATHS.suiteSchema, contract);
const browser = await startBrowser();
after(() => browser.close());

/** Suites in which enough fails to fill a page, and not so much that looking at it takes minutes. */
const RED_SUITES = new Set(["platform", "challenge", "verify", "cost", "errors"]);
const some = { ...suites, vectors: suites.vectors.filter(({ suite }) => RED_SUITES.has(suite)) };

/** Vectors, all of them unless told, against a service that calls itself so. */
async function judged(
  service: ServiceModule,
  name: string,
  version: string,
  played = suites,
): Promise<GatedReport> {
  const report = await runWith({
    suites: played,
    adapter: inProcessAdapter(service, { name }),
    kitVersion: "0.1.0",
  });
  return { ...report, implementation: { name, version, language: "TypeScript" } };
}

const green = await judged(reference, "launch-draft-reference", "0.1.0");
const red = await judged(spoiled(breakIt), "broken-launchpad", "2.3.0-rc.1", some);
const other = await judged(spoiled(inSeconds), "seconds-service", "1.4.2");
const files = [green, other, red].map((report) => ({ file: `${report.implementation.name}.json`, report }));

function breakIt({ status, body }: Envelope): unknown {
  if (body.code === "EXPIRED_OR_USED_CHALLENGE") return { status, body: { ...body, code: "INVALID_PROOF" } };
  if (body.cost) return { status, body: { ...body, cost: { ...body.cost, reserveLamports: 900_000 } } };
  return undefined;
}

/** The same moments as whole seconds, which the contract leaves open. */
function inSeconds({ status, body }: Envelope): unknown {
  if (typeof body.expiresAt !== "string") return undefined;
  return { status, body: { ...body, expiresAt: Math.floor(Date.parse(body.expiresAt) / 1000) } };
}

function page(report: GatedReport): string {
  const invocation = { command: "npx kit run", options: ["--module", "./service.ts"], seed: 1 };
  return htmlReport(
    viewOf(report, { ...REPORT_CONTEXT, contract, operationOf: contract.operations.of, invocation }),
  );
}

const PAGES = {
  green: page(green),
  red: page(red),
  compare: comparePage(compareReports(files, contract), contract),
};

test("the pages have the content that they are looked at for", () => {
  assert.equal(green.verdict, "conforms");
  assert.ok(red.totals.failed >= 40, `${red.totals.failed} failed`);
  assert.equal(other.verdict, "conforms");
});

for (const [name, html] of Object.entries(PAGES)) {
  for (const width of [1280, 390]) {
    for (const scheme of ["light", "dark"] as const) {
      test(`the ${name} page at ${width} pixels, ${scheme}, has no fault that axe-core finds`, async (context) => {
        const { page, events } = await openPage(context, browser, html, { width, scheme });
        const path = join(SCREENSHOTS, `${name}-${width}-${scheme}.png`);
        await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width, height: 2400 } });
        // One of each kind of fold, as a person would open some and not all.
        const folds = ".test, .rule, .area, #choices .group, #passed .group, .fold, .more, .timeline details";
        await page.evaluate(
          `for (const fold of new Set("${folds}".split(", ").flatMap((one) => [...document.querySelectorAll(one)].filter((it) => it.localName === "details").slice(0, 2)))) fold.open = true`,
        );
        assert.equal(await overflow(page), 0);
        assert.deepEqual(await audit(page), []);
        assert.deepEqual(events, []);
      });
    }
  }
}
