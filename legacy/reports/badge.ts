import type { ReportView } from "./view.ts";

const COLORS = { conforms: "brightgreen", "does-not-conform": "red", undecided: "yellow" } as const;

/** The verdict as a badge that shields.io draws (its endpoint badge schema, version 1). */
export function badgeReport({ report, required }: ReportView): string {
  const { contract, verdict, suite } = report;
  const badge = {
    schemaVersion: 1,
    label: contract,
    message: `${verdict.replaceAll("-", " ")}, ${required.kept.length}/${required.count} rules, suite ${suite.version}`,
    color: COLORS[verdict],
    ...(verdict === "does-not-conform" ? { isError: true } : {}),
  };
  return `${JSON.stringify(badge, null, 2)}\n`;
}
