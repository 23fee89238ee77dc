import type { OpenPoint, RuleBook } from "../../engine/rule-book.ts";
import { plain, plainLine } from "../../plain-text.ts";
import { readingsHtml } from "../html/choices.ts";
import { ticked } from "../html/failures.ts";
import { type Html, html, mark, NOTHING, shownText } from "../html/markup.ts";
import { pageHtml } from "../html/page.ts";
import { headlineOf, verdictText } from "../view.ts";
import { count, counted } from "../words.ts";
import {
  type ComparedReport,
  type Comparison,
  IMPACTS,
  type Impact,
  type PointDifference,
  type RuleDifference,
} from "./comparison.ts";

/** Implementations side by side, as a page that stands alone. Pure: the same comparison gives the same text. */
export function comparePage(comparison: Comparison, contract: RuleBook): string {
  const { side, subjects, points, comparable } = comparison;
  const [title, notices] =
    side === "client"
      ? ["What they do each in its own way", "a service"]
      : ["Where they would not interoperate", "a client, or another service,"];
  const names = subjects.map(({ report }) => plainLine(report.implementation.name, 40)).join(", ");
  return pageHtml({
    title: `side by side: ${names}`,
    header: comparePageHeader(comparison),
    main: html`${filters(contract)}
<p id="nothing" hidden>Nothing here fits the search and the filters.</p>
${pairsHtml(comparison)}
${rulesHtml(comparison, contract)}
<section id="interoperability" data-section><h2>${title}</h2>
<p class="lead">${count(points.length)} of ${counted(comparable, "open point")} are read differently. Every reading conforms; what differs is what ${notices} would notice. A reading in bold is unlike ${subjects[0]?.label ?? ""}’s.</p>
${(Object.keys(IMPACTS) as Impact[]).map((impact) => kindHtml(impact, comparison, contract))}
</section>`,
    footer: html`<p>A reading called <em>other</em> stands for anything else: two of them need not be the same. Press <kbd>/</kbd> to search.</p>`,
  });
}

function filters(contract: RuleBook): Html {
  return html`<search class="filters no-print" hidden><form id="filters">
<label class="field"><span>Search</span><input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="point, rule, reading" aria-keyshortcuts="/"></label>
<label class="field"><span>Area</span><select id="area"><option value="">All areas</option>${[...contract.areas].map(([id, title]) => html`<option value="${id}">${title}</option>`)}</select></label>
<div class="state"><output id="found" aria-live="polite"></output> <button type="reset">Clear</button></div>
</form></search>`;
}

/** How far each two of them are apart; with two alone, the sections say it. */
function pairsHtml({ pairs, subjects }: Comparison): Html {
  if (pairs.length < 2) return NOTHING;
  const names = new Map(subjects.map(({ label, report }) => [label, report.implementation.name]));
  const kinds = Object.keys(IMPACTS) as Impact[];
  const rows = pairs.map(
    ({ labels: [a, b], rules, points }) =>
      html`<tr role="row"><th role="rowheader" scope="row">${[a, b].map((label, index) => html`${index === 0 ? undefined : " and "}<strong>${label}</strong> ${shownText(names.get(label) ?? "", 60)}`)}</th><td role="cell" data-label="Rules that one breaks">${rules}</td>${kinds.map((kind) => html`<td role="cell" data-label="${IMPACTS[kind].title}">${points[kind]}</td>`)}</tr>`,
  );
  return html`<section id="pairs"><h2>How far they are apart</h2>
<p class="lead">Rules that one of the two breaks, and open points that they read differently, by impact.</p>
<table class="stack numbers" role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Two of them</th><th role="columnheader" scope="col">Rules that one breaks</th>${kinds.map((kind) => html`<th role="columnheader" scope="col">${IMPACTS[kind].title}</th>`)}</tr></thead><tbody role="rowgroup">${rows}</tbody></table></section>`;
}

function rulesHtml({ rules, subjects }: Comparison, contract: RuleBook): Html {
  const lead =
    rules.length === 0
      ? "Every rule has the same outcome everywhere."
      : `${counted(rules.length, "rule")} with another outcome in one of them than in the others.`;
  return html`<section id="rules" data-section><h2>Rules whose outcomes differ</h2><p class="lead">${lead}</p>
${
  rules.length === 0
    ? NOTHING
    : tableHtml(
        "Rules",
        "Rule",
        subjects,
        rules.map((rule) => ruleRow(rule, subjects, contract)),
      )
}</section>`;
}

