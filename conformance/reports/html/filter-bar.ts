import type { RuleBook } from "../../engine/rule-book.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { type Html, html } from "./markup.ts";
import { count } from "./words.ts";

/** Search and filters; without a script they have nothing to do, and stay away. */
export function filterBar({ totals }: GatedReport, contract: RuleBook): Html {
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
