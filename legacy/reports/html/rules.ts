import type { ResultOutcome } from "../../engine/play/result.ts";
import type { Rule, RuleBook } from "../../engine/rule-book.ts";
import type { RuleReport } from "../../engine/run/verdict.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { count, counted, sideWords } from "../words.ts";
import { ticked } from "./failures.ts";
import { type Html, html, mark, testLink } from "./markup.ts";

/** Worst first. */
const ORDER: readonly ResultOutcome[] = ["failed", "error", "skipped", "passed"];

/** Every rule of the contract, area by area, with the tests that are about it. */
export function rulesHtml(report: GatedReport, contract: RuleBook): Html {
  const reports = new Map(report.rules.map((rule) => [rule.id, rule]));
  const outcomes = new Map(report.results.map(({ id, outcome }) => [id, outcome]));
  const areas = [...contract.areas].map(([area, title]) => {
    const rules = [...contract.rules.values()].filter((rule) => rule.area === area);
    return rules.length === 0 ? undefined : areaHtml(area, title, rules, reports, outcomes);
  });
  return html`<section id="rules" data-section><h2>Rules by area</h2>
<p class="lead">Every statement of the contract that binds a ${sideWords(report).judged}, and the tests that are about it.</p>
${areas}
</section>`;
}

function areaHtml(
  area: string,
  title: string,
  rules: readonly Rule[],
  reports: ReadonlyMap<string, RuleReport>,
  outcomes: ReadonlyMap<string, ResultOutcome>,
): Html {
  const required = rules.filter(({ level, observable }) => level === "required" && observable);
  const number = (wanted: string) =>
    required.filter(({ id }) => (reports.get(id)?.outcome ?? "untried") === wanted).length;
  const [kept, failed, untried] = [number("passed"), number("failed"), number("untried")];
  return html`<details class="group area" id="area-${area}" data-print${failed > 0 ? " open" : ""}>
<summary>${mark(failed > 0 ? "failed" : untried > 0 ? "untried" : "passed")}<span class="head"><span class="title">${title}</span>
<span class="count">${count(kept)} of ${count(required.length)} required rules kept${failed > 0 ? `, ${count(failed)} broken` : ""}${untried > 0 ? `, ${count(untried)} untried` : ""}</span></span>
${barHtml([
  ["passed", kept],
  ["failed", failed],
  ["untried", untried],
])}</summary>
<div class="rules">${rules.map((rule) => ruleHtml(rule, reports.get(rule.id), outcomes))}</div>
</details>`;
}

/** Parts of a whole as a bar: decoration, beside the same in words. */
function barHtml(parts: readonly (readonly [name: string, number: number])[]): Html {
  let start = 0;
  const total = parts.reduce((sum, [, number]) => sum + number, 0);
  const drawn = parts.map(([name, number]) => {
    const part = html`<rect class="${name}" x="${start}" width="${number}" height="1"/>`;
    start += number;
    return number === 0 ? undefined : part;
  });
  return html`<svg class="bar" viewBox="0 0 ${Math.max(1, total)} 1" preserveAspectRatio="none" aria-hidden="true">${drawn}</svg>`;
}

function ruleHtml(
  { id, area, level, statement, section, observable, reason }: Rule,
  report: RuleReport | undefined,
  outcomes: ReadonlyMap<string, ResultOutcome>,
): Html {
  const outcome = report?.outcome ?? "untried";
  const shownOutcome = level === "advice" && outcome === "failed" ? "advised" : outcome;
  const tests = [...(report?.results ?? [])];
  const links = ORDER.flatMap((wanted) => {
    const ids = tests.filter((test) => outcomes.get(test) === wanted);
    return ids.length === 0
      ? []
      : [html`<li>${mark(wanted)}<span>${ids.map((test) => html`${testLink(test)} `)}</span></li>`];
  });
  const why = observable ? undefined : html`<p>Not observable from outside: ${reason}.</p>`;
  return html`<details class="rule" id="${id}" data-outcome="${shownOutcome}" data-area="${area}"><summary>${mark(shownOutcome)}<span class="head"><span class="id">${id}</span> ${ticked(statement)}${
    level === "required" ? undefined : html` <span class="tag">${level}</span>`
  }</span></summary><div class="body"><p class="note">Contract: ${section}</p>${why}${
    tests.length === 0
      ? undefined
      : html`<p>${counted(tests.length, "test")}</p><ul class="outcomes">${links}</ul>`
  }${
    report?.mutants === undefined
      ? undefined
      : html`<p class="note">Seen to fail on ${counted(report.mutants.length, "broken service")} of the kit's own: ${report.mutants.join(", ")}</p>`
  }</div></details>\n`;
}
