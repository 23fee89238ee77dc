import { html } from "hono/html";
import { plainLine } from "../../plain-text.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { areaRows } from "../areas.ts";
import type { ReportContext } from "../context.ts";
import { groupFailures, testsOf } from "../failure-groups.ts";
import { failureText } from "../failure-text.ts";
import { gateLines } from "../gates.ts";
import { headlineOf, headlineText } from "../headline.ts";
import { groupByReason } from "../reason-groups.ts";
import { requiredRules } from "../required-rules.ts";
import { counts, waiver } from "../waiver.ts";

/** Failures told in full; a summary may hold one MiB. */
const MOST_FAILURES = 20;
const MARKS = {
  conforms: "✅",
  "does-not-conform": "❌",
  undecided: "⚠️",
  "selection-passed": "☑️",
  "selection-undecided": "⚠️",
  "nothing-found": "☑️",
  "nothing-judged": "⚠️",
} as const;

/**
 * The report as a page of a GitHub Actions job summary. HTML throughout, and without an empty line, so that Markdown
 * begins nowhere in it: what an implementation answers is text and stays so.
 */
export async function githubSummary(report: GatedReport, context: ReportContext): Promise<string> {
  const { implementation, kit, suite, totals, contract } = report;
  const title = `${implementation.name} ${implementation.version}`;
  const page = html`<h2>${MARKS[headlineOf(report)]} ${plainLine(title, 100)}: ${headlineText(report)}</h2>
<p>${kit.name} ${kit.version}, contract ${contract}, suite <code>${suite.digest.slice(0, 12)}</code>:
${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped, ${totals.error} error;
${suite.executed} of ${suite.expected} run</p>
${gateLines(report).map(({ text, fails }) => html`<p>${fails ? "❌ " : ""}${text}</p>`)}
${failures(report, context)}
${report.results.map((result) => {
  const reason = waiver(result);
  return reason === undefined ? "" : html`<p>known failure: <code>${result.id}</code> ${reason}</p>`;
})}
${untried(report)}
<table><tr><th>area</th><th>required rules kept</th><th>failed</th><th>untried</th></tr>
${areaRows(report, context.contract).map(
  ({ title, kept, required, failed, untried }) =>
    html`<tr><td>${title}</td><td>${kept}/${required}</td><td>${failed}</td><td>${untried}</td></tr>`,
)}
</table>
${advice(report)}
`;
  return String(await page).replaceAll(/\n(?:\s*\n)+/g, "\n");
}

function failures(report: GatedReport, { contract, invocation, operationOf }: ReportContext) {
  const groups = groupFailures(report.results.filter(counts), operationOf);
  const shown = groups.slice(0, MOST_FAILURES).map((group) => {
    const [{ result, failure }] = group;
    const others = testsOf(group).length - 1;
    const text = failureText(result, failure, contract, invocation).join("\n");
    const more = others === 0 ? "" : `, and ${others} like it`;
    return html`<details><summary><code>${result.id}</code> ${failure.rules.join(", ")}${more}</summary>
<pre>${text}</pre></details>
`;
  });
  const rest = groups.slice(MOST_FAILURES).flat().length;
  return html`${shown}${rest === 0 ? "" : html`<p>and ${rest} more failures</p>`}`;
}

/** Results and required rules that the run left open, by reason. */
function untried(report: GatedReport) {
  const reasons = (["error", "skipped"] as const).flatMap((outcome) =>
    groupByReason(report.results.filter((result) => result.outcome === outcome)).map(
      ({ reason, results }) => html`<p>${results.length} × ${outcome}: ${plainLine(reason, 200)}</p>`,
    ),
  );
  const ids = requiredRules(report).filter(({ outcome }) => outcome === "untried");
  return html`${ids.length === 0 ? "" : html`<p>required rules untried: ${ids.map(({ id }) => id).join(" ")}</p>`}
${reasons}`;
}

function advice(report: GatedReport) {
  return report.advice.map(
    ({ rule, message }) => html`<p>advice <code>${rule}</code> ${plainLine(message, 400)}</p>`,
  );
}
