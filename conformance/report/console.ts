/** Prints reports for people. Each function returns lines, which `render` makes safe to print. */

import { SERVED_CONTRACT } from "../contract/constants.ts";
import { escapeLine, plural, wrap } from "../data/text.ts";
import {
  acceptedRules,
  ignoredRules,
  playedPart,
  type ReportData,
  type ResultData,
  type RuleData,
  requiredRules,
} from "./data.ts";
import { errorSubject, failureLines, failureTitle, fieldLines, ownRules, relatedFields } from "./failure.ts";
import { type Failure, type FailureGroup, groupFailures } from "./groups.ts";
import { lacksOnly } from "./policies.ts";

export interface ConsoleStyle {
  /** Width of the output in columns. */
  readonly width: number;
  /** Whether to show all failures, skipped tests, and readings. */
  readonly isVerbose: boolean;
  readonly isColored: boolean;
  /** Root of the user's repository, to which the places of annotations are relative (default: working directory). */
  readonly repository?: string | undefined;
}

type Lines = readonly string[];

/** Formats a finished report: the failures in groups, and the summary. */
export function formatReport(data: ReportData, options: ConsoleStyle): Lines {
  const { transport } = data.service;
  return [
    ...formatHeader(data, data.run.seed, data.service, TRANSPORTS[transport] ?? transport, options.width),
    ...groupFailures(data).flatMap((group) => formatGroup(group, data, options)),
    ...formatSummary(data, options),
  ];
}

/** Maximum number of rules and reasons in a list. */
const MAX_LISTED = 10;

const TRANSPORTS: Readonly<Record<string, string>> = {
  "in-process": "in process",
  stdio: "over stdio",
  http: "over HTTP",
};

/**
 * Formats the header: the kit, the contract, and the service or client under test.
 * @param target options that name the service
 * @param width width of the console, in columns
 */
export function formatHeader(
  { kit, side }: Pick<ReportData, "kit" | "side">,
  seed: number,
  { name, version, language }: Omit<ReportData["service"], "transport">,
  target: string,
  width: number,
): Lines {
  const subject = `${name} ${version}${language === undefined ? "" : ` (${language})`}`;
  const [first = "", ...rest] = wrap(
    `${side === "client" ? "Client" : "Service"}: ${subject}, ${target}`,
    width - 2,
  );
  return [
    `launch-draft-conformance ${kit}, contract ${SERVED_CONTRACT.version}, seed ${seed}`,
    first,
    // No line of the header starts with a text that the service states.
    ...rest.map((line) => `  ${line}`),
    "",
  ];
}

/**
 * Formats a group of failures: its first failure, or all failures in a verbose report.
 * @param shown the failure of the group that has already been printed, if any
 */
export function formatGroup(
  group: FailureGroup,
  data: ReportData,
  { width, isVerbose }: ConsoleStyle,
  shown?: Failure,
): Lines {
  const others = isVerbose ? group.members.filter((failure) => failure !== (shown ?? group.first)) : [];
  return [
    ...(shown
      ? furtherLines(shown, group, data.rules, width)
      : [...failureLines(group.first, data, width, group), ""]),
    ...others.flatMap((failure) => [...failureLines(failure, data, width), ""]),
  ];
}

/** Returns the rules and tests that a group adds to its failure that has already been printed. */
function furtherLines(
  shown: Failure,
  { tests, passing, rules }: FailureGroup,
  known: ReportData["rules"],
  width: number,
): Lines {
  const others = tests.filter((id) => id !== shown.result.id);
  const { result, finding } = shown;
  const named = finding === undefined ? [] : ownRules({ result, finding });
  const also = rules.filter((rule) => !named.includes(rule));
  if (others.length === 0 && also.length === 0) return [];
  // The first of the rules is the one that the failure has already named.
  const all = ["", ...also];
  const group = { tests: [shown.result.id, ...others], passing, causes: all, rules: all };
  return [
    `${failureTitle(shown)} (shown above)`,
    ...relatedFields(group, known).flatMap((field) => fieldLines(field, width)),
    "",
  ];
}

/**
 * Formats everything after the failures. The last line is the verdict.
 * @param shown the failure that was printed first, if any
 */
