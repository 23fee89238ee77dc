import type { Failure, Result } from "../../engine/play/result.ts";
import type { RuleBook } from "../../engine/rule-book.ts";
import { formatClock } from "../../engine/vectors/duration.ts";
import { plain, plainLine } from "../../plain-text.ts";
import { type FailureGroup, requestsInGroup, rulesOf, testsOf } from "../failure-groups.ts";
import { reproductionCommand } from "../reproduction-command.ts";
import type { ReportView } from "../view.ts";
import { counted } from "../words.ts";
import { answerHtml, headline, requestHtml, timelineHtml } from "./exchange.ts";
import {
  areasOf,
  commandHtml,
  type Html,
  html,
  mark,
  NOTHING,
  ruleLink,
  ruleLinks,
  shownText,
  testAttributes,
  testLink,
} from "./markup.ts";

/** Characters of markup that failures told whole may take: beyond it a page opens slowly and helps nobody. */
const MOST_DETAIL = 3_000_000;

/** Every failed test, the first of them open; after them those that the user knows of. */
export function failuresHtml(view: ReportView): Html {
  const { results } = view.report;
  const failed = results.filter(({ outcome }) => outcome === "failed");
  const fresh = failed.filter(({ known }) => known === undefined);
  const known = failed.filter((result) => result.known !== undefined);
  let length = 0;
  const told = (result: Result, index: number) => {
    if (length > MOST_DETAIL) return failedTestInBrief(result, view);
    const test = failedTest(result, view, result.known === undefined && index === 0);
    length += test.length;
    return test;
  };
  return html`${sectionHtml("failures", "Failed tests", `${counted(fresh.length, "test")} failed, each with what was sent, what came back and how to run it again.`, fresh.map(told))}
${sectionHtml("known", "Known failures", `${counted(known.length, "test")} failed as the baseline says. They do not fail the run; they do not conform either.`, known.map(told))}`;
}

function sectionHtml(id: string, title: string, lead: string, tests: readonly Html[]): Html {
  if (tests.length === 0) return NOTHING;
  return html`<section id="${id}" data-section><h2>${title}</h2>
<p class="lead">${lead} <button type="button" data-open="#${id} details.test" hidden>Open all</button></p>
${tests}
</section>`;
}

/** Rules told in full where a step stands for many. */
const MOST_RULES = 4;

/** What went wrong at one step: the rules with what was expected and what came, then the exchange itself. */
function stepHtml(failures: readonly [Failure, ...Failure[]], contract: RuleBook): Html {
  const [first] = failures;
  const { request, step, place, clockMs } = first;
  return html`<section class="failure">
<h3>Step ${plain(step)} <span class="where"><code>${plain(place.file)}:${place.line}</code> · clock ${formatClock(clockMs)}</span></h3>
${failures.map((failure) => brokenHtml(failure, contract))}
${
  request === undefined
    ? NOTHING
    : html`<div class="exchange"><div><h4>Sent</h4>${requestHtml(request)}</div>${answeredHtml(failures)}</div>`
}
</section>`;
}

/** What came; nothing where it is the request that is wrong. */
function answeredHtml(failures: readonly [Failure, ...Failure[]]): Html {
  const differences = failures.flatMap((failure) => failure.differences);
  const [{ response }] = failures;
  if (response === undefined && differences.length === 0) return NOTHING;
  return html`<div><h4>Answered</h4>${answerHtml(response, differences)}</div>`;
}

function brokenHtml({ rules, expected, got, received }: Failure, contract: RuleBook): Html {
  const rest = rules.slice(MOST_RULES);
  const belongs =
    received === undefined
      ? NOTHING
      : html`<ul class="rules"><li>What came belongs to ${ruleLink(received)} ${ticked(contract.rules.get(received)?.statement ?? "")}</li></ul>`;
  return html`<div class="broken">
<ul class="rules">${rules.slice(0, MOST_RULES).map((id) => brokenRuleHtml(id, contract))}${
    rest.length === 0 ? undefined : html`<li>and ${rest.map((id) => html`${ruleLink(id)} `)}</li>`
  }</ul>
<dl class="verdicts"><div><dt>Expected</dt><dd>${shownText(expected, 600)}</dd></div><div><dt>Got</dt><dd class="got">${shownText(got, 600)}</dd></div></dl>${belongs}
</div>`;
}

function brokenRuleHtml(id: string, contract: RuleBook): Html {
  const rule = contract.rules.get(id);
  return html`<li>${ruleLink(id)} ${ticked(rule?.statement ?? "")} <span class="note">Contract: ${rule?.section ?? "?"}</span></li>`;
}

