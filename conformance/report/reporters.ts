/** The names of all reporters. Each has a printer, which is loaded only to print a report. */
export const REPORTERS = ["console", "json", "junit", "tap", "html", "github", "markdown", "badge"] as const;
export type PrinterName = (typeof REPORTERS)[number];
