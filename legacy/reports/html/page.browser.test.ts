import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { type OpenPage, openPage, overflow, startBrowser, type View } from "../../testing/browser.ts";
import { REPORT_CONTEXT } from "../../testing/reporting.ts";
import { failedResult, failureOf, resultOf } from "../../testing/results.ts";
import { smallReport } from "../../testing/small-report.ts";
import { viewOf } from "../view.ts";
import { htmlReport } from "./html-report.ts";

const browser = await startBrowser();
after(() => browser.close());

const exchange = (step: string, clockMs: number) => ({
  step,
  clockMs,
  place: { file: "vectors/suites/sample.yaml", line: 12 },
  request: { method: "GET", path: "/v1/platform" },
  response: { status: 200, body: { mode: "M" } },
});
const REPORT = smallReport([
  resultOf("limits/good", ["LIMIT-1"]),
  resultOf("limits/bad", ["LIMIT-2"], {
    outcome: "failed",
    failures: [
      failureOf(["LIMIT-2"], {
        step: "2",
        clockMs: 60_000,
        request: { method: "POST", path: "/v1/x", body: '{"a":1}' },
        response: { status: 400, body: { code: "INVALID_FIELDS" } },
      }),
    ],
    trace: [exchange("1", 0), exchange("2", 60_000)],
  }),
  failedResult("errors/bad", ["ERROR-1"]),
  resultOf("limits/unable", ["LIMIT-2"], { outcome: "skipped", reason: "needs the operator key" }),
  resultOf("errors/broken", ["ERROR-1"], { outcome: "error", reason: "no answer within 5 s" }),
  resultOf("property/found", ["LIMIT-1"], {
    observations: [{ point: "SHAPE", reading: "otherwise" }],
    advice: [{ rule: "LIMIT-4", message: "it could be safer" }],
  }),
]);
const HTML = htmlReport(viewOf(REPORT, REPORT_CONTEXT));
const open = (context: TestContext, view?: View) => openPage(context, browser, HTML, view);
const at = (id: string) => `[id="${id}"]`;

/** Ids of the tests that can be seen or unfolded. */
async function shownTests({ page }: OpenPage): Promise<readonly string[]> {
  return page.evaluate("[...document.querySelectorAll('.test:not([hidden])')].map(({ id }) => id).sort()");
}

/** Pictures that a page may draw before what it was asked for is there, which is some seconds. */
const MOST_FRAMES = 300;

/**
 * Looks at a page until it is as it must be, picture by picture, and gives what was seen last. It is looked at from outside,
 * since a script that waits inside would have to evaluate a text, which the page's policy forbids.
 */
async function seenAtLast<Seen>(
  page: Page,
  look: () => Promise<Seen>,
  isRight: (seen: Seen) => boolean,
): Promise<Seen> {
  let seen = await look();
  for (let frames = 0; frames < MOST_FRAMES && !isRight(seen); frames++) {
    await page.evaluate("new Promise(requestAnimationFrame)");
    seen = await look();
  }
  return seen;
}

/** Waits until just these tests are shown: the page answers a key or a click when it comes to it. */
async function shows(opened: OpenPage, ids: readonly string[]): Promise<void> {
  const isRight = (shown: readonly string[]) => shown.join() === ids.join();
  assert.deepEqual(await seenAtLast(opened.page, () => shownTests(opened), isRight), ids);
}

/** Waits until something is shown: a browser tells a page of a new address when it comes to it. */
async function appears(page: Page, place: string): Promise<void> {
  await page.locator(place).waitFor({ state: "visible", timeout: 5_000 });
}

test("the outcome, the area and words filter what is shown, together", async (context) => {
  const opened = await open(context);
  const { page } = opened;
  const all = await shownTests(opened);
  assert.equal(all.length, 6);
  await page.getByRole("radio", { name: "Failed 2" }).check();
  await shows(opened, ["errors/bad", "limits/bad"]);
  await page.getByLabel("Area").selectOption("error");
  await shows(opened, ["errors/bad"]);
  assert.equal(await page.locator("#found").textContent(), "1 of 6 tests, 1 of 5 rules, 0 of 2 choices");
  await page.getByRole("button", { name: "Clear" }).click();
  await shows(opened, all);
  await page.getByLabel("Search").fill("OPERATOR");
  await appears(page, "#nothing");
  await page.getByLabel("Search").fill("limit-2 INVALID_fields");
  await shows(opened, ["limits/bad"]);
  assert.equal(await page.locator("#skipped").isVisible(), false);
  assert.deepEqual(opened.events, []);
});

