import { existsSync } from "node:fs";
import type { TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { temporaryFile } from "./temporary-file.ts";

const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts a headless Chromium. */
export async function startBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`there is no Chromium at ${CHROMIUM}; install it, or name one: CHROMIUM=PATH`);
  }
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: QUIET });
}

/** How a page is looked at. */
export interface View {
  /** Pixels, for a person at a desk or with a telephone. */
  readonly width?: number;
  readonly scheme?: "light" | "dark";
  readonly script?: boolean;
  /** Part of the address after `#`. */
  readonly fragment?: string;
}

/** A page on the disk that is open, and what it did besides being shown. */
export interface OpenPage {
  readonly page: Page;
  /** Requests, dialogs, errors, and complaints of the browser: none is expected of any page. */
  readonly events: readonly string[];
}

/** Opens a page from a file, as a person would; it is closed with the test. */
export async function openPage(
  context: TestContext,
  browser: Browser,
  html: string,
  { width = 1280, scheme = "light", script = true, fragment = "" }: View = {},
): Promise<OpenPage> {
  const address = `${pathToFileURL(temporaryFile(context, "page.html", html)).href}${fragment}`;
  const session = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    javaScriptEnabled: script,
  });
  context.after(() => session.close());
  const page = await session.newPage();
  const events: string[] = [];
  page.on("request", (request) => {
    if (request.url() !== address.split("#")[0]) events.push(`request ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    events.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => events.push(`error ${error.message}`));
  page.on("console", (message) => events.push(`console ${message.text()}`));
  await page.goto(address);
  return { page, events };
}

/** Pixels by which a page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}
