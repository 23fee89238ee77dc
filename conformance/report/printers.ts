/** All printers of reports by name. Each is a function of the report. */
import { formatReport, render } from "./console.ts";
import { formatJson, type ReportData } from "./data.ts";

interface Printer {
  /** Returns the text of a report. */
  readonly print: (data: ReportData) => string;
}

const CONSOLE_OPTIONS = { width: 80, isVerbose: false };

export const PRINTERS = {
  console: { print: (data) => render(formatReport(data, CONSOLE_OPTIONS), false) },
  json: { print: (data) => formatJson(data) },
} satisfies Record<string, Printer>;
