import type { GatedReport } from "../../policies/gated-report.ts";
import { requestsText, slowLines, timeParts } from "../time-text.ts";
import { formatLatency, formatSeconds } from "../time-words.ts";
import { type Html, html, NOTHING } from "./markup.ts";
import { shown } from "./shown-text.ts";
import { count } from "./words.ts";

/** What the time of the run went on, by operation, with the slowest request of each. */
export function timeHtml({ time, slow, durationMs, side }: GatedReport): Html {
  if (time === undefined) return NOTHING;
  return html`<section id="time"><h2>Time</h2><p class="lead">${timeParts(time, durationMs, side).join(", ")}; ${requestsText(time, side)}.${slowLines(slow).map((line) => html` Searched ${line.trim()}.`)}</p>
<table><thead><tr><th>Operation</th><th>Requests</th><th>Timed</th><th>In all</th><th>Median</th><th>Worst</th><th>at</th></tr></thead><tbody>${time.operations.map(
    ({ operation, requests, amongOthers = 0, totalMs, medianMs, worstMs, worstId, worstStep }) =>
      html`<tr><td>${operation}</td><td>${count(requests)}</td><td>${count(requests - amongOthers)}</td><td>${formatSeconds(totalMs)}</td><td>${formatLatency(medianMs)}</td><td>${formatLatency(worstMs)}</td><td>${shown(worstId, 120)}${worstStep === "" ? undefined : html`, step ${shown(worstStep, 20)}`}</td></tr>`,
  )}</tbody></table></section>`;
}
