import type { Result } from "../../engine/play/result.ts";
import type { RuleBook } from "../../engine/rule-book.ts";
import { plain, plainLine } from "../../plain-text.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import type { ReportView } from "../view.ts";
import {
  count,
  counted,
  formatLatency,
  formatSeconds,
  requestsText,
  slowLines,
  timeParts,
} from "../words.ts";
import { choicesHtml } from "./choices.ts";
import { failureGroupsHtml, failuresHtml } from "./failures.ts";
import {
  areasOf,
  type Html,
  html,
  mark,
  NOTHING,
  ruleLink,
  shownText,
  testAttributes,
  testRow,
} from "./markup.ts";
import { errorsHtml, skipsHtml } from "./not-judged.ts";
import { pageHtml } from "./page.ts";
import { rulesHtml } from "./rules.ts";
import { verdictHtml } from "./verdict.ts";

/** The report as one page that stands alone. Pure: the same report gives the same text. */
export function htmlReport(view: ReportView): string {
  const { report, contract, replay } = view;
  const name = plainLine(`${report.implementation.name} ${report.implementation.version}`, 80);
  return pageHtml({
    title: `${replay ? "replay" : view.verdict}: ${name}`,
    header: verdictHtml(view),
    main: html`${filterBar(report, contract)}
<p id="nothing" hidden>Nothing here fits the search and the filters.</p>
${failureGroupsHtml(view)}
${failuresHtml(view)}
${errorsHtml(view)}
${rulesHtml(report, contract)}
${choicesHtml(view)}
${adviceHtml(report, contract)}
${skipsHtml(view)}
${passedHtml(report, contract)}
${timeHtml(report)}`,
    footer: html`<p>Made by ${report.kit.name} ${report.kit.version}. Press <kbd>/</kbd> to search; every id is a link that can be shared.</p>`,
  });
}

/** Search and filters; without a script they have nothing to do, and stay away. */
function filterBar({ totals }: GatedReport, contract: RuleBook): Html {
  const outcomes = (
    [
      ["failed", "Failed"],
      ["error", "Errors"],
      ["skipped", "Skipped"],
      ["passed", "Passed"],
    ] as const
  )
    .filter(([outcome]) => totals[outcome] > 0)
    .map(
      ([outcome, word]) =>
        html`<label><input type="radio" name="outcome" value="${outcome}"><span>${word} ${count(totals[outcome])}</span></label>`,
    );
  return html`<search class="filters no-print" hidden><form id="filters">
<label class="field"><span>Search</span><input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="id, rule, code, words" aria-keyshortcuts="/"></label>
<fieldset><legend>Outcome</legend><div class="choices"><label><input type="radio" name="outcome" value="" checked><span>All</span></label>${outcomes}</div></fieldset>
<label class="field"><span>Area</span><select id="area"><option value="">All areas</option>${[...contract.areas].map(([id, title]) => html`<option value="${id}">${title}</option>`)}</select></label>
<div class="state"><output id="found" aria-live="polite"></output> <button type="reset">Clear</button></div>
</form></search>`;
}

/** Warnings: legal, yet unsafe or hard on clients. */
function adviceHtml({ advice }: GatedReport, contract: RuleBook): Html {
  if (advice.length === 0) return NOTHING;
  const items = advice.map(
    ({ rule, message }) =>
      html`<li data-outcome="advised" data-area="${areasOf([rule], contract)}">${mark("advised")}<div>${ruleLink(rule)} ${shownText(message, 600)}</div></li>`,
  );
  return html`<section id="advice" data-section><h2>Advice</h2>
<p class="lead">Legal, yet unsafe or hard on clients. Advice never changes the verdict.</p>
<ul class="rows">${items}</ul></section>`;
}

/** What the time of the run went on, by operation, with the slowest request of each. */
function timeHtml({ time, slow, durationMs, side }: GatedReport): Html {
  if (time === undefined) return NOTHING;
  return html`<section id="time"><h2>Time</h2><p class="lead">${timeParts(time, durationMs, side).join(", ")}; ${requestsText(time, side)}.${slowLines(slow).map((line) => html` Searched ${line.trim()}.`)}</p>
<table><thead><tr><th>Operation</th><th>Requests</th><th>Timed</th><th>In all</th><th>Median</th><th>Worst</th><th>at</th></tr></thead><tbody>${time.operations.map(
    ({ operation, requests, amongOthers = 0, totalMs, medianMs, worstMs, worstId, worstStep }) =>
      html`<tr><td>${operation}</td><td>${count(requests)}</td><td>${count(requests - amongOthers)}</td><td>${formatSeconds(totalMs)}</td><td>${formatLatency(medianMs)}</td><td>${formatLatency(worstMs)}</td><td>${shownText(worstId, 120)}${worstStep === "" ? undefined : html`, step ${shownText(worstStep, 20)}`}</td></tr>`,
  )}</tbody></table></section>`;
}

/** Every test that passed, suite by suite. */
function passedHtml({ results }: GatedReport, contract: RuleBook): Html {
  const suites = new Map<string, Result[]>();
  for (const result of results) {
    if (result.outcome !== "passed") continue;
    const suite = result.id.split("/")[0] ?? "";
    const tests = suites.get(suite);
    if (tests === undefined) suites.set(suite, [result]);
    else tests.push(result);
  }
  if (suites.size === 0) return NOTHING;
  const total = [...suites.values()].reduce((sum, tests) => sum + tests.length, 0);
  return html`<section id="passed" class="no-print" data-section><h2>Passed tests</h2>
<p class="lead">${counted(total, "test")} passed, by suite.</p>
${[...suites].map(
  ([suite, tests]) =>
    html`<details class="group"><summary>${mark("passed")}<span class="head"><span class="title">${plain(suite)}</span> <span class="count">${count(tests.length)}</span></span></summary><ul class="rows">${tests.map((result) => testRow(result, testAttributes(result, contract)))}</ul></details>\n`,
)}
</section>`;
}
