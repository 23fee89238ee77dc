/** Prints reports for people. Each function returns lines, which `render` makes safe to print. */
import { escapeLine, plural } from "../adapters/text.ts";
import type { ReportData, RuleData } from "./data.ts";
import {
  contextOf,
  type FailureContext,
  failureLines,
  failureTitle,
  fieldLines,
  relatedFields,
  wrap,
} from "./failure.ts";
import { type FailureGroup, groupFailures } from "./groups.ts";

export interface ConsoleStyle {
  /** Width of the output in columns. */
  readonly width: number;
  /** Whether to show everything. */
  readonly isVerbose: boolean;
  readonly isColored: boolean;
}

type Lines = readonly string[];

/** Formats a finished report: the failures in groups, and the summary. */
export function formatReport(data: ReportData, options: ConsoleStyle): Lines {
  const context = contextOf(data);
  return [
    ...formatHeader(data, TRANSPORTS[data.service.transport] ?? data.service.transport),
    ...groupFailures(data).flatMap((group) => formatGroup(group, context, options)),
    ...formatSummary(data, options),
  ];
}

/** Number of rules and reasons that are shown of a long list. */
const MAX_LISTED = 10;

const TRANSPORTS: Readonly<Record<string, string>> = {
  "in-process": "in process",
  stdio: "over stdio",
  http: "over HTTP",
};

/** Formats what is tested. @param target options that name the service */
export function formatHeader(
  {
    kit,
    contract,
    side,
    service,
    run,
  }: Pick<ReportData, "kit" | "contract" | "side"> & {
    readonly service: Omit<ReportData["service"], "transport">;
    readonly run: Pick<ReportData["run"], "seed">;
  },
  target: string,
): Lines {
  const language = service.language === undefined ? "" : ` (${service.language})`;
  return [
    `launch-draft-conformance ${kit}, contract ${contract}, seed ${run.seed}`,
    `${side === "client" ? "Client" : "Service"}: ${service.name} ${service.version}${language}, ${target}`,
    "",
  ];
}

/** The latest state of a run that is under way. */
export interface Progress {
  readonly done: number;
  readonly selected: number;
  readonly requests: number;
  readonly elapsedMs: number;
  /** ID of the rule that the first failure violates. */
  readonly firstFailure?: string;
}

/** Formats the status line. */
export function formatProgress({ done, selected, requests, elapsedMs, firstFailure }: Progress): string {
  const failure = firstFailure === undefined ? "" : `, first failure: ${firstFailure}`;
  return `${done}/${selected} tests, ${requests} requests, ${seconds(elapsedMs)}${failure}`;
}

/**
 * Formats a group of failures: its first failure, or all of them in a verbose report.
 * @param isShown whether the first failure is shown above
 */
export function formatGroup(
  group: FailureGroup,
  context: FailureContext,
  { width, isVerbose }: ConsoleStyle,
  isShown = false,
): Lines {
  const others = isVerbose ? group.members.filter((failure) => failure !== group.first) : [];
  return [
    ...(isShown ? formatRest(group, width) : [...failureLines(group.first, context, width, group), ""]),
    ...others.flatMap((failure) => [...failureLines(failure, context, width), ""]),
  ];
}

/** Formats what else belongs to a failure that is shown above. */
function formatRest(group: FailureGroup, width: number): Lines {
  const lines = relatedFields(group).flatMap((field) => fieldLines(field, width));
  return lines.length === 0 ? [] : [`${failureTitle(group.first)} (see above)`, ...lines, ""];
}

/** Formats everything after the failures. The last line is the verdict. */
export function formatSummary(data: ReportData, context: ConsoleStyle): Lines {
  return [
    ...(context.isVerbose ? formatSkips(data) : []),
    ...formatRules(data, context),
    ...formatTests(data, context),
    ...formatSearch(data, context),
    ...formatWarnings(data, context),
    ...formatBehavior(data, context),
    ...formatPolicies(data, context),
    "",
    ...formatNext(data),
    formatVerdict(data),
  ];
}

