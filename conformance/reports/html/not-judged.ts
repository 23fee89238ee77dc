import type { Result } from "../../engine/play/result.ts";
import { formatClock } from "../../engine/vectors/duration.ts";
import { plain } from "../../plain-text.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { groupByReason, groupErrors } from "../failure-groups.ts";
import { adviceOn, serviceOf, timeOf } from "../failure-text.ts";
import { reproductionCommand } from "../reproduction-command.ts";
import { counted, sideWords } from "../words.ts";
import { requestHtml } from "./exchange.ts";
import {
  commandHtml,
  folded,
  type Html,
  html,
  mark,
  NOTHING,
  shownText,
  testAttributes,
  testLink,
  testRow,
} from "./markup.ts";
import type { PageContext } from "./page-context.ts";

const SECTIONS = {
  error: {
    id: "errors",
    title: "Errors",
    lead: " broke, so that nothing can be said of what these test: neither passed nor failed.",
  },
  skipped: {
    id: "skipped",
    title: "Skipped",
    lead: "Left out, with the reason: neither passed nor failed.",
  },
} as const;

/** Tests that were not judged: errors by what broke, skips by reason, which is said once where many share it. */
export function notJudgedHtml(
  { results, side }: GatedReport,
  outcome: "error" | "skipped",
  context: PageContext,
): Html {
  const groups =
    outcome === "error"
      ? groupErrors(results).map((group) => ({
          reason: group[0].reason ?? "no reason given",
          results: group,
        }))
      : groupByReason(results.filter((result) => result.outcome === outcome));
  if (groups.length === 0) return NOTHING;
  const { id, title, lead } = SECTIONS[outcome];
  const breaks = outcome === "error" ? sideWords({ side }).breaks : "";
  return html`<section id="${id}" data-section><h2>${title}</h2><p class="lead">${breaks}${lead}</p>
${groups.map(
  ({ reason, results: tests }) =>
    html`<details class="group" data-print><summary>${mark(outcome)}<span class="head"><span class="title">${shownText(reason, 600)}</span> <span class="count">${counted(tests.length, "test")}</span></span></summary>${breakageHtml(tests[0], context)}<ul class="rows">${tests.map((result) => testRow(result, testAttributes(result, context.contract)))}</ul></details>`,
)}
</section>`;
}

/** What broke under a result: where, at which request, how the service was found, what it wrote, what to look at. */
function breakageHtml({ id, source, breakage }: Result, { invocation }: PageContext): Html {
  if (breakage === undefined) return NOTHING;
  const { step, place = source, clockMs, request, log } = breakage;
  const facts = [timeOf(breakage), serviceOf(breakage)].filter((fact) => fact !== undefined);
  return html`<section class="failure">
<h3>${testLink(id)}${step === undefined ? undefined : html`, step ${plain(step)}`} <span class="where">${place === undefined ? undefined : html`<code>${plain(place.file)}:${place.line}</code>`}${clockMs === undefined ? undefined : html` · clock ${formatClock(clockMs)}`}</span></h3>
${facts.length === 0 ? NOTHING : html`<ul>${facts.map((fact) => html`<li>${fact}</li>`)}</ul>`}
${request === undefined ? NOTHING : html`<h4>Sent</h4>${requestHtml(request)}`}
${log === undefined ? NOTHING : html`<h4>Written to its standard error, the end</h4><pre tabindex="0">${log.split("\n").map((line) => html`${folded(line)}\n`)}</pre>`}
<p>Look at: ${adviceOn(breakage)}</p>
${commandHtml(reproductionCommand(invocation, id))}
</section>`;
}
