import type { AuditFacts } from "../engine/run/report.ts";
import { plainLine } from "../plain-text.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { coloursOf } from "./colours.ts";
import type { ReportContext } from "./context.ts";
import { exitNote } from "./exit-note.ts";
import { headlineOf, headlineText } from "./headline.ts";
import { hanging } from "./some-of.ts";

/** What was recorded, on one line. */
export function recordedText({ exchanges, judged, restarts, complete }: AuditFacts): string {
  const parts = [
    `${counted(exchanges, "exchange")} recorded`,
    `${judged} judged`,
    ...(restarts === 0 ? [] : [`${counted(restarts, "restart")} marked`]),
    complete ? "nothing missing between them" : "anything may have happened besides",
  ];
  return parts.join(", ");
}

/** What a recording does not tell, and what was found in it. */
export function auditText(
  report: GatedReport,
  audit: AuditFacts,
  { color, width }: ReportContext,
): readonly string[] {
  const { green, red, yellow, bold, dim } = coloursOf(color);
  const unknown = audit.unknown.map(({ what, rules, exchanges }) => {
    const told = hanging(
      `${plainLine(what, 200)}: ${counted(exchanges, "exchange")}`,
      width,
      "unknown  ".length,
    );
    const notJudged = hanging(`not judged there: ${rules.join(" ")}`, width, "unknown  ".length);
    const about = rules.length === 0 ? "" : `\n         ${dim(notJudged)}`;
    return `${yellow("unknown")}  ${told}${about}`;
  });
  const headline = headlineOf(report);
  const paint = headline === "does-not-conform" ? red : headline === "nothing-found" ? green : yellow;
  const broken = report.results.filter(({ outcome }) => outcome === "failed").length;
  const found =
    audit.findings === 0
      ? `in ${counted(audit.judged, "exchange")}`
      : `${counted(audit.findings, "finding")} against ${counted(broken, "rule")}, in ${counted(audit.judged, "exchange")}`;
  return [unknown.join("\n"), `${bold(paint(headlineText(report)))}: ${found}${exitNote(report)}`];
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
