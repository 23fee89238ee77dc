/** Compares two reports: what fails now, what was fixed, and which behavior changed. */
import { plural } from "../data/text.ts";
import { type ReportData, violatedRules } from "./data.ts";
import { page, section, withCode } from "./html.ts";
import { html, type Markup } from "./markup.ts";

/** A rule, a test, or an open point, whose outcome or readings changed. */
interface Change {
  readonly id: string;
  /** Outcomes or readings; `absent` if the report does not have the test. */
  readonly before: string;
  readonly after: string;
  /** The statement, the title, or the question. */
  readonly text: string;
  /** Rules that the test shows to be violated, now or before. */
  readonly rules: readonly string[];
}

/** The changes from one report to another, in the order of the later report. */
export interface Comparison {
  /** Each report in one line. */
  readonly before: string;
  readonly after: string;
  /** Differences between the runs, such as the seed, that make the comparison less certain. */
  readonly warnings: readonly string[];
  /** One sentence: how much fails now, or is not tested. */
  readonly summary: string;
  /** Status of a command that fails on new failures: 1, or 4 if the later report tests less. */
  readonly exitStatus: 0 | 1 | 4;
  readonly changes: Readonly<Record<Heading, readonly Change[]>>;
}

/** Kinds of changes, and the CSS class of each. */
const HEADINGS = {
  "Rules violated now": "failed",
  "Rules not tested now": "skipped",
  "Rules fixed": "passed",
  "Tests failing now": "failed",
  "Tests fixed": "passed",
  "Other tests whose outcome changed": "skipped",
  "Behavior that changed": "skipped",
} as const;
type Heading = keyof typeof HEADINGS;

/** The state of a rule, a test, or an open point in one report. */
type State = Omit<Change, "before" | "after"> & { readonly state: string };

/** Returns the changes from one report to another, in the order of the later report. */
export function compareReports(before: ReportData, after: ReportData): Comparison {
  const changed = (statesOf: (data: ReportData) => readonly State[]) =>
    changesOf(statesOf(before), statesOf(after));
  const [rules, tests] = [changed(statesOfRules), changed(statesOfTests)];
  const isNew = (test: Change) => isBad(test.after) && !isBad(test.before);
  const isFixed = (test: Change) => isBad(test.before) && test.after === "passed";
  const changes = {
    "Rules violated now": rules.filter((rule) => rule.after === "violated"),
    "Rules not tested now": rules.filter(
      (rule) => rule.after === "not-tested" && rule.before === "satisfied",
    ),
    "Rules fixed": rules.filter((rule) => rule.after === "satisfied" && rule.before === "violated"),
    "Tests failing now": tests.filter(isNew),
    "Tests fixed": tests.filter(isFixed),
    "Other tests whose outcome changed": tests.filter((test) => !isFixed(test) && !isBad(test.after)),
    // A reading that only one of the runs observed is not a change of behavior.
    "Behavior that changed": changed(statesOfPoints).filter(
      (point) => point.before !== ABSENT && point.after !== ABSENT,
    ),
  };
  const [violated, failing] = [changes["Rules violated now"].length, changes["Tests failing now"].length];
  const untested = changes["Rules not tested now"].length;
  const isWorse = violated + failing > 0;
  return {
    before: describeRun(before),
    after: describeRun(after),
    warnings: warningsOf(before, after),
    summary: isWorse
      ? `New failures: ${plural(violated, "required rule")} violated, ${plural(failing, "test")} failing.`
      : `No new failure${untested > 0 ? `, but ${plural(untested, "required rule")} not tested now` : ""}.`,
    exitStatus: isWorse ? 1 : untested > 0 ? 4 : 0,
    changes,
  };
}

const ABSENT = "absent";

function changesOf(before: readonly State[], after: readonly State[]): readonly Change[] {
  const [earlier, later] = [before, after].map((states) => new Map(states.map((one) => [one.id, one])));
  return [...new Set([...after, ...before].map(({ id }) => id))].flatMap((id) => {
    const [one, other] = [earlier?.get(id), later?.get(id)];
    const rules = [...new Set([...(other?.rules ?? []), ...(one?.rules ?? [])])];
    const text = (other ?? one)?.text ?? "";
    const change = { id, before: one?.state ?? ABSENT, after: other?.state ?? ABSENT, text, rules };
    return change.before === change.after ? [] : [change];
  });
}

