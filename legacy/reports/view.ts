/** What a report comes to, decided once for all printers. */

import type { Result } from "../engine/play/result.ts";
import type { RuleBook } from "../engine/rule-book.ts";
import { lackedBy, namingIn } from "../engine/run/accepts-untried.ts";
import { type Choice, NOT_SEEN } from "../engine/run/choices.ts";
import type { Selection, ShardFacts } from "../engine/run/report.ts";
import { isUntried, type RuleReport } from "../engine/run/verdict.ts";
import { CAPABILITIES, ROOM } from "../engine/vectors/need.ts";
import { plainLine } from "../plain-text.ts";
import type { BaselineReport } from "../policies/baseline.ts";
import type { HeldChoices } from "../policies/choices.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import {
  type ErrorGroup,
  type FailureGroup,
  groupByReason,
  groupErrors,
  groupFailures,
  type OperationOf,
  type ReasonGroup,
} from "./failure-groups.ts";
import type { Invocation } from "./reproduction-command.ts";

/** What a reporter is given beside the finished report. */
export interface ReportContext {
  readonly contract: RuleBook;
  /** Which operation of the contract a request is. */
  readonly operationOf: OperationOf;
  readonly invocation: Invocation;
  /** Whether escape sequences may colour the text. */
  readonly color: boolean;
  /** Columns of a line, where text is wrapped. */
  readonly width: number;
  /** Everything: each choice, each skip. */
  readonly verbose: boolean;
  /** Whether only what the user named was played: no verdict about the whole contract is given. */
  readonly replay?: boolean;
}

/** A finished report with everything that its printers share, decided: they escape, colour and lay out. */
export interface ReportView extends ReportContext {
  readonly report: GatedReport;
  /** Name, version and language of what was judged: text from outside, not yet cut. */
  readonly implementation: string;
  readonly headline: Headline;
  /** The headline in words: `does not conform`, `selection passed`. */
  readonly verdict: string;
  /** `3 of 5 required rules kept`, and why the exit status is not the one that the verdict alone would give. */
  readonly kept: string;
  readonly exitNote: string;
  readonly required: RequiredRules;
  /** `3 passed, 1 failed, 0 skipped, 0 error`. */
  readonly totals: string;
  /** `4 of 4 run`. */
  readonly executed: string;
  /** Results of what the run is held to in addition to the contract. */
  readonly policies: readonly PolicyLine[];
  /** One row for each area, in the contract's order; of a selection, only those that it is about. */
  readonly areas: readonly AreaRow[];
  /** Failures that count, by cause. */
  readonly failures: readonly FailureGroup[];
  /** Failures of the baseline, which do not count, each with the reason. */
  readonly known: readonly Result[];
  /** Results without a judgement, by cause. */
  readonly errors: readonly ErrorGroup[];
  readonly skipped: readonly ReasonGroup[];
  readonly choices: ChoiceGroups;
  /** Required rules that leave the verdict open, by reason, and the option that accepts them. */
  readonly untried: readonly RuleReport[];
  readonly untriedReasons: readonly RuleReasons[];
  readonly allowUntried: string | undefined;
  /** Required rules that cannot be observed without a fact that the implementation does not state, by reason. */
  readonly unobservable: readonly RuleReasons[];
}

/** Observable required rules that a report speaks of, by outcome. */
export interface RequiredRules {
  readonly count: number;
  readonly kept: readonly string[];
  readonly broken: readonly string[];
  readonly untried: readonly string[];
}

/** Open points by how the reading that was seen compares with the bundled reference's. */
export interface ChoiceGroups {
  readonly seen: readonly Choice[];
  readonly unlike: readonly Choice[];
  readonly alike: readonly Choice[];
  readonly unseen: readonly Choice[];
}

/** Rules that share the reason why nothing was seen of them. */
export interface RuleReasons {
  readonly reason: string;
  readonly ids: readonly string[];
}

