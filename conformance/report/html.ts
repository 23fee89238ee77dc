/** Prints a report as one HTML page, which needs neither a network nor a script. */
import { createHash } from "node:crypto";
import { cutText } from "../adapters/text.ts";
import { formatVerdict } from "./console.ts";
import type { ReportData, ResultData, RuleData } from "./data.ts";
import {
  contextOf,
  type FailureContext,
  type Field,
  failureFields,
  failureTitle,
  plural,
} from "./failure.ts";
import { type FailureGroup, groupFailures } from "./groups.ts";
import { escapeMarkup, html, Markup } from "./markup.ts";
import { STYLE } from "./page-style.ts";

/** Number of groups to show, and lengths of the texts in them, so that the page stays below 1 MB. */
const MAX_GROUPS = 50;
const MAX_TEXT = 800;
const MAX_LIST = 240;
const MAX_MARKUP = 1_200;

const POLICY = `default-src 'none'; style-src '${styleHash()}'; base-uri 'none'; form-action 'none'`;

function styleHash(): string {
  return `sha256-${createHash("sha256").update(STYLE).digest("base64")}`;
}

export function printHtml(data: ReportData): string {
  const title = `${data.service.name} ${data.service.version}`;
  const groups = groupFailures(data);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}: conformance</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<header>
<p class="kicker">Conformance to ${data.contract}</p>
<h1>${title}</h1>
<p class="verdict ${data.verdict.conclusion}">${formatVerdict(data)}</p>
${counts(data)}
</header>
<main>
${policies(data)}
${failures(groups, data)}
${rules(data)}
${tests(data)}
${behavior(data)}
</main>
${footer(data)}
</body>
</html>
`;
  return page.text;
}

function counts({ tests: { passed, failed, skipped, error }, rules: all }: ReportData): Markup {
  const required = all.filter(({ level }) => level === "required");
  const count = (outcome: RuleData["outcome"]) => required.filter((rule) => rule.outcome === outcome).length;
  const figures: readonly (readonly [string, number, string])[] = [
    ["required rules satisfied", count("satisfied"), "passed"],
    ["violated", count("violated"), "failed"],
    ["not tested", count("not-tested"), "skipped"],
    ["tests passed", passed, "passed"],
    ["failed", failed, "failed"],
    ["skipped", skipped, "skipped"],
    [error === 1 ? "error" : "errors", error, "error"],
  ];
  return html`<ul class="counts">${figures.map(
    ([label, value, kind]) => html`<li class="${value === 0 ? "none" : kind}"><b>${value}</b> ${label}</li>`,
  )}</ul>`;
}

function policies({ policies: all = [] }: ReportData): Markup {
  return html`${all.map(
    ({ summary, problems }) => html`<section class="policy">
<p>${summary}</p>
<ul>${problems.map(({ place, message }) => html`<li>${place === undefined ? "" : html`<code>${place}</code> `}${message}</li>`)}</ul>
</section>`,
  )}`;
}

function failures(groups: readonly FailureGroup[], data: ReportData): Markup {
  if (groups.length === 0) return html``;
  const context = contextOf(data);
  const rest = groups.length - MAX_GROUPS;
  return html`<section>
<h2>Failures</h2>
<p class="note">${plural(groups.length, "group")}. Failures with the same probable cause are in one group.</p>
${groups.slice(0, MAX_GROUPS).map((group, index) => failure(group, context, index === 0))}
${rest > 0 ? html`<p>The JSON report has ${plural(rest, "more group")}.</p>` : ""}
</section>`;
}

function failure(group: FailureGroup, context: FailureContext, isOpen: boolean): Markup {
  const { result, finding } = group.first;
  const fields = failureFields(group.first, context, group);
  const more = group.tests.length > 1 ? html` <span class="more">${group.tests.length} tests</span>` : "";
  const title = finding === undefined ? "Error" : (finding.rules[0] ?? "");
  return html`<details class="failure"${isOpen ? new Markup(" open") : ""}>
<summary><b>${title}</b> <span>${result.title}</span>${more}</summary>
<p class="id"><code>${failureTitle(group.first)}</code></p>
<dl>${fields.map(field)}</dl>
</details>`;
}

/** Cuts a text so that its markup is short enough, too. */
function fit(text: string, maxLength = MAX_TEXT): string {
  const kept = cutText(text, maxLength);
  return escapeMarkup(kept).length <= MAX_MARKUP ? kept : fit(text, Math.floor(maxLength * 0.8));
}

function field({ label, text, maxLines, isCommand = false }: Field): Markup {
  if (isCommand && fit(text) !== text) return html``;
  const value = isCommand
    ? html`<pre>${text}</pre>`
    : withCode(fit(text, maxLines === 1 ? MAX_LIST : MAX_TEXT));
  return html`<div class="${label.replace(/\W.*/s, "")}"><dt>${label}</dt><dd>${value}</dd></div>