function statesOfRules({ rules }: ReportData): readonly State[] {
  const required = rules.filter(({ level }) => level === "required");
  return required.map(({ id, outcome, statement }) => ({ id, state: outcome, text: statement, rules: [] }));
}

function statesOfTests({ results }: ReportData): readonly State[] {
  return results.map((result) => {
    const rules = result.outcome === "failed" ? violatedRules(result) : [];
    return { id: result.id, state: result.outcome, text: result.title, rules };
  });
}

function statesOfPoints({ behavior, openPoints }: ReportData): readonly State[] {
  const questions = new Map(openPoints.map(({ id, question }) => [id, question]));
  return Object.entries(behavior).map(([id, readings]) => {
    return { id, state: readings.join(" | "), text: questions.get(id) ?? "", rules: [] };
  });
}

function isBad(outcome: string): boolean {
  return outcome === "failed" || outcome === "error";
}

function warningsOf(before: ReportData, after: ReportData): readonly string[] {
  const compared: readonly (readonly [string, string, string])[] = [
    ["kit", before.kit, after.kit],
    ["suite", before.run.suite.digest, after.run.suite.digest],
    ["seed", String(before.run.seed), String(after.run.seed)],
    ["transport", before.service.transport, after.service.transport],
  ];
  const different = compared.filter(([, one, other]) => one !== other);
  return different.map(([name, one, other]) => `the ${name} differs: ${one} before, ${other} after`);
}

function describeRun({ service, verdict, tests }: ReportData): string {
  const { name, version } = service;
  const conclusion = verdict.conclusion === "none" ? "no verdict" : verdict.conclusion.replaceAll("-", " ");
  return `${name} ${version}, ${conclusion}, ${tests.passed} passed, ${tests.failed} failed`;
}

/** Maximum number of lines to show under each heading. */
const MAX_SHOWN = 20;

/** Formats a comparison as lines for people. The lines are not yet safe to print. */
export function formatComparison(
  { before, after, warnings, summary, changes }: Comparison,
  isVerbose: boolean,
) {
  const max = isVerbose ? Number.POSITIVE_INFINITY : MAX_SHOWN;
  const sections = Object.entries(changes).flatMap(([heading, list]) => {
    if (list.length === 0) return [];
    const more = list.length > max ? [`and ${list.length - max} more; --verbose lists them`] : [];
    const shown = [...list.slice(0, max).map((change) => lineOf(heading, change)), ...more];
    return [`${heading}: ${list.length}`, ...shown.map((line) => `  ${line}`), ""];
  });
  return [
    `Before: ${before}`,
    `After:  ${after}`,
    ...warnings.map((warning) => `Warning: ${warning}`),
    "",
    ...(sections.length === 0 ? ["Nothing changed.", ""] : sections),
    summary,
  ];
}

function lineOf(heading: string, { id, before, after, text, rules }: Change): string {
  if (heading.startsWith("Rules")) return `${id}: ${text}`;
  return `${id}: ${before} before, ${after} now${rules.length === 0 ? "" : ` (${rules.join(", ")})`}`;
}

/** Prints a comparison as one HTML page. */
export function printComparison({
  before,
  after,
  warnings,
  summary,
  exitStatus,
  changes,
}: Comparison): string {
  const row = ({ id, before: was, after: is, text, rules }: Change): Markup => html`<tr>
<td><code>${id}</code></td><td>${withCode(text)}${rules.length === 0 ? "" : html`<br><small>${rules.join(", ")}</small>`}</td>
<td>${was}</td><td>${is}</td></tr>
`;
  const kind = ({ 0: "conforms", 1: "does-not-conform", 4: "undecided" } as const)[exitStatus];
  const lines = [`Before: ${before}`, `After: ${after}`, ...warnings.map((warning) => `Warning: ${warning}`)];
  const header = html`<p class="kicker">Comparison of two reports</p>
<h1>${summary}</h1>
<p class="verdict ${kind}">${lines.map((line) => html`${line}<br>`)}</p>`;
  const lists = Object.entries(changes).map(
    ([heading, list]) => [heading, HEADINGS[heading as Heading], list.map(row)] as const,
  );
  return page(
    "Comparison of two reports",
    header,
    section("Changes", ["id", "statement", "before", "after"], lists, true),
  );
}
