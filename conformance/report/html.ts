/** Prints a report as one HTML page without external resources. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../data/kit-files.ts";
import { cutText, plural } from "../data/text.ts";
import { formatVerdict } from "./console.ts";
import {
  ignoredRules,
  type OpenPointData,
  type ReportData,
  type ResultData,
  type RuleData,
  readingsOf,
  requiredRules,
} from "./data.ts";
import { errorTitle, type Field, failureFields, failureTitle } from "./failure.ts";
import { type FailureGroup, groupFailures } from "./groups.ts";
import { escapeMarkup, html, Markup } from "./markup.ts";
import { SCRIPT } from "./page-script.ts";

const STYLE = `\n${readFileSync(join(ROOT, "conformance", "report", "page.css"), "utf8")}`;

/** Maximum number of groups, and maximum lengths of their texts, so that the page stays below 1 MB. */
const MAX_GROUPS = 50;
const MAX_TEXT = 800;
const MAX_MARKUP = 1_200;

export function printHtml(data: ReportData): string {
  const title = `${data.service.name} ${data.service.version}`;
  const kind = requiredRules(data, "violated").length > 0 ? "does-not-conform" : data.verdict.conclusion;
  const header = html`<p class="kicker">Conformance to ${data.contract}</p>
<h1>${title}</h1>
<p class="verdict ${kind}">${formatVerdict(data)}</p>
${counts(data)}
<p class="note facts">${runFacts(data)}</p>
<p id="tools" hidden><input type="search" placeholder="Search" aria-label="Search"> <select aria-label="Status">
<option value="">all</option>${STATUSES.map((status) => html`<option>${status}</option>`)}</select>
<small>keys j and k: next and previous failure</small></p>`;
  const main = html`${policies(data)}
${failures(data)}
${rules(data)}
${tests(data)}
${behavior(data)}`;
  return page(
    `${title}: conformance`,
    header,
    main,
    html`${footer(data)}
<script>${new Markup(SCRIPT)}</script>`,
  );
}

/** Returns a page that loads nothing, and has only its own style and script. */
export function page(title: string, header: Markup, main: Markup, end: Markup = html``): string {
  const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const sources = `style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}`;
  const policy = `default-src 'none'; ${sources}; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<header>
${header}
</header>
<main>
${main}
</main>
${end}
</body>
</html>
`.text;
}

/** Statuses of failures, rules, and tests by which the page can be filtered. */
const STATUSES = ["failed", "error", "violated", "skipped", "not-tested", "passed", "satisfied"];

function runFacts({ run, kit }: ReportData): string {
  const { date, durationMs, seed, requests } = run;
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  const when = date === undefined ? [] : [date.replace("T", " ").replace(/\.\d+Z$/, " UTC")];
  const facts = [seconds, plural(requests, "request"), `seed ${seed}`, `launch-draft-conformance ${kit}`];
  return [...when, ...facts].join(" · ");
}

/** A number of rules or tests: label, number, and CSS class. */
type Figure = readonly [label: string, count: number, kind: string];

/** Returns the numbers of rules and tests with each outcome. */
export function figures(data: ReportData): readonly Figure[] {
  const { passed, failed, skipped, error } = data.tests;
  const count = (outcome: RuleData["outcome"]) => requiredRules(data, outcome).length;
  const ignored = ignoredRules(data).length;
  const noun = ignored === 1 ? "recommendation" : "recommendations";
  return [
    ["required rules satisfied", count("satisfied"), "passed"],
    ["violated", count("violated"), "failed"],
    ["not tested", count("not-tested"), "skipped"],
    ["tests passed", passed, "passed"],
    ["failed", failed, "failed"],
    ["skipped", skipped, "skipped"],
    [error === 1 ? "error" : "errors", error, "error"],
    ...(ignored > 0 ? ([[`${noun} not followed`, ignored, "skipped"]] as const) : []),
  ];
}

