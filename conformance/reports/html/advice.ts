import type { RuleBook } from "../../engine/rule-book.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { areasOf, mark, ruleLink } from "./links.ts";
import { type Html, html, NOTHING } from "./markup.ts";
import { shown } from "./shown-text.ts";

/** Warnings: legal, yet unsafe or hard on clients. */
export function adviceHtml({ advice }: GatedReport, contract: RuleBook): Html {
  if (advice.length === 0) return NOTHING;
  const items = advice.map(
    ({ rule, message }) =>
      html`<li data-outcome="advised" data-area="${areasOf([rule], contract)}">${mark("advised")}<div>${ruleLink(rule)} ${shown(message, 600)}</div></li>`,
  );
  return html`<section id="advice" data-section><h2>Advice</h2>
<p class="lead">Legal, yet unsafe or hard on clients. Advice never changes the verdict.</p>
<ul class="rows">${items}</ul></section>`;
}
