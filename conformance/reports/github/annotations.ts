import { isAbsolute, relative, resolve } from "node:path";
import type { Result } from "../../engine/play/result.ts";
import type { RuleBook } from "../../engine/rule-book.ts";
import { plain, plainLine } from "../../plain-text.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { allowUntriedOption, untriedRules } from "../allow-untried.ts";
import type { ReportContext } from "../context.ts";
import { type FailureGroup, groupFailures, testsOf } from "../failure-groups.ts";
import { failureText } from "../failure-text.ts";
import { gateLines } from "../gates.ts";
import { groupByReason } from "../reason-groups.ts";
import { requiredRules } from "../required-rules.ts";
import { counts } from "../waiver.ts";
import { workflowCommand } from "./workflow-command.ts";

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
    ...capped(advice(report, context.contract)).map((one) => command("notice", one, workspace)),
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

function advice(report: GatedReport, contract: RuleBook): readonly Annotation[] {
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
