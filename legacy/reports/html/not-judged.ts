import type { Result } from "../../engine/play/result.ts";
import { formatClock } from "../../engine/vectors/duration.ts";
import { plain } from "../../plain-text.ts";
import type { ReasonGroup } from "../failure-groups.ts";
import { adviceOn, serviceOf, timeOf } from "../failure-text.ts";
import { reproductionCommand } from "../reproduction-command.ts";
import type { ReportView } from "../view.ts";
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

/** Tests without a judgement, by what broke. */
export function errorsHtml(view: ReportView): Html {
  const groups = view.errors.map((results) => ({ reason: results[0].reason ?? "no reason given", results }));
  const lead = `${sideWords(view.report).breaks} broke, so that nothing can be said of what these test: neither passed nor failed.`;
  return sectionHtml({ id: "errors", title: "Errors", outcome: "error", lead, groups }, view);
}

/** Tests that were left out, by reason. */
export function skipsHtml(view: ReportView): Html {
  const lead = "Left out, with the reason: neither passed nor failed.";
  return sectionHtml(
    { id: "skipped", title: "Skipped", outcome: "skipped", lead, groups: view.skipped },
    view,
  );
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly outcome: "error" | "skipped";
  readonly lead: string;
  readonly groups: readonly ReasonGroup[];
}

function sectionHtml({ id, title, outcome, lead, groups }: Section, view: ReportView): Html {
  if (groups.length === 0) return NOTHING;
  return html`<section id="${id}" data-section><h2>${title}</h2><p class="lead">${lead}</p>
${groups.map(
  ({ reason, results: tests }) =>
    html`<details class="group" data-print><summary>${mark(outcome)}<span class="head"><span class="title">${shownText(reason, 600)}</span> <span class="count">${counted(tests.length, "test")}</span></span></summary>${breakageHtml(tests[0], view)}<ul class="rows">${tests.map((result) => testRow(result, testAttributes(result, view.contract)))}</ul></details>`,
)}
</section>`;
}

/** What broke under a result: where, at which request, how the service was found, what it wrote, what to look at. */
function breakageHtml({ id, source, breakage }: Result, { invocation }: ReportView): Html {
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
