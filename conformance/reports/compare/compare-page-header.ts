import { headlineOf, headlineText } from "../headline.ts";
import { type Html, html, NOTHING } from "../html/markup.ts";
import { shown } from "../html/shown-text.ts";
import { count } from "../html/words.ts";
import type { Comparison, Subject } from "./comparison.ts";

/** The top of the page: each implementation with its verdict and its run, and what to be careful of. */
export function comparePageHeader({ subjects, warnings }: Comparison): Html {
  const lines = warnings.map((warning) => html`<li>${shown(warning, 400)}</li>`);
  return html`<header class="top">
<p class="kind">Conformance to <strong>${shown(subjects[0]?.report.contract ?? "", 80)}</strong></p>
<h1>${count(subjects.length)} implementations side by side</h1>
${lines.length === 0 ? NOTHING : html`<ul class="warnings">${lines}</ul>`}
<ul class="subjects">${subjects.map(subjectHtml)}</ul>
</header>`;
}

function subjectHtml({ label, file, report, kept, required, unlikeReference }: Subject): Html {
  const { implementation, totals, kit, suite, adapter } = report;
  const { name, version, language } = implementation;
  const facts: readonly (readonly [string, Html])[] = [
    ["Rules", html`${count(kept)} of ${count(required)} required kept`],
    [
      "Tests",
      html`${count(totals.passed)} passed, ${count(totals.failed)} failed, ${count(totals.skipped)} skipped, ${count(totals.error)} errors`,
    ],
    ["Choices", html`${count(unlikeReference)} unlike the reference’s`],
    [
      "Suite",
      html`${shown(suite.version, 40)} <code title="${suite.digest}">${suite.digest.slice(0, 12)}</code>`,
    ],
    ["Kit", html`${shown(kit.version, 40)}, ${shown(adapter, 40)}`],
    ["Report", html`<code>${shown(file, 200)}</code>`],
  ];
  return html`<li class="subject"><h2><span class="label">${label}</span> ${shown(name, 80)} <span class="version">${shown(version, 40)}</span>${language === undefined ? undefined : html` <span class="language">${shown(language, 40)}</span>`}</h2>
<p class="verdict ${headlineOf(report)}"><span class="word">${headlineText(report)}</span></p>
<dl class="facts">${facts.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl></li>`;
}