`;
}

/** Marks up what is between backticks. */
function withCode(text: string): Markup {
  return html`${text.split("`").map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`;
}

const RULE_OUTCOMES = [
  ["violated", "violated", "failed"],
  ["not-tested", "not tested", "skipped"],
  ["satisfied", "satisfied", "passed"],
  ["not-observable", "not observable", "none"],
] as const;

function rules({ rules: all }: ReportData): Markup {
  const row = ({ id, level, statement, section, reason, isAllowed = false }: RuleData) => html`<tr>
<td><code>${id}</code></td>
<td>${withCode(statement)}${reason === undefined ? "" : html`<br><small>${isAllowed ? "allowed: " : ""}${reason}</small>`}</td>
<td>${level}</td><td>${section}</td></tr>
`;
  const lists = RULE_OUTCOMES.map(([outcome, label, kind]) => {
    const some = all.filter((rule) => rule.outcome === outcome);
    const table = html`<table><tr><th>rule</th><th>statement</th><th>level</th><th>contract</th></tr>
${some.map(row)}</table>`;
    return fold(`${some.length} ${label}`, kind, some.length, table);
  });
  return html`<section><h2>Rules</h2>${lists}</section>`;
}

const TEST_OUTCOMES = [
  ["failed", "failed"],
  ["error", "ended in an error"],
  ["skipped", "skipped"],
  ["passed", "passed"],
] as const;

function tests({ results }: ReportData): Markup {
  const row = ({ id, title, reason, known, durationMs }: ResultData) => {
    const note = known === undefined ? reason : `known: ${known.reason}`;
    return html`<tr><td><code>${id}</code></td><td>${title}${note === undefined ? "" : html`<br><small>${note}</small>`}</td><td class="number">${durationMs} ms</td></tr>
`;
  };
  const lists = TEST_OUTCOMES.map(([outcome, label]) => {
    const some = results.filter((result) => result.outcome === outcome);
    const table = html`<table><tr><th>test</th><th>title</th><th>time</th></tr>
${some.map(row)}</table>`;
    return fold(`${some.length} ${label}`, outcome, some.length, table);
  });
  return html`<section><h2>Tests</h2>${lists}</section>`;
}

function behavior({ behavior: observed, openPoints }: ReportData): Markup {
  const shown = openPoints.filter(({ id }) => observed[id] !== undefined);
  const differs = ({ id, reference }: (typeof shown)[number]) =>
    observed[id]?.some((reading) => reading !== reference) === true;
  const row = (point: (typeof shown)[number]) => html`<tr>
<td><code>${point.id}</code></td><td>${point.question}</td><td>${observed[point.id]?.join(", ") ?? ""}</td><td>${point.reference}</td></tr>
`;
  const list = (label: string, kind: string, some: typeof shown) =>
    fold(
      `${some.length} ${label}`,
      kind,
      some.length,
      html`<table><tr><th>open point</th><th>question</th><th>observed</th><th>reference</th></tr>
${some.map(row)}</table>`,
    );
  return html`<section><h2>Behavior that the contract leaves open</h2>
${list("unlike the reference", "skipped", shown.filter(differs))}
${list(
  "as in the reference",
  "passed",
  shown.filter((point) => !differs(point)),
)}
</section>`;
}

/** Returns a heading that shows its content when it is opened, or nothing for an empty list. */
function fold(label: string, kind: string, count: number, content: Markup): Markup {
  if (count === 0) return html``;
  return html`<details class="fold"><summary class="${kind}">${label}</summary><div class="scroll">${content}</div></details>
`;
}

function footer({ kit, run, service }: ReportData): Markup {
  const { seed, suite, selected, requests, durationMs, command } = run;
  const facts = [
    `launch-draft-conformance ${kit}`,
    `seed ${seed}`,
    `${selected} of ${suite.vectors} tests selected`,
    `${requests} requests in ${(durationMs / 1000).toFixed(1)} s`,
    service.transport,
    `suite ${suite.digest}`,
  ];
  return html`<footer><p>${facts.join(" · ")}</p>${command === undefined ? "" : html`<pre>${command}</pre>`}</footer>`;
}
