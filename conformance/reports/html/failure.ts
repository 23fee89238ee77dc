import type { Failure } from "../../engine/play/result.ts";
import type { RuleBook } from "../../engine/rule-book.ts";
import { formatClock } from "../../engine/vectors/duration.ts";
import { plain } from "../../plain-text.ts";
import { answerHtml } from "./answer.ts";
import { ruleLink } from "./links.ts";
import { type Html, html, NOTHING } from "./markup.ts";
import { requestHtml } from "./request.ts";
import { shown } from "./shown-text.ts";

/** Rules told in full where a step stands for many. */
const MOST_RULES = 4;

/** What went wrong at one step: the rules with what was expected and what came, then the exchange itself. */
export function stepHtml(failures: readonly [Failure, ...Failure[]], contract: RuleBook): Html {
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
<ul class="rules">${rules.slice(0, MOST_RULES).map((id) => ruleHtml(id, contract))}${
    rest.length === 0 ? undefined : html`<li>and ${rest.map((id) => html`${ruleLink(id)} `)}</li>`
  }</ul>
<dl class="verdicts"><div><dt>Expected</dt><dd>${shown(expected, 600)}</dd></div><div><dt>Got</dt><dd class="got">${shown(got, 600)}</dd></div></dl>${belongs}
</div>`;
}

function ruleHtml(id: string, contract: RuleBook): Html {
  const rule = contract.rules.get(id);
  return html`<li>${ruleLink(id)} ${ticked(rule?.statement ?? "")} <span class="note">Contract: ${rule?.section ?? "?"}</span></li>`;
}

/** A statement of the contract's data, with what stands between backticks as code. */
export function ticked(text: string): readonly Html[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