export function formatSummary(
  data: ReportData,
  { width, isVerbose }: ConsoleStyle,
  shown: Failure | undefined = groupFailures(data)[0]?.first,
): Lines {
  const max = isVerbose ? Number.POSITIVE_INFINITY : MAX_LISTED;
  const skipped = isVerbose ? data.results.filter(({ outcome }) => outcome === "skipped") : [];
  const isWhole = isVerbose || shown === undefined;
  const rows = [
    ...ruleRows(data, max),
    ...testRows(data),
    ...(isWhole ? [searchRow(data)] : []),
    warningRow(data, max),
    ...(isWhole ? [behaviorRow(data, isVerbose)] : []),
    ...policyTexts(data).map((texts): Row => ["Policy", ...texts]),
  ];
  return [
    ...skipped.map(({ id, reason }) => `SKIPPED ${id}: ${reason}`),
    ...(skipped.length > 0 ? [""] : []),
    ...rows.flatMap(([label, ...texts]) => {
      const lines = texts.flatMap((text) => wrap(text, width - 11));
      return lines.map((line, index) => `${(index === 0 ? label : "").padEnd(10)} ${line}`);
    }),
    "",
    ...(shown === undefined ? adviceOnLacks(data) : [`Next: fix ${nextOf(shown)}.`, ""]),
    formatVerdict(data),
  ];
}

/** Names the violated rule, or the error, to fix next. */
function nextOf({ result, finding }: Failure): string {
  if (finding !== undefined) return `${finding.rules[0]}, as ${result.id} shows`;
  return `the error in ${errorSubject(result)}`;
}

/** Says how to test, or to accept, the rules that were not tested because capabilities or facts are missing. */
function adviceOnLacks(data: ReportData): Lines {
  if (data.verdict.conclusion !== "undecided" || data.run.ended !== undefined) return [];
  const open = requiredRules(data, "not-tested").filter(({ isAllowed }) => isAllowed !== true);
  const names = [...new Set(data.results.flatMap(({ lacks = [] }) => lacks))];
  return (["capability", "fact"] as const).flatMap((kind) => {
    const needed = names.filter(
      (name) => name.startsWith(`${kind}:`) && open.some(({ id }) => lacksOnly(data, id, [name])),
    );
    if (needed.length === 0) return [];
    const count = open.filter(({ id }) => lacksOnly(data, id, needed)).length;
    const lacked = needed.map((name) => name.replace(`${kind}:`, "")).join(" and ");
    const noun = kind === "fact" && needed.length > 1 ? "facts" : kind;
    const accept =
      kind === "capability" ? `, or accept this with --allow-not-tested ${needed.join(" ")}` : "";
    return [
      `${plural(count, "rule")} cannot be tested, because the service does not state the ${noun} ${lacked}.`,
      `Next: state ${needed.length > 1 ? "them" : "it"} (docs/adapters.md)${accept}`,
      "",
    ];
  });
}

/** A row of the summary: a label, and texts that each start a line. A row without texts is not shown. */
type Row = readonly [label: string, ...texts: readonly string[]];

/** @param max number of rules to list */
function ruleRows(data: ReportData, max: number): readonly Row[] {
  const isPart = data.verdict.conclusion === "none";
  const [satisfied, violated] = [requiredRules(data, "satisfied"), requiredRules(data, "violated")];
  const named = new Set(data.results.flatMap((result) => result.rules));
  // Selected tests that fail say enough. If none fails, their other rules decide the exit status.
  const isListed = ({ id }: RuleData) => !isPart || (data.verdict.exitStatus === 4 && named.has(id));
  const notTested = requiredRules(data, "not-tested").filter(isListed);
  // Tests name these rules, but an observed reading of an open point makes them untestable.
  const hidden = isPart ? [] : requiredRules(data, "not-observable").filter(({ id }) => named.has(id));
  const total = satisfied.length + violated.length + notTested.length + hidden.length;
  const counts = [
    isPart
      ? `${plural(satisfied.length, "required rule")} satisfied`
      : `${satisfied.length} of ${total} required rules satisfied`,
    ...(violated.length > 0 ? [`${violated.length} violated`] : []),
    ...(notTested.length > 0 ? [`${notTested.length} not tested`] : []),
    ...(hidden.length > 0 ? [`${hidden.length} hidden by the service's behavior`] : []),
  ];
  const list = violated.map(({ id, violations = 0 }) => `${id} (${plural(violations, "test")})`);
  const isReached = ({ id }: RuleData) => data.run.ended === undefined || named.has(id);
  const open = notTested.filter((rule) => rule.isAllowed !== true && isReached(rule));
  const unreached = notTested.filter((rule) => !isReached(rule)).length;
  return [
    ["Rules", counts.join(", ")],
    ["Violated", ...(violated.length > 0 ? [shorten(list, max)] : [])],
    ...open.slice(0, max).map(({ id, reason = "" }): Row => ["Not tested", `${id}: ${reason}`]),
    ["", ...(open.length > max ? [`and ${open.length - max} more; --verbose lists them`] : [])],
    ["Not tested", ...(unreached > 0 ? [`${plural(unreached, "rule")} not reached`] : [])],
  ];
}

