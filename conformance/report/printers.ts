/** All printers of reports by name. Each is a function of the report. */
import { isObject } from "../adapters/json.ts";
import { escapeLine, escapeText } from "../adapters/text.ts";
import { printBadge } from "./badge.ts";
import { type ConsoleStyle, formatReport, render } from "./console.ts";
import { formatJson, type ReportData } from "./data.ts";
import { printGithub } from "./github.ts";
import { printHtml, printMarkdown } from "./html.ts";
import { printJunit } from "./junit.ts";
import { printTap } from "./tap.ts";

interface Printer {
  /** Returns the text of a report. @param style of the console */
  readonly print: (data: ReportData, style: ConsoleStyle) => string;
  /** Whether the text consists of log lines, which may be mixed with other lines. */
  readonly isLog?: boolean;
}

/** Returns a report whose texts are safe to print, also if its file was not written by the kit. */
function escapeTexts<Value>(value: Value): Value {
  if (typeof value === "string") return escapeText(value) as Value;
  if (Array.isArray(value)) return value.map(escapeTexts) as Value;
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, escapeTexts(member)]),
  ) as Value;
}

/** Makes lines safe to print to the log of a CI service. */
function safe(text: string): string {
  return text.split("\n").map(escapeLine).join("\n");
}

export const PRINTERS = {
  console: {
    print: (data, style) => render(formatReport(escapeTexts(data), style), style.isColored),
    isLog: true,
  },
  json: { print: (data) => formatJson(escapeTexts(data)) },
  junit: { print: (data) => safe(printJunit(escapeTexts(data))) },
  tap: { print: (data) => safe(printTap(escapeTexts(data))) },
  html: { print: (data) => safe(printHtml(escapeTexts(data))) },
  // Prints workflow commands, and escapes each text in them.
  github: { print: (data) => printGithub(escapeTexts(data)), isLog: true },
  markdown: { print: (data) => safe(printMarkdown(escapeTexts(data))) },
  badge: { print: (data) => printBadge(escapeTexts(data)) },
} satisfies Readonly<Record<string, Printer>>;

export type PrinterName = keyof typeof PRINTERS;
