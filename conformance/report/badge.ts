import type { ReportData } from "./data.ts";

const BADGES = {
  conforms: { message: "conforms", color: "brightgreen" },
  "does-not-conform": { message: "does not conform", color: "red" },
  undecided: { message: "undecided", color: "yellow" },
  none: { message: "part of the tests", color: "lightgrey" },
} as const;

/** Prints the verdict for a badge of shields.io (endpoint badge, schema version 1). */
export function printBadge({ contract, verdict, rules }: ReportData): string {
  const required = rules.filter(({ level, outcome }) => level === "required" && outcome !== "not-observable");
  const satisfied = required.filter(({ outcome }) => outcome === "satisfied");
  const { message, color } = BADGES[verdict.conclusion];
  const badge = {
    schemaVersion: 1,
    label: contract,
    message: `${message}, ${satisfied.length}/${required.length} rules`,
    color,
    ...(verdict.conclusion === "does-not-conform" && { isError: true }),
  };
  return `${JSON.stringify(badge, null, 2)}\n`;
}
