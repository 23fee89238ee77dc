import type { AuditFacts } from "../../engine/run/report.ts";
import { formatClock } from "../../engine/vectors/duration.ts";
import { ruleLinks } from "./links.ts";
import { type Html, html, NOTHING } from "./markup.ts";
import { shown } from "./shown-text.ts";

/** What was recorded of each whom a finding is about, on one line of time. */
export function auditTimelinesHtml(audit: AuditFacts | undefined): Html {
  if (audit === undefined || audit.timelines.length === 0) return NOTHING;
  return html`<section id="timelines" data-section><h2>Lines of time</h2>
<p class="lead">What was recorded of each whom a finding is about, in the order in which it was asked.</p>
${audit.timelines.map(
  ({ of, entries }) =>
    html`<details class="group"><summary><span class="head"><span class="title">${shown(of, 60)}</span></span></summary><ol class="timeline">${entries.map(entryHtml)}</ol></details>\n`,
)}
</section>`;
}

function entryHtml({ clockMs, place, asked, answered, breaks }: Entry): Html {
  const line = html`<span class="clock">${formatClock(Math.round(clockMs))}</span> <span class="call">${shown(asked, 120)} <span class="answered">→ ${shown(answered, 60)}</span></span> <span class="step">${shown(`${place.file}:${place.line}`, 80)}</span>`;
  return breaks.length === 0
    ? html`<li>${line}</li>`
    : html`<li class="here">${line} <strong>breaks</strong> ${ruleLinks(breaks)}</li>`;
}

type Entry = AuditFacts["timelines"][number]["entries"][number];
