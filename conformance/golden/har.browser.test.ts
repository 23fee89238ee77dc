import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { PATHS } from "../paths.ts";
import { startBrowser } from "../testing/browser.ts";
import { fixtureNamed, golden } from "../testing/golden/kit-fixtures.ts";
import { temporaryDirectory, temporaryFile } from "../testing/temporary-file.ts";
import { exchangesOf, type Fixture } from "./fixture.ts";
import { harFiles, harText } from "./har.ts";

const DOCS = readFileSync(join(PATHS.root, "docs/generators.md"), "utf8");
const BASE = "https://launch-draft.example";
const browser = await startBrowser();
after(() => browser.close());

/** A page of the address that the requests go to, as a front end's own is. */
async function pageAt(context: TestContext): Promise<Page> {
  const session = await browser.newContext();
  context.after(() => session.close());
  const page = await session.newPage();
  await page.route(`${BASE}/`, (route) => route.fulfill({ contentType: "text/html", body: "<p>client</p>" }));
  await page.goto(`${BASE}/`);
  return page;
}

/** Sends the requests of a fixture from a page, in order; gives the steps that were answered otherwise than recorded. */
async function otherwise(page: Page, fixture: Fixture): Promise<readonly number[]> {
  const steps = exchangesOf(fixture);
  const answers = await page.evaluate(
    async (requests) => {
      const list: { status: number; body: string }[] = [];
      for (const { method, path, headers, body, bodyBase64 } of requests) {
        const bytes = bodyBase64 && Uint8Array.from(atob(bodyBase64), (one) => one.charCodeAt(0));
        const init = {
          method,
          headers: headers.map(({ name, value }): [string, string] => [name, value]),
          ...(bytes || body !== undefined ? { body: bytes || body } : {}),
        };
        const answer = await fetch(path, init as RequestInit).catch(String);
        if (typeof answer === "string") list.push({ status: 0, body: answer });
        else list.push({ status: answer.status, body: await answer.text() });
      }
      return list;
    },
    steps.map(({ http }) => http.request),
  );
  return steps
    .filter(({ http: { response } }, index) => {
      const { status, body } = answers[index] ?? {};
      return status !== response.status || body !== response.body;
    })
    .map(({ step }) => step);
}

/** The steps of all fixtures that a way of answering gets wrong, as `fixture step`. */
async function wrongSteps(
  page: Page,
  answer: (fixture: Fixture) => Promise<void>,
  only?: ReadonlySet<string | undefined>,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const fixture of golden.fixtures.filter(({ name }) => only?.has(name) ?? true)) {
    await answer(fixture);
    wrong.push(...(await otherwise(page, fixture)).map((step) => `${fixture.name} ${step}`));
    await page.unrouteAll();
  }
  return wrong;
}

/** Requests that a fixture has sent to the byte before, and was answered otherwise: what has no memory gives the first answer. */
function repeatedOtherwise(): readonly string[] {
  return golden.fixtures.flatMap((fixture) => {
    const first = new Map<string, string>();
    return exchangesOf(fixture)
      .filter(({ http: { request, response } }) => {
        const key = JSON.stringify(request);
        const answer = JSON.stringify(response);
        if (!first.has(key)) first.set(key, answer);
        return first.get(key) !== answer;
      })
      .map(({ step }) => `${fixture.name} ${step}`);
  });
}

/** What HAR has no words for: a request's bytes that are no text, and that a POST was sent without a body. */
const WITHOUT_WORDS = ["invalid-json-body 7", "no-body 4", "no-body 5"];

test("a page that plays a fixture against its own HAR is answered as recorded, but for what a HAR cannot tell apart", async (context) => {
  const folder = temporaryDirectory(context);
  for (const [file, text] of harFiles(golden, BASE)) writeFileSync(join(folder, file), text);
  const page = await pageAt(context);
  const wrong = await wrongSteps(page, ({ name }) => page.routeFromHAR(join(folder, `${name}.har`)));
  assert.deepEqual([...wrong].sort(), [...repeatedOtherwise(), ...WITHOUT_WORDS].sort());
  const all = golden.fixtures.flatMap(exchangesOf).length;
  assert.ok(DOCS.includes(`${all - wrong.length} of ${all} exchanges`), `${all - wrong.length} of ${all}`);
});

test("one HAR of all fixtures answers from another fixture where both begin alike", async (context) => {
  const file = temporaryFile(context, "golden.har", harText(golden, BASE));
  const page = await pageAt(context);
  await page.routeFromHAR(file);
  assert.deepEqual(await otherwise(page, fixtureNamed("challenge-lifetime")), [3, 5]);
});

test("the handler in the documents answers every step, of what a HAR cannot tell apart as well", async (context) => {
  const [, block = ""] = /```js\n(export async function playFixture[\s\S]*?)```/.exec(DOCS) ?? [];
  const { playFixture } = await import(pathToFileURL(temporaryFile(context, "play-fixture.mjs", block)).href);
  const page = await pageAt(context);
  const hard = new Set([...repeatedOtherwise(), ...WITHOUT_WORDS].map((step) => step.split(" ")[0]));
  const wrong = await wrongSteps(page, (fixture) => playFixture(page, BASE, fixture), hard);
  assert.deepEqual(wrong, []);
});
