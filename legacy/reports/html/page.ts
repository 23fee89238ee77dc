import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Html, html, trusted } from "./markup.ts";

const SHEETS = [
  "colours",
  "base",
  "top",
  "filters",
  "marks",
  "folds",
  "failures",
  "rows",
  "comparison",
  "narrow",
  "print",
];
/** What is hidden stays so, whatever its class says: rules outside a layer come before those inside. */
const STYLE = `@layer page {\n${SHEETS.map((name) => asset(`style/${name}.css`)).join("")}}\n[hidden] { display: none; }\n`;
const SCRIPT = asset("page-script.js");
/** Nothing is loaded, and no style or script but the page's own counts, whatever else might get into it. */
const POLICY = `default-src 'none'; style-src '${hash(STYLE)}'; script-src '${hash(SCRIPT)}'; base-uri 'none'; form-action 'none'`;

/** What a page consists of. */
export interface Page {
  /** Of the window, plain text. */
  readonly title: string;
  readonly header: Html;
  readonly main: Html;
  readonly footer: Html;
}

/** A page in one file: it needs no network, no server and, to be read, no script. */
export function pageHtml({ title, header, main, footer }: Page): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the results</a>
${header}
<main id="main" tabindex="-1">
${main}
</main>
<footer>${footer}</footer>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`;
  return page.toString();
}

function asset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8");
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
