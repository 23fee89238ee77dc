import { styleText } from "node:util";
import { plainLine } from "../../plain-text.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { errorsText, failuresText } from "../../reports/console-failures.ts";
import type { ReportContext } from "../../reports/context.ts";
import { exitNote } from "../../reports/exit-note.ts";
import { type GateLine, gateLines } from "../../reports/gates.ts";
import { headlineText } from "../../reports/headline.ts";
import { requiredRules } from "../../reports/required-rules.ts";
import { type Change, changeText } from "./change-text.ts";

/** As much of the failures as leaves the verdict on the screen. */
const SHOWN = { whole: 1, asLine: 5 };

/** What a watched run came to, on one screen: what changed, the first failure whole, the verdict. */
export function watchText(report: GatedReport, change: Change, context: ReportContext): string {
  const failures = failuresText(report, context, SHOWN);
  const told = [
    changeText(change, context.width),
    failures === "" ? errorsText(report, context) : failures,
    gateLines(report)
      .map(({ text }: GateLine) => text)
      .join("\n"),
    verdictText(report, context),
  ];
  return `${told.filter((text) => text !== "").join("\n\n")}\n`;
}

function verdictText(report: GatedReport, { color }: ReportContext): string {
  const { totals, durationMs, exitStatus } = report;
  const required = requiredRules(report);
  const kept = required.filter(({ outcome }) => outcome === "passed").length;
  const words = headlineText(report);
  const headline = color ? styleText(["bold", exitStatus === 0 ? "green" : "red"], words) : words;
  return [
    `${headline}: ${kept} of ${required.length} required rules kept${exitNote(report)}`,
    `${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped, ${totals.error} error; ${(durationMs / 1000).toFixed(2)} s`,
  ].join("\n");
}

/** Which files were saved, in a line. */
export function savedText(files: readonly string[], width: number): string {
  const [first = "", ...others] = files;
  return plainLine(`${first}${others.length === 0 ? "" : ` and ${others.length} more`} saved`, width);
}
