/** Reports for GitHub Actions: annotations on the lines of vectors, and the page of a job. */

import { isAbsolute, relative, resolve } from "node:path";
import { html } from "hono/html";
import type { Result } from "../engine/play/result.ts";
import type { RuleBook } from "../engine/rule-book.ts";
import { plain, plainLine } from "../plain-text.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { type FailureGroup, groupByReason, groupFailures, testsOf } from "./failure-groups.ts";
import { failureText } from "./failure-text.ts";
import {
  allowUntriedOption,
  areaRows,
  counts,
  gateLines,
  headlineOf,
  headlineText,
  type ReportContext,
  requiredRules,
  untriedRules,
  waiver,
} from "./view.ts";

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
export function githubAnnotations(report: GatedReport, context: ReportContext, workspace: Workspace): string {
  const errors = [
    ...groupFailures(report.results.filter(counts), context.operationOf).map((group) =>
      failureAnnotation(group, context),
    ),
    ...faults(report.results),
    ...gates(report),
  ];
  const isUndecided = report.verdict === "undecided" && report.selection?.outcome !== "passed";
  const warnings = isUndecided ? [undecided(report)] : [];
  return [
    ...capped(errors).map((one) => command("error", one, workspace)),
    ...warnings.map((one) => command("warning", one, workspace)),
    ...capped(adviceAnnotations(report, context.contract)).map((one) => command("notice", one, workspace)),
  ].join("");
}

function failureAnnotation(group: FailureGroup, context: ReportContext): Annotation {
  const [{ result, failure }] = group;
  const others = testsOf(group).length - 1;
  const [, ...lines] = failureText(result, failure, context.contract, context.invocation);
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

/** What fails the run beside the contract, such as an entry of the baseline that holds no more. */
function gates(report: GatedReport): readonly Annotation[] {
  return gateLines(report)
    .filter(({ fails }) => fails)
    .map(({ text }) => ({ title: text.split(":")[0] ?? "", message: text }));
}

function undecided(report: GatedReport): Annotation {
  const required = requiredRules(report);
  const untried = untriedRules(report).filter((rule) => required.includes(rule));
  if (untried.length === 0) return { title: "undecided", message: "only a part of the tests was run" };
  const ids = untried.slice(0, 20).map(({ id }) => id);
  const more = untried.length > ids.length ? ` and ${untried.length - ids.length} more` : "";
  const option = allowUntriedOption(report);
  const accepting = option === undefined ? "" : `\naccepted by ${option}`;
  return {
    title: "undecided",
    message: `required rules were not tried: ${ids.join(" ")}${more}${accepting}`,
  };
}

function adviceAnnotations(report: GatedReport, contract: RuleBook): readonly Annotation[] {
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
${failuresHtml(report, context)}
${report.results.map((result) => {
  const reason = waiver(result);
  return reason === undefined ? "" : html`<p>known failure: <code>${result.id}</code> ${reason}</p>`;
})}
${untriedHtml(report)}
<table><tr><th>area</th><th>required rules kept</th><th>failed</th><th>untried</th></tr>
${areaRows(report, context.contract).map(
  ({ title, kept, required, failed, untried }) =>
    html`<tr><td>${title}</td><td>${kept}/${required}</td><td>${failed}</td><td>${untried}</td></tr>`,
)}
</table>
${adviceHtml(report)}
`;
  return String(await page).replaceAll(/\n(?:\s*\n)+/g, "\n");
}

function failuresHtml(report: GatedReport, { contract, invocation, operationOf }: ReportContext) {
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
function untriedHtml(report: GatedReport) {
  const reasons = (["error", "skipped"] as const).flatMap((outcome) =>
    groupByReason(report.results.filter((result) => result.outcome === outcome)).map(
      ({ reason, results }) => html`<p>${results.length} × ${outcome}: ${plainLine(reason, 200)}</p>`,
    ),
  );
  const ids = requiredRules(report).filter(({ outcome }) => outcome === "untried");
  return html`${ids.length === 0 ? "" : html`<p>required rules untried: ${ids.map(({ id }) => id).join(" ")}</p>`}
${reasons}`;
}

function adviceHtml(report: GatedReport) {
  return report.advice.map(
    ({ rule, message }) => html`<p>advice <code>${rule}</code> ${plainLine(message, 400)}</p>`,
  );
}
