import type { Result } from "../../engine/play/result.ts";
import { formatClock } from "../../engine/vectors/duration.ts";
import { plain } from "../../plain-text.ts";
import { adviceOn, serviceOf, timeOf } from "../errors/error-words.ts";
import { reproductionCommand } from "../reproduction-command.ts";
import { commandHtml } from "./command.ts";
import { testLink } from "./links.ts";
import { type Html, html, NOTHING } from "./markup.ts";
import type { PageContext } from "./page-context.ts";
import { requestHtml } from "./request.ts";
import { folded } from "./shown-text.ts";

/** What broke under a result: where, at which request, how the service was found, what it wrote, what to look at. */
export function breakageHtml({ id, source, breakage }: Result, { invocation }: PageContext): Html {
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