function formatSkips({ results }: ReportData): Lines {
  const skipped = results.filter(({ outcome }) => outcome === "skipped");
  return [
    ...skipped.map(({ id, reason }) => `SKIPPED ${id}: ${reason}`),
    ...(skipped.length > 0 ? [""] : []),
  ];
}

function requiredRules({ rules }: ReportData, outcome: RuleData["outcome"]): readonly RuleData[] {
  return rules.filter((rule) => rule.level === "required" && rule.outcome === outcome);
}

function formatRules(data: ReportData, context: ConsoleStyle): Lines {
  const [satisfied, violated, notTested] = (["satisfied", "violated", "not-tested"] as const).map((outcome) =>
    requiredRules(data, outcome),
  ) as [readonly RuleData[], readonly RuleData[], readonly RuleData[]];
  const total = satisfied.length + violated.length + notTested.length;
  const isWhole = data.verdict.conclusion !== "none";
  const counts = [
    isWhole
      ? `${satisfied.length} of ${total} required rules satisfied`
      : `${plural(satisfied.length, "required rule")} satisfied`,
    ...(violated.length > 0 ? [`${violated.length} violated`] : []),
    ...(isWhole && notTested.length > 0 ? [`${notTested.length} not tested`] : []),
  ];
  const list = violated.map(({ id, violations = 0 }) => `${id} (${tests(violations)})`);
  return [
    ...entry("Rules", counts.join(", "), context),
    ...(violated.length > 0 ? entry("Violated", shorten(list, context), context) : []),
    ...(isWhole
      ? formatNotTested(
          notTested.filter(({ isAllowed }) => isAllowed !== true),
          context,
        )
      : []),
  ];
}

function formatNotTested(rules: readonly RuleData[], context: ConsoleStyle): Lines {
  const shown = context.isVerbose ? rules : rules.slice(0, MAX_LISTED);
  const more = rules.length - shown.length;
  return [
    ...shown.flatMap(({ id, reason = "" }) => entry("Not tested", `${id}: ${reason}`, context)),
    ...(more > 0 ? entry("", `and ${more} more; --verbose lists them`, context) : []),
  ];
}

function formatSearch({ search }: ReportData, context: ConsoleStyle): Lines {
  if (search === undefined) return [];
  const { requests, responses, pairs, notDecided } = search;
  const reached = `${pairs} of ${responses ** 2} pairs of successive responses reached`;
  return entry("Search", `${reached} in ${requests} random requests, ${notDecided} not decided`, context);
}

function formatTests({ tests: counts, run }: ReportData, context: ConsoleStyle): Lines {
  const { passed, failed, skipped, error } = counts;
  const missing = run.selected - passed - failed - skipped - error;
  const notRun = missing > 0 ? `, ${missing} not run` : "";
  const part = run.selected < run.total ? `; ${run.selected} of ${run.total} selected` : "";
  const outcomes = `${passed} passed, ${failed} failed, ${skipped} skipped, ${plural(error, "error")}${notRun}`;
  return entry(
    "Tests",
    `${outcomes} (${plural(run.requests, "request")}, ${seconds(run.durationMs)}${part})`,
    context,
  );
}

function formatWarnings({ rules, results }: ReportData, context: ConsoleStyle): Lines {
  const violated = rules.filter(({ level, outcome }) => level === "recommendation" && outcome === "violated");
  if (violated.length === 0) return [];
  const list = shorten(
    violated.map(({ id }) => id),
    context,
  );
  const messages = new Set(
    results.flatMap(({ recommendations = [] }) =>
      recommendations.map(({ rule, message }) => `${rule}: ${message}`),
    ),
  );
  return [
    ...entry("Warnings", `${plural(violated.length, "recommendation")}: ${list}`, context),
    ...(context.isVerbose ? [...messages].flatMap((message) => entry("", message, context)) : []),
  ];
}