/** Decides, from a finished report, everything that its printers share. Pure. */
export function viewOf(report: GatedReport, context: ReportContext): ReportView {
  const { results, totals, suite, implementation } = report;
  const { name, version, language } = implementation;
  const rules = requiredRules(report);
  const required = byOutcome(rules);
  const untried = untriedRules(report).filter((rule) => rules.includes(rule));
  const waived = results.flatMap((result) => {
    const reason = waiver(result);
    return reason === undefined ? [] : [{ ...result, reason }];
  });
  return {
    ...context,
    report,
    implementation: `${name} ${version}${language === undefined ? "" : ` (${language})`}`,
    headline: headlineOf(report),
    verdict: verdictText(report),
    kept: `${required.kept.length} of ${required.count} required rules${report.selection === undefined ? "" : " of the selection"} kept`,
    exitNote: exitNote(report),
    required,
    totals: totalsText(totals),
    executed: `${suite.executed} of ${suite.expected} run`,
    policies: policyLines(report),
    areas: areaRows(report, context.contract),
    failures: groupFailures(results.filter(counts), context.operationOf),
    known: waived,
    errors: groupErrors(results),
    skipped: groupByReason(results.filter(({ outcome }) => outcome === "skipped")),
    choices: choiceGroups(report.choices),
    untried,
    untriedReasons: reasonsOf(untried, report),
    allowUntried: allowUntriedOption(report),
    unobservable: reasonsOf(
      report.rules.filter(
        ({ level, outcome, results: tests }) =>
          level === "required" && outcome === "unobservable" && tests.length > 0,
      ),
      report,
    ),
  };
}

/** Ids of rules by their outcome. */
export function byOutcome(rules: readonly RuleReport[]): RequiredRules {
  const ids = (wanted: string) => rules.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  return { count: rules.length, kept: ids("passed"), broken: ids("failed"), untried: ids("untried") };
}

