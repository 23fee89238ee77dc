/** Reports for GitHub Actions: annotations on the lines of vectors, and the page of a job. */

import { isAbsolute, relative, resolve } from "node:path";
import { html } from "hono/html";
import type { Result } from "../engine/play/result.ts";
import { plain, plainLine } from "../plain-text.ts";
import { type FailureGroup, groupByReason, testsOf } from "./failure-groups.ts";
import { failureText } from "./failure-text.ts";
import type { ReportView } from "./view.ts";

/** What GitHub's runner reads as the end of a message, or of a property. */
const IN_MESSAGE = /[%\r\n]/g;
const IN_PROPERTY = /[%\r\n:,]/g;

/**
 * A line that GitHub's runner takes for a command (GitHub's documentation, "Workflow commands"), whatever its texts hold.
 * @param properties in the order in which they are to stand
 */
export function workflowCommand(
  name: string,
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const stated = Object.entries(properties).map(
    ([property, value]) => `${property}=${String(value).replaceAll(IN_PROPERTY, escaped)}`,
  );
  return `::${name}${stated.length === 0 ? "" : ` ${stated.join(",")}`}::${message.replaceAll(IN_MESSAGE, escaped)}\n`;
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/** GitHub shows so many annotations of each kind for a step, and drops the rest without a word. */
const MOST = 10;

/** Where annotations are shown. */
export interface Workspace {
  /** Folder of the checkout, to which GitHub wants paths to be relative. */
  readonly folder: string;
  /** Whether there is such a file: of an installed kit, vectors are named that lie in none. */
  readonly has: (path: string) => boolean;
}

interface Annotation {
  readonly title: string;
  readonly message: string;
  readonly place?: { readonly file: string; readonly line: number };
}

/**
 * Failures as GitHub Actions' annotations, each on the line of the vector that failed; a group of failures once.
 */
export function githubAnnotations(view: ReportView, workspace: Workspace): string {
  const { report, failures, policies } = view;
  const errors = [
    ...failures.map((group) => failureAnnotation(group, view)),
    ...faults(report.results),
    ...policies
      .filter(({ fails }) => fails)
      .map(({ text }) => ({ title: text.split(":")[0] ?? "", message: text })),
  ];
  const isUndecided = report.verdict === "undecided" && report.selection?.outcome !== "passed";
  const warnings = isUndecided ? [undecided(view)] : [];
  return [
    ...capped(errors).map((one) => command("error", one, workspace)),
    ...warnings.map((one) => command("warning", one, workspace)),
    ...capped(recommendations(view)).map((one) => command("notice", one, workspace)),
  ].join("");
}

function failureAnnotation(group: FailureGroup, { contract, invocation }: ReportView): Annotation {
  const [{ result, failure }] = group;
  const others = testsOf(group).length - 1;
  const [, ...lines] = failureText(result, failure, contract, invocation);
  const more = others === 0 ? [] : [`and ${others} like it`];
  return {
    title: `${result.id} fails ${failure.rules.slice(0, 3).join(", ")}`,
    message: [...lines, ...more].join("\n"),
    // A property stands in no file.
    ...(result.kind === "vector" ? { place: failure.place } : {}),
  };
}

/** Where the adapter broke: each reason once. */
function faults(results: readonly Result[]): readonly Annotation[] {
  const broken = results.filter(({ outcome }) => outcome === "error");
  return groupByReason(broken).map(({ reason, results: [first, ...others] }) => ({
    title: `${first.id}: the adapter broke`,
    message: `${plainLine(reason, 400)}${others.length === 0 ? "" : `\nand ${others.length} more`}`,
    ...(first.source === undefined ? {} : { place: first.source }),
  }));
}

function undecided({ untried, allowUntried }: ReportView): Annotation {
  if (untried.length === 0) return { title: "undecided", message: "only a part of the tests was run" };
  const ids = untried.slice(0, 20).map(({ id }) => id);
  const more = untried.length > ids.length ? ` and ${untried.length - ids.length} more` : "";
  const accepting = allowUntried === undefined ? "" : `\nto accept them, use ${allowUntried}`;
  return {
    title: "undecided",
    message: `required rules were not tried: ${ids.join(" ")}${more}${accepting}`,
  };
}

function recommendations({ report, contract }: ReportView): readonly Annotation[] {
  return report.advice.map(({ rule, message }) => ({
    title: `advice ${rule}`,
    message: `${plainLine(message, 400)}\ncontract, "${contract.rules.get(rule)?.section ?? "?"}"`,
  }));
}

/** The first of many, the last of which counts the others. */
function capped(annotations: readonly Annotation[]): readonly Annotation[] {
  if (annotations.length <= MOST) return annotations;
  const shown = annotations.slice(0, MOST - 1);
  const rest = annotations.length - shown.length;
  return [
    ...shown,
    { title: `and ${rest} more`, message: "the job summary and the other reports have them" },
  ];
}

function command(kind: string, { title, message, place }: Annotation, workspace: Workspace): string {
  const file = place === undefined ? undefined : within(workspace, place.file);
  const where = place !== undefined && file === undefined ? `${plain(place.file)}:${place.line}\n` : "";
  const position = place === undefined || file === undefined ? {} : { file, line: place.line };
  return workflowCommand(kind, { title, ...position }, `${where}${message}`);
}

/** The path from the workspace, where the file is below it. */
function within({ folder, has }: Workspace, file: string): string | undefined {
  const path = relative(folder, resolve(file));
  return path.startsWith("..") || isAbsolute(path) || !has(resolve(file)) ? undefined : path;
}

/** Failures told in full; a summary may hold one MiB. */
const MOST_FAILURES = 20;
const MARKS = {
  conforms: "✅",
  "does-not-conform": "❌",
  undecided: "⚠️",
  "selection-passed": "☑️",
  "selection-undecided": "⚠️",
} as const;

/**
 * The report as a page of a GitHub Actions job summary. HTML throughout, and without an empty line, so that Markdown
 * begins nowhere in it: what an implementation answers is text and stays so.
 */
export async function githubSummary(view: ReportView): Promise<string> {
  const { report, headline, verdict, totals, executed, policies, areas, known, required } = view;
  const { implementation, kit, suite, contract } = report;
  const title = plainLine(`${implementation.name} ${implementation.version}`, 100);
  const page = html`<h2>${MARKS[headline]} ${title}: ${verdict}</h2>
<p>${kit.name} ${kit.version}, contract ${contract}, suite <code>${suite.digest.slice(0, 12)}</code>:
${totals}; ${executed}</p>
${policies.map(({ text, fails }) => html`<p>${fails ? "❌ " : ""}${text}</p>`)}
${failuresHtml(view)}
${known.map(({ id, reason }) => html`<p>known failure: <code>${id}</code> ${reason ?? ""}</p>`)}
${required.untried.length === 0 ? "" : html`<p>required rules untried: ${required.untried.join(" ")}</p>`}
${notJudged(report.results)}
<table><tr><th>area</th><th>required rules kept</th><th>failed</th><th>untried</th></tr>
${areas.map(
  (area) =>
    html`<tr><td>${area.title}</td><td>${area.kept}/${area.required}</td><td>${area.failed}</td><td>${area.untried}</td></tr>`,
)}
</table>
${report.advice.map(({ rule, message }) => html`<p>advice <code>${rule}</code> ${plainLine(message, 400)}</p>`)}
`;
  return String(await page).replaceAll(/\n(?:\s*\n)+/g, "\n");
}

function failuresHtml({ failures: groups, contract, invocation }: ReportView) {
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

/** Results that the run left open, by reason. */
function notJudged(results: readonly Result[]) {
  return (["error", "skipped"] as const).flatMap((outcome) =>
    groupByReason(results.filter((result) => result.outcome === outcome)).map(
      ({ reason, results: tests }) => html`<p>${tests.length} × ${outcome}: ${plainLine(reason, 200)}</p>`,
    ),
  );
}
