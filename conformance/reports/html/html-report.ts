import { plainLine } from "../../plain-text.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { headlineText } from "../headline.ts";
import { adviceHtml } from "./advice.ts";
import { auditTimelinesHtml } from "./audit-timelines.ts";
import { choicesHtml } from "./choices.ts";
import { failureGroupsHtml } from "./failure-groups.ts";
import { failuresHtml } from "./failures.ts";
import { filterBar } from "./filter-bar.ts";
import { html } from "./markup.ts";
import { notJudgedHtml } from "./not-judged.ts";
import { pageHtml } from "./page.ts";
import type { PageContext } from "./page-context.ts";
import { passedHtml } from "./passed.ts";
import { rulesHtml } from "./rules.ts";
import { timeHtml } from "./time.ts";
import { verdictHtml } from "./verdict.ts";

/** The report as one page that stands alone. Pure: the same report gives the same text. */
export function htmlReport(report: GatedReport, context: PageContext): string {
  const { contract, replay = false } = context;
  const name = plainLine(`${report.implementation.name} ${report.implementation.version}`, 80);
  return pageHtml({
    title: `${replay ? "replay" : headlineText(report)}: ${name}`,
    header: verdictHtml(report, replay),
    main: html`${filterBar(report, contract)}
<p id="nothing" hidden>Nothing here fits the search and the filters.</p>
${failureGroupsHtml(report, context)}
${failuresHtml(report, context)}
${auditTimelinesHtml(report.audit)}
${notJudgedHtml(report, "error", context)}
${rulesHtml(report, contract)}
${choicesHtml(report, contract)}
${adviceHtml(report, contract)}
${notJudgedHtml(report, "skipped", context)}
${passedHtml(report, contract)}
${timeHtml(report)}`,
    footer: html`<p>Made by ${report.kit.name} ${report.kit.version}. Press <kbd>/</kbd> to search; every id is a link that can be shared.</p>`,
  });
}
