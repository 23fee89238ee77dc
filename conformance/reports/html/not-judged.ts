import type { RuleBook } from "../../engine/rule-book.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { groupByReason } from "../reason-groups.ts";
import { mark, testAttributes } from "./links.ts";
import { type Html, html, NOTHING } from "./markup.ts";
import { shown } from "./shown-text.ts";
import { testRow } from "./test-row.ts";
import { counted } from "./words.ts";

const SECTIONS = {
  error: {
    id: "errors",
    title: "Errors",
    lead: "The adapter or the implementation broke, so that nothing can be said of what these test: neither passed nor failed.",
  },
  skipped: {
    id: "skipped",
    title: "Skipped",
    lead: "Left out, with the reason: neither passed nor failed.",
  },
} as const;

/** Tests that were not judged, by reason: a reason that many share is said once. */
export function notJudgedHtml(
  { results }: GatedReport,
  outcome: "error" | "skipped",
  contract: RuleBook,
): Html {
  const groups = groupByReason(results.filter((result) => result.outcome === outcome));
  if (groups.length === 0) return NOTHING;
  const { id, title, lead } = SECTIONS[outcome];
  return html`<section id="${id}" data-section><h2>${title}</h2><p class="lead">${lead}</p>
${groups.map(
  ({ reason, results: tests }) =>
    html`<details class="group" data-print><summary>${mark(outcome)}<span class="head"><span class="title">${shown(reason, 600)}</span> <span class="count">${counted(tests.length, "test")}</span></span></summary><ul class="rows">${tests.map((result) => testRow(result, testAttributes(result, contract)))}</ul></details>`,
)}
</section>`;
}
