import type { GatedReport } from "../policies/gated-report.ts";

const COLORS = { conforms: "brightgreen", "does-not-conform": "red", undecided: "yellow" } as const;

/** The verdict as a badge that shields.io draws (its endpoint badge schema, version 1). */
export function badgeReport({ contract, verdict, rules, suite, frozen }: GatedReport): string {
  const required = rules.filter(({ level, outcome }) => level === "required" && outcome !== "unobservable");
  const kept = required.filter(({ outcome }) => outcome === "passed").length;
  const badge = {
    schemaVersion: 1,
    label: contract,
    message: `${verdict.replaceAll("-", " ")}, ${kept}/${required.length} rules, suite ${frozen?.suite.split("@")[1] ?? suite.version}`,
    color: COLORS[verdict],
    ...(verdict === "does-not-conform" ? { isError: true } : {}),
  };
  return `${JSON.stringify(badge, null, 2)}\n`;
}
