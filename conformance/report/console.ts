/** Prints reports for people. Each function returns lines, which `render` makes safe to print. */
import { escapeLine } from "../adapters/text.ts";
import type { Contract } from "../contract/contract.ts";
import type { FindingData, ReportData, ResultData, RuleData } from "./data.ts";

/** What the lines about a run depend on besides its report. */
export interface ConsoleContext {
  readonly contract: Contract;
  /** Width of the output in columns. */
  readonly width: number;
  /** Whether to show everything. */
  readonly isVerbose: boolean;
  /** Command that tests the service again, up to the vector: `… run --module x.ts`. */
  readonly command: string;
}

type Lines = readonly string[];

/** Column at which texts start. */
const INDENT = 13;
/** Number of characters to which requests, responses, and expectations are cut. */
const MAX_TEXT = 320;
/** Number of rules and reasons that are shown of a long list. */
const MAX_LISTED = 10;

/** Formats what is tested. @param target options that name the service */
export function formatHeader(
  {
    kit,
    contract,
    side,
    service,
    run,
  }: Pick<ReportData, "kit" | "contract" | "side" | "service"> & {
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

/** Formats a vector that failed or ended in an error: one screen. */
export function formatFailure(result: ResultData, context: ConsoleContext): Lines {
  const { id, place, outcome, reason = "", findings = [] } = result;
  if (outcome === "error")
    return [
      `ERROR   ${id}`,
      ...field("vector", place, context),
      ...field("reason", reason, context),
      ...repeat(id, context),
      "",
    ];
  const own = findings.filter(({ incidental }) => incidental !== true);
  const shown = context.isVerbose ? own : own.slice(0, 1);
  return shown.flatMap((finding) => formatFinding(`FAILED  ${id}`, result, finding, own, context));
}

/** Formats a violation that no test of its rule showed. */
export function formatIncidental(result: ResultData, finding: FindingData, context: ConsoleContext): Lines {
  return formatFinding(`FOUND   in ${result.id}, which tests other rules`, result, finding, [], context);
}

function formatFinding(
  title: string,
  { id }: ResultData,
  finding: FindingData,
  own: readonly FindingData[],
  context: ConsoleContext,
): Lines {
  const { rules, place, step, clockMs, sent, expected, paths = [] } = finding;
  const [rule = ""] = rules;
  const { statement = "", section = "" } = context.contract.rules.get(rule) ?? {};
  const others = new Set([...rules, ...own.flatMap((one) => one.rules)]);
  others.delete(rule);
  return [
    title,
    ...field(rule, statement.trim(), context),
    ...field("contract", section, context),
    ...field("vector", `${place}, step ${step}, ${(clockMs / 1000).toFixed(3)} s after its start`, context),
    ...(sent === undefined ? [] : field("sent", cut(sent), context)),
    ...field("expected", cut(expected), context),
    ...field("got", cut(gotText(finding)), context),
    ...(paths.length > 1 ? field("differs", paths.join(", "), context) : []),
    ...repeat(id, context),
    ...(others.size > 0 ? field("also violates", [...others].join(", "), context) : []),
    "",
  ];
}

/** Shows the body of a success that was not expected, and the status of a response with wrong values. */
function gotText({ got, received, paths = [] }: FindingData): string {
  if (received === undefined) return got;
  if (paths.length === 0) return /^\d+$/.test(got) ? received : got;
  return `${got} (status ${received.split(" ", 1)[0]})`;
}

/** Cuts a text, and shortens the keys, hashes, and signatures in its JSON. */
function cut(text: string): string {
  const short = text.replace(/"([\w+/=-]{6})[\w+/=-]{26,}"/g, '"$1…"');
  return short.length > MAX_TEXT ? `${short.slice(0, MAX_TEXT)}…` : short;
}

function repeat(id: string, { command, width }: ConsoleContext): Lines {
  const oneLine = `  ${"repeat".padEnd(INDENT - 2)}${command} --only ${id}`;
  if (oneLine.length <= width) return [oneLine];
  return [`  ${"repeat".padEnd(INDENT - 2)}${command} \\`, `${" ".repeat(INDENT + 2)}--only ${id}`];
}

/** Formats a label and a text, whose further lines start in the same column. */
function field(label: string, text: string, { width }: ConsoleContext): Lines {
  const [first = "", ...rest] = wrap(text, width - INDENT, Math.max(INDENT, label.length + 4) - INDENT);
  const gap = label.length > INDENT - 4 ? "  " : "".padEnd(INDENT - 2 - label.length);
  return [`  ${label}${gap}${first}`, ...rest.map((line) => " ".repeat(INDENT) + line)];
}

/** Splits a text at spaces. Words that are longer than a line are not split, so that they can be copied. */
function wrap(text: string, width: number, firstIndent: number): Lines {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const used = line.length + (lines.length === 0 ? firstIndent : 0);
    if (line !== "" && used + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Formats everything after the failures. The last line is the verdict. */
export function formatSummary(data: ReportData, context: ConsoleContext): Lines {
  return [
    ...(context.isVerbose ? formatSkips(data) : []),
    ...formatRules(data, context),
    ...formatTests(data, context),
    ...formatWarnings(data, context),
    ...formatBehavior(data, context),
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

function formatRules(data: ReportData, context: ConsoleContext): Lines {
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
    ...(isWhole ? formatNotTested(notTested, context) : []),
  ];
}

function formatNotTested(rules: readonly RuleData[], context: ConsoleContext): Lines {
  const shown = context.isVerbose ? rules : rules.slice(0, MAX_LISTED);
  const more = rules.length - shown.length;
  return [
    ...shown.flatMap(({ id, reason = "" }) => entry("Not tested", `${id}: ${reason}`, context)),
    ...(more > 0 ? entry("", `and ${more} more; --verbose lists them`, context) : []),
  ];
}

function formatTests({ tests: counts, run }: ReportData, context: ConsoleContext): Lines {
  const { passed, failed, skipped, error } = counts;
  const missing = run.selected - passed - failed - skipped - error;
  const notRun = missing > 0 ? `, ${missing} not run` : "";
  const part = run.selected < run.suite.vectors ? `; ${run.selected} of ${run.suite.vectors} selected` : "";
  const outcomes = `${passed} passed, ${failed} failed, ${skipped} skipped, ${error} errors${notRun}`;
  return entry("Tests", `${outcomes} (${run.requests} requests, ${seconds(run.durationMs)}${part})`, context);
}

function formatWarnings({ rules, results }: ReportData, context: ConsoleContext): Lines {
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
function formatBehavior({ behavior }: ReportData, context: ConsoleContext): Lines {
  const { openPoints } = context.contract;
  const observed = Object.entries(behavior);
  if (observed.length === 0) return [];
  const differing = observed.filter(([point, readings]) =>
    readings.some((reading) => reading !== openPoints.get(point)?.reference),
  );
  const counts = `${observed.length} of ${openPoints.size} open points observed`;
  const shown = context.isVerbose ? observed : [];
  const difference =
    differing.length === 0 ? "as in the reference" : `${differing.length} unlike the reference`;
  return [
    ...entry("Behavior", `${counts}, ${difference}`, context),
    ...shown.flatMap(([point, readings]) => entry("", `${point}: ${readings.join(" | ")}`, context)),
  ];
}

function formatNext({ results, rules }: ReportData): Lines {
  const violated = new Set(rules.filter(({ outcome }) => outcome === "violated").map(({ id }) => id));
  const first = results
    .flatMap(({ outcome, findings = [] }) => (outcome === "failed" ? findings : []))
    .find((finding) => finding.incidental !== true && violated.has(finding.rules[0] ?? ""));
  return first === undefined ? [] : [`Next: fix ${first.rules[0]}.`, ""];
}

/** Formats the verdict. */
export function formatVerdict(data: ReportData): string {
  const { verdict, run, tests: counts } = data;
  const violated = requiredRules(data, "violated").length;
  const ended = run.ended === undefined ? "" : ` The run ended early: ${run.ended.reason}.`;
  const violation = violated === 0 ? tests(counts.failed) : plural(violated, "required rule");
  switch (verdict.conclusion) {
    case "conforms":
      return "Conforms: every required rule is satisfied.";
    case "does-not-conform":
      return `Does not conform: ${violation} ${violated === 0 ? "failed" : "violated"}.${ended}`;
    case "undecided":
      if (ended !== "") return `Undecided.${ended}`;
      if (counts.error > 0) return `Undecided: ${tests(counts.error)} ended in an error.`;
      return `Undecided: ${plural(requiredRules(data, "not-tested").length, "required rule")} not tested.`;
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
function entry(label: string, text: string, { width }: ConsoleContext): Lines {
  const [first = "", ...rest] = wrap(text, width - 11, 0);
  return [`${label.padEnd(10)} ${first}`, ...rest.map((line) => " ".repeat(11) + line)];
}

function shorten(items: readonly string[], { isVerbose }: ConsoleContext): string {
  const shown = isVerbose ? items : items.slice(0, MAX_LISTED);
  const more = items.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

function tests(count: number): string {
  return plural(count, "test");
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
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