function ruleRow(
  { id, outcomes }: RuleDifference,
  subjects: readonly ComparedReport[],
  contract: RuleBook,
): Html {
  const rule = contract.rules.get(id);
  const cells = outcomes.map((outcome, index) =>
    cellHtml(
      subjects[index],
      outcome === undefined ? html`unknown` : html`<span class="outcome">${mark(outcome)} ${outcome}</span>`,
    ),
  );
  return html`<tr role="row" class="rule" id="${plain(id)}" data-outcome="rule" data-area="${rule?.area}"><th role="rowheader" scope="row"><span class="id">${plain(id)}</span> <span class="question">${ticked(rule?.statement ?? "")}</span></th>${cells}</tr>`;
}

function kindHtml(impact: Impact, { points, subjects }: Comparison, contract: RuleBook): Html {
  const found = points.filter((point) => point.impact === impact);
  if (found.length === 0) return NOTHING;
  const { title, means } = IMPACTS[impact];
  const rows = found.map((point) => pointRow(point, subjects, contract.points.get(point.point)));
  return html`<details class="group" id="${impact}" data-print${impact === "answer" && found.length > 20 ? "" : " open"}><summary><span class="head"><span class="title">${title}</span> <span class="count">${counted(found.length, "point")}</span></span></summary>
<p class="lead">${means}</p>
${tableHtml(title, "Open point", subjects, rows)}</details>`;
}

function pointRow(
  { point, readings }: PointDifference,
  subjects: readonly ComparedReport[],
  known: OpenPoint | undefined,
): Html {
  const cells = readings.map((reading, index) =>
    cellHtml(
      subjects[index],
      reading === undefined
        ? html`<span class="note">not seen</span>`
        : html`${readingsHtml(reading, known, reading !== readings[0])}`,
    ),
  );
  return html`<tr role="row" class="choice" id="${plain(point)}" data-outcome="choice" data-area="${known?.area}"><th role="rowheader" scope="row"><span class="id">${plain(point)}</span> <span class="question">${ticked(known?.question ?? "")}</span></th>${cells}</tr>`;
}

function tableHtml(
  name: string,
  first: string,
  subjects: readonly ComparedReport[],
  rows: readonly Html[],
): Html {
  const heads = subjects.map(
    ({ label, report }) =>
      html`<th role="columnheader" scope="col"><strong>${label}</strong> ${shownText(report.implementation.name, 40)}</th>`,
  );
  return html`<div class="wide" tabindex="0" role="region" aria-label="${name}, side by side"><table class="stack side-by-side" role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${first}</th>${heads}</tr></thead><tbody role="rowgroup">${rows}</tbody></table></div>`;
}

function cellHtml(subject: ComparedReport | undefined, content: Html): Html {
  return html`<td role="cell" data-label="${subject?.label}"><div>${content}</div></td>`;
}

/** The top of the page: each implementation with its verdict and its run, and what to be careful of. */
function comparePageHeader({ subjects, warnings }: Comparison): Html {
  const lines = warnings.map((warning) => html`<li>${shownText(warning, 400)}</li>`);
  return html`<header class="top">
<p class="kind">Conformance to <strong>${shownText(subjects[0]?.report.contract ?? "", 80)}</strong></p>
<h1>${count(subjects.length)} implementations side by side</h1>
${lines.length === 0 ? NOTHING : html`<ul class="warnings">${lines}</ul>`}
<ul class="subjects">${subjects.map(subjectHtml)}</ul>
</header>`;
}

function subjectHtml({ label, file, report, kept, required, unlikeReference }: ComparedReport): Html {
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
      html`${shownText(suite.version, 40)} <code title="${suite.digest}">${suite.digest.slice(0, 12)}</code>`,
    ],
    ["Kit", html`${shownText(kit.version, 40)}, ${shownText(adapter, 40)}`],
    ["Report", html`<code>${shownText(file, 200)}</code>`],
  ];
  return html`<li class="subject"><h2><span class="label">${label}</span> ${shownText(name, 80)} <span class="version">${shownText(version, 40)}</span>${language === undefined ? undefined : html` <span class="language">${shownText(language, 40)}</span>`}</h2>
<p class="verdict ${headlineOf(report)}"><span class="word">${verdictText(report)}</span></p>
<dl class="facts">${facts.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl></li>`;
}