test("a link to a test or a rule opens it, and puts filters away that hide it", async (context) => {
  const opened = await open(context, { fragment: "#limits/good" });
  const { page } = opened;
  await appears(page, at("limits/good"));
  await page.getByLabel("Search").fill("errors/bad");
  await page.locator(`${at("errors/bad")} > summary`).click();
  await page.locator(at("errors/bad")).getByRole("link", { name: "ERROR-1" }).first().click();
  await appears(page, "#ERROR-1 .body");
  await page.evaluate("location.hash = '#limits/bad'");
  await appears(page, `${at("limits/bad")} .body`);
  assert.equal(await page.getByLabel("Search").inputValue(), "");
  await page.locator(`${at("limits/bad")} > summary`).click();
  assert.equal(await page.locator(`${at("limits/bad")} .body`).isVisible(), false);
  await page.locator("#broken").getByRole("link", { name: "limits/bad" }).click();
  await appears(page, `${at("limits/bad")} .body`);
  assert.equal(await page.evaluate("document.activeElement.parentElement.id"), "limits/bad");
});

test("a link to nothing, or one that is no address, does no harm", async (context) => {
  for (const fragment of ["#nowhere", "#%E0%A4%A", "#"]) {
    const opened = await open(context, { fragment });
    await appears(opened.page, "#failures");
    assert.deepEqual(opened.events, []);
  }
});

test("the keyboard alone is enough", async (context) => {
  const opened = await open(context);
  const { page } = opened;
  const all = await shownTests(opened);
  const focused = () => page.evaluate("document.activeElement.id || document.activeElement.textContent");
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "Skip to the results");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate("document.activeElement.id"), "main");
  await page.keyboard.press("/");
  assert.equal(await focused(), "search");
  await page.keyboard.type("a/b");
  assert.equal(await page.getByLabel("Search").inputValue(), "a/b");
  await page.keyboard.press("Escape");
  await shows(opened, all);
  const outline = await page.evaluate(
    "getComputedStyle(document.activeElement).outlineStyle + getComputedStyle(document.activeElement).outlineWidth",
  );
  assert.equal(outline, "solid3px");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  await shows(opened, ["errors/bad", "limits/bad"]);
  await page.locator(`${at("errors/bad")} > summary`).focus();
  await page.keyboard.press("Enter");
  await appears(page, `${at("errors/bad")} .body`);
});

test("a command is copied, or at least selected", async (context) => {
  const { page } = await open(context);
  const button = page.locator(at("limits/bad")).getByRole("button", { name: "Copy" });
  await button.click();
  await page.locator("[data-copy]", { hasText: /Copied|Selected/ }).waitFor();
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await page.locator(at("limits/bad")).getByRole("button").click();
  await page.locator("[data-copy]", { hasText: "Selected" }).waitFor();
  assert.equal(await page.evaluate("String(getSelection())"), "npx kit run --only limits/bad --seed 7");
});

test("every failure opens and closes with one button", async (context) => {
  const { page } = await open(context);
  const opened = () => page.locator("#failures details.test[open]").count();
  assert.equal(await opened(), 1);
  await page.getByRole("button", { name: "Open all" }).click();
  assert.equal(await opened(), 2);
  await page.getByRole("button", { name: "Close all" }).click();
  assert.equal(await opened(), 0);
});

test("without a script all can be read, and nothing stands there that needs one", async (context) => {
  const { page } = await open(context, { script: false });
  assert.equal(await page.locator("search").isVisible(), false);
  assert.equal(await page.getByRole("button").count(), 0);
  await page.locator(`${at("errors/bad")} > summary`).click();
  await appears(page, `${at("errors/bad")} .body`);
});

test("on paper what failed is open, and controls and what passed are left out", async (context) => {
  const { page } = await open(context);
  const visible = (selector: string): Promise<boolean> =>
    page.evaluate(
      `document.querySelector(${JSON.stringify(selector)}).checkVisibility({ contentVisibilityAuto: true })`,
    );
  const verdicts = `${at("errors/bad")} .body .verdicts`;
  assert.equal(await visible(verdicts), false);
  await page.emulateMedia({ media: "print" });
  // What was put aside is drawn a frame later.
  for (const shown of [verdicts, "#choices table", "#LIMIT-1 .id"])
    assert.equal(await seenAtLast(page, () => visible(shown), Boolean), true, shown);
  assert.equal(await visible("#passed"), false);
  assert.equal(await visible("search"), false);
  assert.equal(await visible("[data-copy]"), false);
  assert.equal(await page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)");
});

test("nothing is wider than a telephone", async (context) => {
  for (const width of [320, 390]) {
    const { page } = await open(context, { width });
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    assert.equal(await overflow(page), 0, `${width} pixels`);
  }
});