/** Numbers of tests by outcome, in words. */
export function totalsText({ passed, failed, skipped, error }: GatedReport["totals"]): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped, ${error} error`;
}

/** Groups choices by how they compare with the bundled reference's. */
export function choiceGroups(choices: readonly Choice[]): ChoiceGroups {
  const seen = choices.filter(({ observed }) => observed !== NOT_SEEN);
  return {
    seen,
    unlike: seen.filter(({ observed, reference }) => observed !== reference),
    alike: seen.filter(({ observed, reference }) => observed === reference),
    unseen: choices.filter(({ observed }) => observed === NOT_SEEN),
  };
}

/** Rules and why nothing was seen of them, each reason once. */
function reasonsOf(rules: readonly RuleReport[], { results }: GatedReport): readonly RuleReasons[] {
  const naming = namingIn(results);
  const groups = new Map<string, { readonly reason: string; readonly ids: string[] }>();
  for (const rule of rules) {
    const tests = naming(rule);
    const said = tests.find(({ outcome }) => outcome !== "passed")?.reason;
    const reason = plainLine(said ?? "no selected vector tries it; run without --only", 200);
    // What waits for an hour and what waits for a day lacks the same.
    const key = lackedBy(tests)?.join(" ") ?? reason;
    const group = groups.get(key) ?? { reason, ids: [] };
    group.ids.push(rule.id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** What a run came to: a verdict, or that a selection passed, which is none. */
export type Headline = GatedReport["verdict"] | "selection-passed" | "selection-undecided";

/** What a report says at its top. A selection can show that a service does not conform, and never that it does. */
export function headlineOf({ verdict, selection }: Pick<GatedReport, "verdict" | "selection">): Headline {
  if (selection === undefined || verdict === "does-not-conform") return verdict;
  return selection.outcome === "passed" ? "selection-passed" : "selection-undecided";
}

/** {@link headlineOf}, as people read it: `does not conform`, `selection passed`. */
export function verdictText(report: Pick<GatedReport, "verdict" | "selection">): string {
  return headlineOf(report).replaceAll("-", " ");
}

/** Why the exit status is not the one that the verdict alone would give. */
export function exitNote({ verdict, exitStatus }: GatedReport): string {
  if (verdict === "does-not-conform" && exitStatus === 0) return "; all failures are in the baseline";
  return verdict !== "does-not-conform" && exitStatus === 1 ? "; the run failed for the reasons above" : "";
}

/**
 * The observable required rules that a report speaks of: all of them, or where tests were selected those that the
 * selected ones are about.
 */
export function requiredRules({
  rules,
  selection,
}: Pick<GatedReport, "rules" | "selection">): readonly RuleReport[] {
  return rules.filter(
    ({ level, outcome, results }) =>
      level === "required" &&
      outcome !== "unobservable" &&
      (selection === undefined || outcome === "failed" || results.length > 0),
  );
}

/** The required rules that were not tried, of which nothing accepts that: what makes a run undecided. */
export function untriedRules({ rules, results, allowedUntried }: GatedReport): readonly RuleReport[] {
  const known = new Set(results.filter((result) => result.known !== undefined).map(({ id }) => id));
  return rules.filter(
    (rule) =>
      isUntried(rule) &&
      !allowedUntried.includes(rule.id) &&
      !rule.results.some((result) => known.has(result)),
  );
}

/**
 * The option that would accept what a run left untried, in its shortest form: capabilities first, then rules that no
 * capability explains. What was accepted already stands in it, too.
 * @returns undefined where nothing was left, or where it is not to be accepted: something broke, so that what was not
 *   tried is unknown; only a part or a selection was run; or the service had no room, which the user can give it
 */
export function allowUntriedOption(report: GatedReport): string | undefined {
  const untried = untriedRules(report);
  const { results, totals, accepted = [], selection, shard, stopped } = report;
  const isPart = selection !== undefined || shard !== undefined || stopped;
  if (untried.length === 0 || totals.error > 0 || isPart) return undefined;
  const naming = namingIn(results);
  const names = new Set(accepted);
  for (const rule of untried) {
    const lacked = lackedBy(naming(rule));
    if (lacked?.includes(ROOM)) return undefined;
    const isOfCapabilities = lacked?.every((name) => CAPABILITIES.includes(name));
    for (const name of (isOfCapabilities ? lacked : undefined) ?? [rule.id]) names.add(name);
  }
  const rank = (name: string) =>
    CAPABILITIES.includes(name) ? CAPABILITIES.indexOf(name) : CAPABILITIES.length;
  return ["--allow-untried", ...[...names].sort((one, other) => rank(one) - rank(other))].join(" ");
}

/** What a run shows of one area of the contract. */
export interface AreaRow {
  readonly title: string;
  /** Observable required rules that the report speaks of, and how many of them came out which way. */
  readonly required: number;
  readonly kept: number;
  readonly failed: number;
  readonly untried: number;
  /** Results that name a rule of the area. */
  readonly results: number;
  /** Observable open points. */
  readonly points: number;
}

/** One row for each area, in the contract's order; of a selection, only those that it is about. */
export function areaRows(report: GatedReport, contract: RuleBook): readonly AreaRow[] {
  const spokenOf = requiredRules(report);
  const rows = [...contract.areas].map(([area, title]) => {
    const rules = [...contract.rules.values()].filter((rule) => rule.area === area);
    const ids = new Set(rules.map(({ id }) => id));
    const required = spokenOf.filter(({ id }) => ids.has(id));
    const count = (wanted: string) => required.filter(({ outcome }) => outcome === wanted).length;
    return {
      title,
      required: required.length,
      kept: count("passed"),
      failed: count("failed"),
      untried: count("untried"),
      results: report.results.filter((result) => result.rules.some((id) => ids.has(id))).length,
      points: [...contract.points.values()].filter((point) => point.area === area && point.observable).length,
    };
  });
  return report.selection === undefined ? rows : rows.filter(({ results, failed }) => results + failed > 0);
}

/**
 * Why a failure does not fail the run: the user's baseline knows it.
 * @returns undefined for a result that did not fail, and for a failure that counts
 */
export function waiver({ outcome, known, broke }: Result): string | undefined {
  if (outcome !== "failed" || broke || known === undefined) return undefined;
  const { reason, link, expires } = known;
  const until = expires === undefined ? "" : ` (until ${expires})`;
  return plainLine(`${reason}${link === undefined ? "" : ` ${link}`}${until}`, 200);
}

/** Whether a result fails the run, or at least keeps it from passing. */
export function counts(result: Result): boolean {
  return (result.outcome === "failed" || result.outcome === "error") && waiver(result) === undefined;
}

/** Entries of a kind that are named before the rest is counted. */
const MOST = 20;
const LINE = 200;

/** A line on what the run was held to besides the contract. */
export interface PolicyLine {
  readonly text: string;
  /** Whether this fails the run, whatever the verdict. */
  readonly fails: boolean;
}

/**
 * What became of the gates that the user set: a baseline, earlier choices, a selection, a part of a run.
 * Empty where there are none.
 */
export function policyLines({ baseline, heldChoices, selection, shard }: GatedReport): readonly PolicyLine[] {
  return [
    ...(baseline === undefined ? [] : baselineLines(baseline)),
    ...(heldChoices === undefined ? [] : choicesLines(heldChoices)),
    ...(selection === undefined ? [] : [selectionLine(selection)]),
    ...(shard === undefined ? [] : shardLines(shard)),
  ].map(({ text, fails }) => ({ text: plainLine(text, LINE), fails }));
}

function selectionLine({ only, chosen, of }: Selection): PolicyLine {
  const globs = only.length === 0 ? "replayed" : only.map((glob) => `--only ${glob}`).join(" ");
  return toldLine(`selection: ${chosen} of ${of} vectors and properties, no verdict on the whole (${globs})`);
}

function baselineLines({ file, known, stale, expired, otherRules }: BaselineReport): readonly PolicyLine[] {
  return [
    toldLine(`baseline ${file}: ${known.length} known failure${known.length === 1 ? "" : "s"} waived`),
    ...firstLines(stale, ({ id, why }) => failingLine(`stale in the baseline: ${id}  ${why}`)),
    ...firstLines(expired, ({ id, expires }) => failingLine(`expired in the baseline: ${id}  on ${expires}`)),
    ...firstLines(otherRules, ({ id, rules }) =>
      toldLine(`not waived by the baseline: ${id}  it fails ${rules.join(", ")} now`),
    ),
  ];
}

function choicesLines({ file, changed, added, unseen }: HeldChoices): readonly PolicyLine[] {
  return [
    toldLine(
      `choices ${file}: ${changed.length} changed, ${added.length} that it does not name, ${unseen.length} not seen this time`,
    ),
    ...firstLines(changed, ({ point, was, observed }) =>
      failingLine(`changed choice: ${point}  ${observed}, was ${was}`),
    ),
  ];
}

function shardLines({ index, of, expected }: ShardFacts): readonly PolicyLine[] {
  return [
    toldLine(
      `part ${index} of ${of} of a run with ${expected} results; merge puts them together, and judges`,
    ),
  ];
}

function firstLines<Entry>(
  entries: readonly Entry[],
  line: (entry: Entry) => PolicyLine,
): readonly PolicyLine[] {
  const shown = entries.slice(0, MOST).map(line);
  const rest = entries.length - shown.length;
  return rest === 0
    ? shown
    : [...shown, toldLine(`… and ${rest} more such; --reporter json=FILE has them all`)];
}

function toldLine(text: string): PolicyLine {
  return { text, fails: false };
}

function failingLine(text: string): PolicyLine {
  return { text, fails: true };
}
