import { plural } from "../adapters/text.ts";
import { formatVerdict } from "./console.ts";
import type { ReportData } from "./data.ts";
import { contextOf, failureLines } from "./failure.ts";
import { type FailureGroup, groupFailures } from "./groups.ts";
import { html, type Markup } from "./markup.ts";

/** Number of groups to show in full. A job summary of GitHub may have 1 MiB. */
const MAX_GROUPS = 20;
const WIDTH = 100;
const MARKS = { conforms: "✅", "does-not-conform": "❌", undecided: "⚠️", none: "☑️" } as const;

/**
 * Prints a report for a job summary. It is one block of HTML without an empty line, in which Markdown has no
 * meaning (CommonMark, section 4.6), so that no text of the service is markup.
 */
export function printMarkdown(data: ReportData): string {
  const { service, verdict, tests, policies = [], run } = data;
  const groups = groupFailures(data);
  const known = data.results.flatMap(({ id, known: entry }) =>
    entry === undefined ? [] : [{ id, ...entry }],
  );
  const rest = groups.length - MAX_GROUPS;
  const page = html`<h2>${MARKS[verdict.conclusion]} ${service.name} ${service.version}</h2>
<p>${formatVerdict(data)}</p>
<table>
<tr><th>passed</th><th>failed</th><th>skipped</th><th>errors</th><th>requests</th></tr>
<tr><td>${tests.passed}</td><td>${tests.failed}</td><td>${tests.skipped}</td><td>${tests.error}</td><td>${run.requests}</td></tr>
</table>
${policies.map(
  ({ summary, problems }) => html`<p>${problems.length > 0 ? "❌ " : ""}${summary}</p>
${problems.map(
  ({ message }) => html`<p>${message}</p>
`,
)}`,
)}${groups.slice(0, MAX_GROUPS).map((group) => failure(group, data))}${
  rest > 0
    ? html`<p>and ${plural(rest, "group")} more</p>
`
    : ""
}${known.map(
  ({ id, reason }) => html`<p>Known failure: <code>${id}</code> ${reason}</p>
`,
)}`;
  return `${page.text.trimEnd()}\n`;
}

function failure(group: FailureGroup, data: ReportData): Markup {
  const { result, finding } = group.first;
  const lines = failureLines(group.first, contextOf(data), WIDTH, group);
  const more = group.tests.length > 1 ? ` and ${plural(group.tests.length - 1, "test")} more` : "";
  return html`<details><summary>${finding?.rules[0] ?? "Error"} in <code>${result.id}</code>${more}</summary>
<pre>${lines.join("\n")}</pre></details>
`;
}