function testRows({ tests, run, results }: ReportData): readonly Row[] {
  const { passed, failed, skipped, error } = tests;
  const missing = run.selected - passed - failed - skipped - error;
  const notRun = missing > 0 ? `, ${missing} not run` : "";
  const part = run.selected < run.total ? `; ${run.selected} of ${run.total} selected` : "";
  const others = results.filter(({ outcome, findings }) => outcome === "passed" && findings !== undefined);
  const show = others.length === 1 ? "shows" : "show";
  const shown = others.length === 0 ? "" : ` (${others.length} of them ${show} violations of other rules)`;
  const outcomes = `${passed} passed${shown}, ${failed} failed, ${skipped} skipped, ${plural(error, "error")}${notRun}`;
  const effort = `${plural(run.requests, "request")}, ${seconds(run.durationMs)}${part}`;
  const excused = Object.entries(EXCUSES).flatMap(([excuse, text]) => {
    const count = results.filter((result) => result.excuse === excuse).length;
    return count === 0 ? [] : [`${plural(count, "test")} skipped because ${text}`];
  });
  return [["Tests", `${outcomes} (${effort})`, ...excused]];
}

function searchRow({ search }: ReportData): Row {
  if (search === undefined) return ["Search"];
  const reached = `${search.pairs} of ${search.responses ** 2} pairs of successive responses occurred`;
  const found = `${reached} in ${search.requests} random requests; ${search.notDecided} responses not judged`;
  return ["Search", found];
}

/** By what excused a response: why the test was skipped. */
const EXCUSES: Readonly<Record<NonNullable<ResultData["excuse"]>, string>> = {
  limit: "the service refused requests with 429 (raise its limits to play these tests)",
  slow: "responses or waits took too long",
};

/**
 * Lists the recommendations that are not followed, each with the first test that shows it.
 * @param max number of rules to list; without a limit, also lists what occurred in all tests
 */
function warningRow(data: ReportData, max: number): Row {
  const ignored = ignoredRules(data);
  if (ignored.length === 0) return ["Warnings"];
  const lines = ignored.slice(0, max).flatMap(({ id, statement }) => {
    const isAbout = ({ rule }: { readonly rule: string }) => rule === id;
    const showing = data.results.filter(({ recommendations = [] }) => recommendations.some(isAbout));
    const all = showing.flatMap(({ recommendations = [] }) => recommendations.filter(isAbout));
    const details = Number.isFinite(max) ? [] : new Set(all.map(({ message }) => `  ${message}`));
    const [first] = showing;
    return [`${id}: ${statement.trim()}${first === undefined ? "" : ` (${first.id})`}`, ...details];
  });
  const more = ignored.length > max ? [`and ${ignored.length - max} more`] : [];
  return ["Warnings", `${plural(ignored.length, "recommendation")} not followed`, ...lines, ...more];
}

/** Shows how many open points were observed, and on how many the service differs from the reference. */
function behaviorRow({ behavior, openPoints }: ReportData, isVerbose: boolean): Row {
  const references = new Map(openPoints.map(({ id, reference }) => [id, reference]));
  const observed = Object.entries(behavior);
  if (observed.length === 0) return ["Behavior"];
  const differing = observed.filter(([point, readings]) =>
    readings.some((reading) => reading !== references.get(point)),
  );
  const counts = `${observed.length} of ${plural(openPoints.length, "open point")} observed`;
  const difference =
    differing.length === 0 ? "as in the reference" : `${differing.length} unlike the reference`;
  const all = observed.map(([point, readings]) => `${point}: ${readings.join(" | ")}`);
  return ["Behavior", `${counts}, ${difference}`, ...(isVerbose ? all : [])];
}