/** A statement of the contract's data, with what stands between backticks as code. */
export function ticked(text: string): readonly Html[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/** A failed test with everything that there is to see about it. */
function failedTest(result: Result, { contract, invocation }: ReportView, open: boolean): Html {
  const { failures, trace, vector } = result;
  const steps = byStep(failures);
  return html`<details class="test" ${testAttributes(result, contract)}${open ? " open" : ""}>
${headHtml(result)}
<div class="body">
${originHtml(result)}
${knownHtml(result)}
${steps.map((step) => stepHtml(step, contract))}
${timelineHtml(trace, new Set(failures.map(({ step }) => step)))}
${vector === undefined ? NOTHING : html`<h3>As a vector, shrunk</h3><pre tabindex="0">${lines(vector)}</pre>`}
${incidentalHtml(result)}
<h3>Run just this again</h3>
${commandHtml(reproductionCommand(invocation, result.id))}
</div>
</details>`;
}

/** A failed test in a few lines: what is shown once a page holds as much detail as a browser likes. */
function failedTestInBrief(result: Result, { contract, invocation }: ReportView): Html {
  const { failures } = result;
  return html`<details class="test" ${testAttributes(result, contract)}>
${headHtml(result)}
<div class="body">
${originHtml(result)}
<ul>${failures.slice(0, 3).map(({ rule, step, expected, got }) => html`<li>Step ${plain(step)}, ${ruleLinks([rule])}: expected ${shownText(expected, 200)}, got <span class="got">${shownText(got, 200)}</span></li>`)}</ul>
<p class="note">Shortened to keep the page small; the json report has all of it.</p>
${commandHtml(reproductionCommand(invocation, result.id))}
</div>
</details>`;
}

function headHtml({ id, title, outcome, known }: Result): Html {
  return html`<summary>${mark(outcome)}<span class="head"><span class="id">${plain(id)}</span> <span class="title">${shownText(title, 300)}</span>${known === undefined ? undefined : html` <span class="tag">known</span>`}</span></summary>`;
}

function originHtml({ source, rules, kind }: Result): Html {
  const where =
    source === undefined ? html`a ${kind}` : html`<code>${plain(source.file)}:${source.line}</code>`;
  return html`<p class="origin">${where} · tests ${ruleLinks(rules)}</p>`;
}

/** Why it is known to fail. Only a link that leads to a page is made one. */
function knownHtml({ known }: Result): Html {
  if (known === undefined) return NOTHING;
  const { reason, link, expires } = known;
  const shownLink =
    link === undefined
      ? undefined
      : /^https?:\/\//.test(link)
        ? html` <a href="${link}" rel="noreferrer">${shownText(link, 200)}</a>`
        : html` ${shownText(link, 200)}`;
  return html`<p class="known">Known: ${shownText(reason, 400)}${shownLink}${expires === undefined ? undefined : html` <span class="note">until ${plain(expires)}</span>`}</p>`;
}

function byStep(failures: readonly Failure[]): readonly [Failure, ...Failure[]][] {
  const steps = new Map<string, [Failure, ...Failure[]]>();
  for (const failure of failures) {
    const step = steps.get(failure.step);
    if (step === undefined) steps.set(failure.step, [failure]);
    else step.push(failure);
  }
  return [...steps.values()];
}

function incidentalHtml({ incidental }: Result): Html {
  const rules = [...new Set(incidental.flatMap(({ rules }) => rules))];
  if (rules.length === 0) return NOTHING;
  return html`<p class="note">Also violated here; reported under its own test: ${ruleLinks(rules)}</p>`;
}

function lines(text: string): readonly Html[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => html`${plain(line)}\n`);
}

/** Groups told, and tests named by each, before the rest is only counted. */
const MOST_GROUPS = 30;
const TESTS_NAMED = 3;
const OTHER_RULES = 4;
const OTHER_REQUESTS = 4;

/** What is broken, each group of failures once however many tests meet it, the one first that tells most, as elsewhere. */
export function failureGroupsHtml({ failures: groups, contract }: ReportView): Html {
  if (groups.length === 0) return NOTHING;
  const rest = groups.length - MOST_GROUPS;
  const more =
    rest > 0 ? html`<p class="note">And ${counted(rest, "more failure group")}, below.</p>` : NOTHING;
  return html`<section id="broken" data-section><h2>What is broken</h2>
<p class="lead">${counted(groups.length, "failure group")}: what goes wrong in one way is one, in however many tests it shows.</p>
<ul class="failure-groups">${groups.slice(0, MOST_GROUPS).map((group) => failureGroupHtml(group, contract))}</ul>${more}
</section>`;
}

function failureGroupHtml(group: FailureGroup, contract: RuleBook): Html {
  const [{ failure }] = group;
  const tests = testsOf(group);
  const rules = rulesOf(group);
  const rest = tests.slice(TESTS_NAMED);
  const others =
    rest.length === 0
      ? NOTHING
      : html`<details class="more"><summary>and ${rest.length} more</summary><ul>${rest.map((id) => html`<li>${testLink(id)}</li>`)}</ul></details>`;
  return html`<li class="failure-group" data-outcome="failed" data-area="${areasOf(rules, contract)}">
<p class="symptom">${failure.request === undefined ? shownText(failure.message, 200) : headline(failure.request)}</p>
${otherRequestsHtml(group)}<dl class="verdicts"><div><dt>Expected</dt><dd>${shownText(failure.expected, 300)}</dd></div><div><dt>Got</dt><dd class="got">${shownText(failure.got, 300)}</dd></div></dl>
<p class="rules">${groupRulesHtml(rules, contract)}</p>
<div class="tests"><strong>${counted(tests.length, "test")}</strong>: ${tests.slice(0, TESTS_NAMED).map((id) => html`${testLink(id)} `)}${others}</div>
</li>`;
}

/** What else was answered so, where that is not one request. */
function otherRequestsHtml(group: FailureGroup): Html {
  const others = requestsInGroup(group).slice(1);
  if (others.length === 0) return NOTHING;
  const more = others.length - OTHER_REQUESTS;
  const named = others
    .slice(0, OTHER_REQUESTS)
    .map((request, index) => html`${index === 0 ? "" : ", "}<code>${plainLine(request, 80)}</code>`);
  return html`<p class="note">Likewise ${named}${more > 0 ? ` and ${counted(more, "more request")}` : ""}.</p>
`;
}

/** The rule that it breaks in words, and the others by id. */
function groupRulesHtml([first = "", ...others]: readonly string[], contract: RuleBook): Html {
  const more = others.length - OTHER_RULES;
  const also = html` Also ${ruleLinks(others.slice(0, OTHER_RULES))}${more > 0 ? `and ${more} more` : ""}`;
  return html`${ruleLink(first)} ${ticked(contract.rules.get(first)?.statement ?? "")}${others.length === 0 ? NOTHING : also}`;
}
