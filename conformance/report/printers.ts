/** All printers of reports by name. Each is a function of the report. */
import { escapeLine } from "../adapters/text.ts";
import { printBadge } from "./badge.ts";
import { formatReport } from "./console.ts";
import { formatJson, type ReportData } from "./data.ts";
import { printGithub } from "./github.ts";
import { printHtml } from "./html.ts";
import { printJunit } from "./junit.ts";
import { printMarkdown } from "./markdown.ts";
import { printTap } from "./tap.ts";

interface Printer {
  /** Returns the text of a report. */
  readonly print: (data: ReportData) => string;
  /** Whether the text is lines for a log, which may stand next to other lines. */
  readonly isLog?: boolean;
}

/** Makes text safe to print to the log of a CI service, whatever the report holds. */
function safe(print: Printer["print"]): Printer["print"] {
  return (data) => print(data).split("\n").map(escapeLine).join("\n");
}

const CONSOLE_OPTIONS = { width: 80, isVerbose: false };

export const PRINTERS = {
  console: {
    print: safe((data) => `${formatReport(data, CONSOLE_OPTIONS).join("\n")}\n`),
    isLog: true,
  },
  json: { print: (data) => formatJson(data) },
  junit: { print: safe(printJunit) },
  tap: { print: safe(printTap) },
  html: { print: safe(printHtml) },
  // Prints workflow commands, and escapes each text in them.
  github: { print: printGithub, isLog: true },
  markdown: { print: safe(printMarkdown) },
  badge: { print: printBadge },
} satisfies Record<string, Printer>;

export type PrinterName = keyof typeof PRINTERS;
