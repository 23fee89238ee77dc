import type { Result } from "../engine/play/result.ts";
import { plainLine } from "../plain-text.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import {
  type FailureGroup,
  groupByReason,
  groupErrors,
  groupFailures,
  requestsInGroup,
  rulesOf,
  testsOf,
} from "./failure-groups.ts";
import { errorText, failureText } from "./failure-text.ts";
import { coloursOf, hanging, someOf } from "./text-layout.ts";
import { type ReportContext, waiver } from "./view.ts";

/** Groups of failures of which one is shown whole, and those shown as a line, before they are only counted. */
const SHOWN_WHOLE = 5;
const SHOWN_AS_LINE = 25;

/** Columns before what is said of a failure. */
const SAID = 12;
/** Columns before the reason why something was not judged. */
const REASON = 9;
/** Where a counterexample begins, to be copied as it stands. */
const VECTOR = "  as a vector";
/** What is to be copied, or is somebody else's text. */
const AS_IT_STANDS = /^ {2}(?:sent|got|again) /;

/** How many groups of failures are shown. */
export interface ShownGroups {
  readonly whole: number;
  readonly asLine: number;
}

/** Failures that count, one cause after the other: the first whole, more as a line, the rest counted. */
export function failuresText(
  report: GatedReport,
  context: ReportContext,
  { whole: most, asLine }: ShownGroups = { whole: SHOWN_WHOLE, asLine: SHOWN_AS_LINE },
): string {
  const { red, dim } = coloursOf(context.color);
  const counted = report.results.filter((result) => waiver(result) === undefined);
  const groups = groupFailures(counted, context.operationOf);
  const whole = groups.slice(0, most).map((group) => wholeText(group, context));
  const lines = groups
    .slice(most, most + asLine)
    .map((group) => hanging(shortText(group, context), context.width, "failed  ".length));
  const rest = groups.slice(most + asLine).flat().length;
  const more = rest > 0 ? [dim(`… and ${rest} more; --reporter json=FILE has them all`)] : [];
  const painted = lines.map((line) => line.replace(/^failed/, red));
  return [...whole, [...painted, ...more].join("\n")].filter((part) => part !== "").join("\n\n");
}

/** The first failure of a group on one screen, and who else is of its kind. */
function wholeText(group: FailureGroup, context: ReportContext): string {
  const { contract, invocation, color, width, verbose } = context;
  const { red, dim } = coloursOf(color);
  const [{ result, failure }] = group;
  const [first = "", ...rest] = failureText(result, failure, contract, invocation);
  const vector = rest.indexOf(VECTOR);
  const wrapped = rest.map((text, index) =>
    vector !== -1 && index >= vector ? text : text.replaceAll(/^.+$/gm, (line) => wrappedLine(line, width)),
  );
  const room = { width, indent: SAID, verbose };
  const others = [
    ["likewise", testsOf(group).slice(1)],
    [
      "requests",
      requestsInGroup(group)
        .slice(1)
        .map((request) => plainLine(request, 80)),
    ],
    ["breaks", rulesOf(group).filter((id) => !failure.rules.includes(id))],
  ] as const;
  const also = others
    .filter(([, names]) => names.length > 0)
    .map(([name, names]) => dim(`  ${name.padEnd(9)} ${someOf(names, room)}`));
  return [red(first), ...wrapped, ...also].join("\n");
}

/** A line of a failure, wrapped below its own words. */
function wrappedLine(line: string, width: number): string {
  const [, lead = "", said = ""] = /^( *\S+ +| +)(.+)$/.exec(line) ?? [];
  if (AS_IT_STANDS.test(line) || said === "") return line;
  return lead + hanging(said, width - Math.max(0, lead.length - SAID), SAID);
}

function shortText(group: FailureGroup, { color }: ReportContext): string {
  const { dim } = coloursOf(color);
  const [{ result, failure }] = group;
  const others = testsOf(group).length - 1;
  const also = others === 0 ? "" : dim(` and ${others} like it`);
  const what = plainLine(`expected ${failure.expected}, got ${failure.got}`, 90);
  return `failed  ${result.id}  ${failure.rules.slice(0, 3).join(", ")}  ${what}${also}`;
}

/** Failures that do not count, each reason once. */
export function waivedText({ results }: GatedReport, context: ReportContext): string {
  const { yellow } = coloursOf(context.color);
  const waived = results.flatMap((result) => {
    const reason = waiver(result);
    return reason === undefined ? [] : [{ ...result, reason }];
  });
  return [
    reasonsText(
      "known  ",
      yellow,
      waived.filter(({ known }) => known !== undefined),
      context,
    ),
    reasonsText(
      "later  ",
      yellow,
      waived.filter(({ known }) => known === undefined),
      context,
    ),
  ]
    .filter((text) => text !== "")
    .join("\n");
}

/** What broke, a block for each cause; and below, each reason once, what was not even tried. */
export function errorsText({ results }: GatedReport, context: ReportContext): string {
  const { invocation, color, width, verbose } = context;
  const { red, dim } = coloursOf(color);
  const room = { width, indent: SAID, verbose };
  const broken = results.filter(({ breakage }) => breakage !== undefined);
  const blocks = groupErrors(broken).map(([result, ...others]) => {
    const [first = "", ...rest] = errorText(result, invocation);
    const ids = others.map(({ id }) => id);
    const also = ids.length === 0 ? [] : [dim(`  likewise  ${someOf(ids, room)}`)];
    return [red(first), ...rest, ...also].join("\n");
  });
  const others = results.filter(({ outcome, breakage }) => outcome === "error" && breakage === undefined);
  return [...blocks, reasonsText("ERROR", red, others, context)].filter((text) => text !== "").join("\n\n");
}

/** What was left out, each reason once. */
export function skipsText({ results }: GatedReport, context: ReportContext): string {
  const skipped = results.filter(({ outcome }) => outcome === "skipped");
  return reasonsText("skipped", coloursOf(context.color).yellow, skipped, context);
}

/** Why, and below it which: a reason that many share is said once. */
function reasonsText(
  word: string,
  paint: (text: string) => string,
  results: readonly Result[],
  { color, width, verbose }: ReportContext,
): string {
  const { dim } = coloursOf(color);
  const groups = groupByReason(results);
  const told = (verbose ? groups : groups.slice(0, SHOWN_AS_LINE)).map(({ reason, results: members }) => {
    const ids = members.map(({ id }) => id);
    const count = ids.length > 3 ? `${ids.length} tests: ` : "";
    const why = hanging(plainLine(reason, 200), width, REASON);
    const names = someOf(ids, { width, indent: REASON + count.length, verbose });
    return `${paint(word)}  ${why}\n${" ".repeat(REASON)}${dim(`${count}${names}`)}`;
  });
  const rest = groups.slice(told.length).flatMap(({ results: members }) => members).length;
  const more = rest === 0 ? [] : [dim(`… and ${rest} more`)];
  const cut = !verbose && (rest > 0 || groups.some(({ results: members }) => members.length > 3));
  return [...told, ...more, ...(cut ? [dim(`${" ".repeat(REASON)}(--verbose names them all)`)] : [])].join(
    "\n",
  );
}
