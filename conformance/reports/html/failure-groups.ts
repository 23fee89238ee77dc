import type { RuleBook } from "../../engine/rule-book.ts";
import { plainLine } from "../../plain-text.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { type FailureGroup, groupFailures, requestsOf, rulesOf, testsOf } from "../failure-groups.ts";
import { ticked } from "./failure.ts";
import { areasOf, ruleLink, ruleLinks, testLink } from "./links.ts";
import { type Html, html, NOTHING } from "./markup.ts";
import type { PageContext } from "./page-context.ts";
import { headline } from "./request.ts";
import { shown } from "./shown-text.ts";
import { counted } from "./words.ts";

/** Groups told, and tests named by each, before the rest is only counted. */
const MOST_GROUPS = 30;
const TESTS_NAMED = 3;
const OTHER_RULES = 4;
const OTHER_REQUESTS = 4;

/** What is broken, each group of failures once however many tests meet it, the one first that tells most, as elsewhere. */
export function failureGroupsHtml({ results }: GatedReport, { contract, operationOf }: PageContext): Html {
  const fresh = results.filter(({ known }) => known === undefined);
  const groups = groupFailures(fresh, operationOf);
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
<p class="symptom">${failure.request === undefined ? shown(failure.message, 200) : headline(failure.request)}</p>
${otherRequestsHtml(group)}<dl class="verdicts"><div><dt>Expected</dt><dd>${shown(failure.expected, 300)}</dd></div><div><dt>Got</dt><dd class="got">${shown(failure.got, 300)}</dd></div></dl>
<p class="rules">${rulesHtml(rules, contract)}</p>
<div class="tests"><strong>${counted(tests.length, "test")}</strong>: ${tests.slice(0, TESTS_NAMED).map((id) => html`${testLink(id)} `)}${others}</div>
</li>`;
}

/** What else was answered so, where that is not one request. */
function otherRequestsHtml(group: FailureGroup): Html {
  const others = requestsOf(group).slice(1);
  if (others.length === 0) return NOTHING;
  const more = others.length - OTHER_REQUESTS;
  const named = others
    .slice(0, OTHER_REQUESTS)
    .map((request, index) => html`${index === 0 ? "" : ", "}<code>${plainLine(request, 80)}</code>`);
  return html`<p class="note">Likewise ${named}${more > 0 ? ` and ${counted(more, "more request")}` : ""}.</p>
`;
}

/** The rule that it breaks in words, and the others by id. */
function rulesHtml([first = "", ...others]: readonly string[], contract: RuleBook): Html {
  const more = others.length - OTHER_RULES;
  const also = html` Also ${ruleLinks(others.slice(0, OTHER_RULES))}${more > 0 ? `and ${more} more` : ""}`;
  return html`${ruleLink(first)} ${ticked(contract.rules.get(first)?.statement ?? "")}${others.length === 0 ? NOTHING : also}`;
}