/** Formats the results of the policies: for each, its summary and its problems. */
export function policyTexts({ policies = [] }: ReportData): readonly Lines[] {
  return policies.map(({ summary, problems }) => {
    const texts = problems.map(({ place, message }) => [place, message].filter(Boolean).join(": "));
    return [summary, ...texts];
  });
}

/** Formats the verdict. */
export function formatVerdict(data: ReportData): string {
  const hasProblems = data.policies?.some(({ problems }) => problems.length > 0) === true;
  return `${conclusionOf(data)}${hasProblems ? " A policy fails the run." : ""}`;
}

function conclusionOf(data: ReportData): string {
  const { verdict, run, tests } = data;
  const violated = requiredRules(data, "violated").length;
  const allowed = data.rules.filter(({ isAllowed }) => isAllowed).length;
  const isAccepted = acceptedRules(data);
  const untested = requiredRules(data, "not-tested").filter((rule) => !isAccepted(rule)).length;
  const ended = run.ended === undefined ? "" : ` The run ended early: ${run.ended.reason}.`;
  switch (verdict.conclusion) {
    case "conforms": {
      const ignored = ignoredRules(data).length;
      const advice = ignored > 0 ? `; ${plural(ignored, "recommendation")} not followed` : "";
      return `Conforms: every required rule is satisfied${allowed > 0 ? `, or accepted as not tested (${allowed})` : ""}${advice}.`;
    }
    case "does-not-conform": {
      const failures = violated === 0 ? "test" : "required rule";
      const what = `${plural(violated || tests.failed, failures)} ${violated === 0 ? "failed" : "violated"}`;
      const isKnown = verdict.exitStatus === 0 || verdict.exitStatus === 4;
      const rest =
        verdict.exitStatus === 4 && ended === ""
          ? ` ${plural(untested, "required rule")} not tested.`
          : ended;
      return `Does not conform: ${what}${isKnown ? ", all of them known" : ""}.${rest}`;
    }
    case "undecided":
      if (tests.error > 0) return `Undecided: ${plural(tests.error, "test")} ended in an error.${ended}`;
      if (ended !== "") return `Undecided.${ended}`;
      return `Undecided: ${plural(untested, "required rule")} not tested.`;
    case "none": {
      const isShard = playedPart(data) === "one shard";
      const passed = isShard
        ? "No test failed; merge the reports of all shards."
        : "Every required rule that they name is satisfied.";
      const isPassed = verdict.exitStatus === 0;
      const counts = [
        ...(violated > 0
          ? [`Required rules violated: ${violated}${isPassed ? ", all of them known" : ""}.`]
          : []),
        ...(isPassed && violated === 0 ? [passed] : []),
        ...(verdict.exitStatus === 4 ? ["Not every required rule that they name was tested."] : []),
      ];
      const reason =
        data.side === "recording"
          ? "a recording shows only parts of the behavior"
          : `only ${isShard ? `shard ${run.selection?.shard}` : "selected tests"} ran`;
      return `No verdict, because ${reason}. ${counts.join(" ")}`.trimEnd() + ended;
    }
  }
}

/** Joins the first `max` items, and adds the number of remaining items, if any. */
function shorten(items: readonly string[], max: number): string {
  const more = items.length > max ? [`and ${items.length - max} more`] : [];
  return [...items.slice(0, max), ...more].join(", ");
}

export function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

/** Colors of the first words of lines, as ANSI codes. */
const COLORS: readonly (readonly [RegExp, number])[] = [
  [/^(?:FAILED|ERROR|FOUND)\b/, 31],
  [/^SKIPPED\b/, 33],
];
/** Colors of the first words of the verdict, which is the last line. */
const VERDICT_COLORS: typeof COLORS = [
  [/^Does not conform\b/, 31],
  [/^(?:Undecided|No verdict)\b/, 33],
  [/^Conforms\b/, 32],
];

/** Joins lines, and escapes the text of the implementation in them. */
export function render(lines: Lines, isColored: boolean): string {
  const paint = (text: string, colors: typeof COLORS) =>
    colors.reduce((line, [word, code]) => line.replace(word, `\u001b[1;${code}m$&\u001b[0m`), text);
  const texts = lines.map((line) => `${escapeLine(line)}\n`);
  if (!isColored) return texts.join("");
  return texts
    .map((line, index) => paint(line, index === lines.length - 1 ? VERDICT_COLORS : COLORS))
    .join("");
}
