import type { TraceEntry } from "../../engine/play/result.ts";
import { formatClock } from "../../engine/vectors/duration.ts";
import { answerHtml } from "./answer.ts";
import { type Html, html, NOTHING } from "./markup.ts";
import { headline, requestHtml } from "./request.ts";
import { shown } from "./shown-text.ts";

/**
 * The exchanges of a test in their order, on the service's clock, with the time that passes between them.
 * @param failing steps at which something failed: they are pointed out, and their content stands elsewhere
 */
export function timelineHtml(trace: readonly TraceEntry[], failing: ReadonlySet<string>): Html {
  if (trace.length === 0) return NOTHING;
  let clockMs = trace[0]?.clockMs ?? 0;
  const last = new Map(trace.map((entry) => [entry.step, entry]));
  const entries = trace.map((entry) => {
    const passed = entry.clockMs - clockMs;
    clockMs = entry.clockMs;
    // A recording begins anew with each finding, and what overlaps may be told in another order than it began.
    const wait =
      passed <= 0 ? NOTHING : html`<li class="wait"><span>${formatClock(passed).slice(1)} pass</span></li>`;
    return html`${wait}${entryHtml(entry, failing.has(entry.step) && last.get(entry.step) === entry)}`;
  });
  return html`<h3>Step by step, on the service’s clock</h3><ol class="timeline">${entries}</ol>`;
}

function entryHtml({ step, clockMs, request, response }: TraceEntry, failed: boolean): Html {
  const line = html`<span class="clock">${formatClock(clockMs)}</span> <span class="step">step ${shown(step, 40)}</span> <span class="call">${headline(request)} <span class="answered">→ ${statusOf(response)}</span></span>`;
  if (failed) return html`<li class="here">${line} <strong>failed here</strong></li>`;
  return html`<li><details><summary>${line}</summary><div class="exchange">${requestHtml(request)}${answerHtml(response, [])}</div></details></li>`;
}

function statusOf(response: unknown): Html {
  const { status, ended, body } = (typeof response === "object" && response !== null ? response : {}) as {
    status?: unknown;
    ended?: unknown;
    body?: { code?: unknown } | null;
  };
  const code = typeof body?.code === "string" ? ` ${body.code}` : "";
  return shown(`${typeof status === "number" ? status : (ended ?? "no status")}${code}`, 80);
}