function counts(data: ReportData): Markup {
  return html`<ul class="counts">${figures(data).map(
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

function failures(data: ReportData): Markup {
  const groups = groupFailures(data);
  if (groups.length === 0) return html``;
  const rest = groups.length - MAX_GROUPS;
  return html`<section>
<h2>Failures</h2>
<p class="note">${plural(groups.length, "group")}. Failures with the same probable cause are in one group.</p>
${groups.slice(0, MAX_GROUPS).map((group, index) => failure(group, data, index === 0))}
${rest > 0 ? html`<p>The JSON report has ${plural(rest, "more group")}.</p>` : ""}
</section>`;
}

function failure(group: FailureGroup, data: ReportData, isOpen: boolean): Markup {
  const { result, finding } = group.first;
  const fields = failureFields(group.first, data, group);
  const { label = "", text = "" } = fields[0] ?? {};
  const more = group.tests.length > 1 ? html` <span class="more">${group.tests.length} tests</span>` : "";
  const [title, statement] = finding === undefined ? ["Error", errorTitle(result)] : [label, text];
  const received = finding?.received === undefined ? "(no response)" : fit(finding.received);
  const exchange =
    finding?.sent === undefined
      ? ""
      : html`<details class="exchange"><summary>request and response</summary>
<pre>${fit(finding.sent)}</pre><pre>${received}</pre></details>`;
  const status = finding === undefined ? "error" : "failed";
  return html`<details class="failure" data-status="${status}"${isOpen ? new Markup(" open") : ""}>
<summary><b>${title}</b> <span>${withCode(statement)}</span>${more}</summary>
<p class="id"><code>${failureTitle(group.first)}</code> · ${testLink(result.id, "test")}${
    finding === undefined ? "" : html` · <a href="#rule-${label}">rule</a>`
  }</p>
<dl>${fields.slice(finding === undefined ? 0 : 1).map(field)}</dl>${exchange}
</details>`;
}

function testLink(id: string, text = id): Markup {
  return html`<a href="#test-${id}">${text}</a>`;
}

/** Cuts a text so that its markup is also short enough. */
function fit(text: string, maxLength = MAX_TEXT): string {
  const kept = cutText(text, maxLength);
  return escapeMarkup(kept).length <= MAX_MARKUP ? kept : fit(text, Math.floor(maxLength * 0.8));
}

function field({ label, text, form }: Field): Markup {
  const isCommand = form === "command";
  if (isCommand && fit(text) !== text) return html``;
  const value = isCommand
    ? html`<pre>${text.split(" ").map((word) => html`<span>${word}</span> `)}</pre>`
    : withCode(fit(text));
  return html`<div class="${label.replace(/\W.*/s, "")}"><dt>${label}</dt><dd>${value}</dd></div>
`;
}

/** Marks up text between backticks as code. */
export function withCode(text: string): Markup {
  return html`${text.split("`").map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`;
}

/** A list of a section: label, CSS class, and rows of a table. */
type List = readonly [label: string, kind: string, rows: readonly Markup[]];

/** Returns a section of lists, each of which opens and closes on a click. Leaves out empty lists. */
export function section(
  title: string,
  head: readonly string[],
  lists: readonly List[],
  isOpen = false,
): Markup {
  const cells = head.map((name) => html`<th class="${name}">${name}</th>`);
  const list = ([label, kind, rows]: List) => html`<details class="fold"${isOpen ? new Markup(" open") : ""}>
<summary class="${kind}">${rows.length} ${label}</summary>
<div class="scroll"><table><tr>${cells}</tr>
${rows}</table></div></details>
`;
  return html`<section><h2>${title}</h2>
${lists.filter(([, , rows]) => rows.length > 0).map(list)}</section>`;
}

function note(text: string | undefined): Markup {
  return text === undefined ? html`` : html`<br><small>${text}</small>`;
}

/** Maximum number of failing tests that the row of a rule links to. */
const MAX_LINKS = 5;

function rules(data: ReportData): Markup {
  const { rules: all, results } = data;
  const ignored = ignoredRules(data);
  const links = (rule: string) => {
    const showing = results.filter(({ findings }) => findings?.some((one) => one.rules.includes(rule)));
    const ids = showing.map(({ id }) => id);
    const more = ids.length > MAX_LINKS ? ` and ${ids.length - MAX_LINKS} more` : "";
    const shown = ids.slice(0, MAX_LINKS).map((id) => html` ${testLink(id)}`);
    return ids.length === 0 ? html`` : html`<br><small>shown by${shown}${more}</small>`;
  };
  const row = ({ id, level, statement, section: of, outcome, reason, isAllowed }: RuleData) => html`<tr
 id="rule-${id}" data-status="${outcome}"><td><a href="#rule-${id}"><code>${id}</code></a></td>
<td>${withCode(statement)}${note(isAllowed ? `accepted: ${reason}` : reason)}${links(id)}</td>
<td>${level}</td><td>${of}</td></tr>
`;
  const list = (outcome: RuleData["outcome"], kind: string): List => {
    const some = all.filter((rule) => rule.outcome === outcome && !ignored.includes(rule));
    const required = some.filter(({ level }) => level === "required").length;
    const part = required === some.length ? "" : ` (${required || "none"} required)`;
    return [outcome.replace("-", " ") + part, kind, some.map(row)];
  };
  const lists = [
    list("violated", "failed"),
    ["recommendations not followed", "skipped", ignored.map(row)] as const,
    list("not-tested", "skipped"),
    list("satisfied", "passed"),
    list("not-observable", "none"),
  ];
  return section("Rules", ["rule", "statement", "level", "contract"], lists);
}

const MAX_SLOWEST = 10;

function tests({ results }: ReportData): Markup {
  const cells = ({ title, place, reason, known, durationMs }: ResultData) => html`
<td>${title}${note(known === undefined ? reason : `known: ${known.reason}`)}</td>
<td><code>${place}</code></td><td class="number">${durationMs} ms</td></tr>
`;
  const row = (result: ResultData) =>
    html`<tr id="test-${result.id}" data-status="${result.outcome}"><td><code>${result.id}</code></td>${cells(result)}`;
  const slowest = results.toSorted((one, other) => other.durationMs - one.durationMs).slice(0, MAX_SLOWEST);
  const list = (outcome: ResultData["outcome"], label: string = outcome): List => {
    return [label, outcome, results.filter((result) => result.outcome === outcome).map(row)];
  };
  const lists = [list("failed"), list("error", "ended in an error"), list("skipped"), list("passed")];
  const slow: List = [
    "slowest",
    "none",
    slowest.map((result) => html`<tr><td>${testLink(result.id)}</td>${cells(result)}`),
  ];
  return section("Tests", ["test", "title", "vector", "time"], [...lists, slow]);
}

function behavior(data: ReportData): Markup {
  const observed = (id: string) => readingsOf(data, id);
  const row = ({ id, question, reference }: OpenPointData) => html`<tr>
<td><code>${id}</code></td><td>${question}</td><td>${observed(id)?.join(", ") ?? ""}</td><td>${reference}</td></tr>
`;
  const shown = data.openPoints.filter(({ id }) => observed(id) !== undefined);
  const isSame = ({ id, reference }: OpenPointData) =>
    observed(id)?.every((reading) => reading === reference);
  const head = ["open point", "question", "observed", "reference"];
  return section("Behavior that the contract leaves open", head, [
    ["unlike the reference", "skipped", shown.filter((point) => !isSame(point)).map(row)],
    ["as in the reference", "passed", shown.filter(isSame).map(row)],
  ]);
}

function footer({ run: { suite, selected, total, command }, service }: ReportData): Markup {
  const facts = [`${selected} of ${total} tests selected`, service.transport, `suite ${suite.digest}`];
  return html`<footer><p>${facts.join(" · ")}</p>${command === undefined ? "" : html`<pre>${command}</pre>`}</footer>`;
}
