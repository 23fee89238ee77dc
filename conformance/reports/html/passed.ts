import type { Result } from "../../engine/play/result.ts";
import type { RuleBook } from "../../engine/rule-book.ts";
import { plain } from "../../plain-text.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { mark, testAttributes } from "./links.ts";
import { type Html, html, NOTHING } from "./markup.ts";
import { testRow } from "./test-row.ts";
import { count, counted } from "./words.ts";

/** Every test that passed, suite by suite. */
export function passedHtml({ results }: GatedReport, contract: RuleBook): Html {
  const suites = new Map<string, Result[]>();
  for (const result of results) {
    if (result.outcome !== "passed") continue;
    const suite = result.id.split("/")[0] ?? "";
    const tests = suites.get(suite);
    if (tests === undefined) suites.set(suite, [result]);
    else tests.push(result);
  }
  if (suites.size === 0) return NOTHING;
  const total = [...suites.values()].reduce((sum, tests) => sum + tests.length, 0);
  return html`<section id="passed" class="no-print" data-section><h2>Passed tests</h2>
<p class="lead">${counted(total, "test")} passed, by suite.</p>
${[...suites].map(
  ([suite, tests]) =>
    html`<details class="group"><summary>${mark("passed")}<span class="head"><span class="title">${plain(suite)}</span> <span class="count">${count(tests.length)}</span></span></summary><ul class="rows">${tests.map((result) => testRow(result, testAttributes(result, contract)))}</ul></details>\n`,
)}
</section>`;
}