/** Formats the readings of open points, and those that the reference does not show. */
function formatBehavior({ behavior, openPoints }: ReportData, context: ConsoleStyle): Lines {
  const references = new Map(openPoints.map(({ id, reference }) => [id, reference]));
  const observed = Object.entries(behavior);
  if (observed.length === 0) return [];
  const differing = observed.filter(([point, readings]) =>
    readings.some((reading) => reading !== references.get(point)),
  );
  const counts = `${observed.length} of ${openPoints.length} open points observed`;
  const shown = context.isVerbose ? observed : [];
  const difference =
    differing.length === 0 ? "as in the reference" : `${differing.length} unlike the reference`;
  return [
    ...entry("Behavior", `${counts}, ${difference}`, context),
    ...shown.flatMap(([point, readings]) => entry("", `${point}: ${readings.join(" | ")}`, context)),
  ];
}

function formatPolicies({ policies = [] }: ReportData, context: ConsoleStyle): Lines {
  return policies.flatMap(({ summary, problems }) => [
    ...entry("Policy", summary, context),
    ...problems.flatMap(({ place, message }) =>
      entry("", place === undefined ? message : `${place}: ${message}`, context),
    ),
  ]);
}

function formatNext(data: ReportData): Lines {
  const rule = groupFailures(data)[0]?.first.finding?.rules[0];
  return rule === undefined ? [] : [`Next: fix ${rule}.`, ""];
}

/** Formats the verdict. */
export function formatVerdict(data: ReportData): string {
  const hasProblems = data.policies?.some(({ problems }) => problems.length > 0) === true;
  return `${conclusionOf(data)}${hasProblems ? " A policy fails the run." : ""}`;
}

function conclusionOf(data: ReportData): string {
  const { verdict, run, tests: counts } = data;
  const violated = requiredRules(data, "violated").length;
  const allowed = data.rules.filter(({ isAllowed }) => isAllowed).length;
  const known = verdict.exitStatus === 0 ? ", all of them known" : "";
  const ended = run.ended === undefined ? "" : ` The run ended early: ${run.ended.reason}.`;
  const violation = violated === 0 ? tests(counts.failed) : plural(violated, "required rule");
  switch (verdict.conclusion) {
    case "conforms":
      return `Conforms: every required rule is satisfied${allowed > 0 ? `, or accepted as not tested (${allowed})` : ""}.`;
    case "does-not-conform":
      return `Does not conform: ${violation} ${violated === 0 ? "failed" : "violated"}${known}.${ended}`;
    case "undecided":
      if (ended !== "") return `Undecided.${ended}`;
      if (counts.error > 0) return `Undecided: ${tests(counts.error)} ended in an error.`;
      return `Undecided: ${plural(requiredRules(data, "not-tested").length - allowed, "required rule")} not tested.`;
    case "none":
      return `No verdict, because only selected tests ran.${noVerdictReason(data)}${ended}`;
  }
}

function noVerdictReason(data: ReportData): string {
  const violated = requiredRules(data, "violated").length;
  if (violated > 0) return ` Required rules violated: ${violated}.`;
  return data.verdict.exitStatus === 4 ? " None of them tested anything." : "";
}

/** Formats an entry of the summary. */
function entry(label: string, text: string, { width }: ConsoleStyle): Lines {
  const [first = "", ...rest] = wrap(text, width - 11);
  return [`${label.padEnd(10)} ${first}`, ...rest.map((line) => " ".repeat(11) + line)];
}

function shorten(items: readonly string[], { isVerbose }: ConsoleStyle): string {
  const shown = isVerbose ? items : items.slice(0, MAX_LISTED);
  const more = items.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

function tests(count: number): string {
  return plural(count, "test");
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

/** Colors of the words at the start of lines, as ANSI codes. */
const COLORS: readonly (readonly [RegExp, number])[] = [
  [/^(?:FAILED|ERROR|FOUND|Does not conform)\b/, 31],
  [/^(?:Undecided|No verdict|SKIPPED)\b/, 33],
  [/^Conforms\b/, 32],
];

/** Joins lines to text that is safe to print, whatever the implementation put into them. */
export function render(lines: Lines, isColored: boolean): string {
  return lines.map((line) => `${isColored ? paint(escapeLine(line)) : escapeLine(line)}\n`).join("");
}

function paint(line: string): string {
  for (const [word, color] of COLORS)
    if (word.test(line)) return line.replace(word, (text) => `\u001b[1;${color}m${text}\u001b[0m`);
  return line;
}
