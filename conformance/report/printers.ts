/** All printers of reports by name. Each is a function of the report. */
import { escapeLine, escapeText, safeJson } from "../data/text.ts";
import { type Comparison, formatComparison, printComparison } from "./compare.ts";
import { type ConsoleStyle, formatReport, render } from "./console.ts";
import { formatJson, type ReportData, type RuleData, requiredRules } from "./data.ts";
import { printGithub } from "./github.ts";
import { printHtml } from "./html.ts";
import { printMarkdown } from "./markdown.ts";
import type { PrinterName } from "./reporters.ts";
import { printJunit, printTap } from "./tests.ts";

/** Returns data whose texts are safe to print, even if the kit did not write the report file. */
function escapeTexts<Data extends ReportData | Comparison>(data: Data): Data {
  const copy = JSON.parse(JSON.stringify(data));
  escapeIn(copy);
  return copy;
}

function escapeIn(container: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(container))
    if (typeof value === "string") container[name] = escapeText(value);
    else if (typeof value === "object" && value !== null) escapeIn(value as Record<string, unknown>);
}

/** Makes lines safe to print to the log of a CI service. */
function safe(text: string): string {
  return text.split("\n").map(escapeLine).join("\n");
}

/** Returns the text of a report. @param style options of the console output */
type Printer = (data: ReportData, style: ConsoleStyle) => string;

export const PRINTERS = {
  console: (data, style) => render(formatReport(escapeTexts(data), style), style.isColored),
  json: (data) => formatJson(escapeTexts(data)),
  junit: (data) => safe(printJunit(escapeTexts(data))),
  tap: (data) => safe(printTap(escapeTexts(data))),
  html: (data) => safe(printHtml(escapeTexts(data))),
  // Prints workflow commands, and escapes each text in them.
  github: (data, style) => printGithub(escapeTexts(data), style),
  markdown: (data) => safe(printMarkdown(escapeTexts(data))),
  badge: (data) => printBadge(escapeTexts(data)),
} satisfies Readonly<Record<PrinterName, Printer>>;

export const COMPARISON_PRINTERS: Readonly<
  Record<string, (comparison: Comparison, style: ConsoleStyle) => string>
> = {
  console: (comparison, { isVerbose }) => render(formatComparison(escapeTexts(comparison), isVerbose), false),
  json: (comparison) => safeJson(escapeTexts(comparison)),
  html: (comparison) => safe(printComparison(escapeTexts(comparison))),
};

/** Colors of badges by conclusion. */
const COLORS = { conforms: "brightgreen", "does-not-conform": "red", undecided: "yellow", none: "lightgrey" };

/** Prints the verdict for a badge of shields.io (endpoint badge, schema version 1). */
function printBadge(data: ReportData): string {
  const { conclusion } = data.verdict;
  const count = (outcome: RuleData["outcome"]) => requiredRules(data, outcome).length;
  const total = count("satisfied") + count("violated") + count("not-tested");
  const verdict = conclusion === "none" ? "part of the tests" : conclusion.replaceAll("-", " ");
  const badge = {
    schemaVersion: 1,
    label: "conformance",
    message: `${verdict}, ${count("satisfied")}/${total} rules`,
    color: COLORS[conclusion],
    ...(conclusion === "does-not-conform" && { isError: true }),
  };
  return safeJson(badge);
}
