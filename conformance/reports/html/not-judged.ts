import type { GatedReport } from "../../policies/gated-report.ts";
import { groupErrors } from "../errors/error-groups.ts";
import { groupByReason } from "../reason-groups.ts";
import { sideWords } from "../side-words.ts";
import { breakageHtml } from "./breakage.ts";
import { mark, testAttributes } from "./links.ts";
import { type Html, html, NOTHING } from "./markup.ts";
import type { PageContext } from "./page-context.ts";
import { shown } from "./shown-text.ts";
import { testRow } from "./test-row.ts";
import { counted } from "./words.ts";

const SECTIONS = {
  error: {
    id: "errors",
    title: "Errors",
    lead: " broke, so that nothing can be said of what these test: neither passed nor failed.",
  },
  skipped: {
    id: "skipped",
    title: "Skipped",
    lead: "Left out, with the reason: neither passed nor failed.",
  },
} as const;

/** Tests that were not judged: errors by what broke, skips by reason, which is said once where many share it. */
export function notJudgedHtml(
  { results, side }: GatedReport,
  outcome: "error" | "skipped",
  context: PageContext,
): Html {
  const groups =
    outcome === "error"
      ? groupErrors(results).map((group) => ({
          reason: group[0].reason ?? "no reason given",
          results: group,
        }))
      : groupByReason(results.filter((result) => result.outcome === outcome));
  if (groups.length === 0) return NOTHING;
  const { id, title, lead } = SECTIONS[outcome];
  const breaks = outcome === "error" ? sideWords({ side }).breaks : "";
  return html`<section id="${id}" data-section><h2>${title}</h2><p class="lead">${breaks}${lead}</p>
${groups.map(
  ({ reason, results: tests }) =>
    html`<details class="group" data-print><summary>${mark(outcome)}<span class="head"><span class="title">${shown(reason, 600)}</span> <span class="count">${counted(tests.length, "test")}</span></span></summary>${breakageHtml(tests[0], context)}<ul class="rows">${tests.map((result) => testRow(result, testAttributes(result, context.contract)))}</ul></details>`,
)}
</section>`;
}
