import { plainLine } from "../plain-text.ts";
import {
  type ErrorGroup,
  type FailureGroup,
  groupByReason,
  type ReasonGroup,
  requestsInGroup,
  rulesOf,
  testsOf,
} from "./failure-groups.ts";
import { errorText, failureText } from "./failure-text.ts";
import { coloursOf, hanging, someOf } from "./text-layout.ts";
import type { ReportView } from "./view.ts";

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
  view: ReportView,
  { whole: most, asLine }: ShownGroups = { whole: SHOWN_WHOLE, asLine: SHOWN_AS_LINE },
): string {
  const { failures: groups, color, width } = view;
  const { red, dim } = coloursOf(color);
  const whole = groups.slice(0, most).map((group) => wholeText(group, view));
  const lines = groups
    .slice(most, most + asLine)
    .map((group) => hanging(shortText(group, view), width, "failed  ".length));
  const rest = groups.slice(most + asLine).flat().length;
  const more = rest > 0 ? [dim(`… and ${rest} more; --reporter json=FILE has them all`)] : [];
  const painted = lines.map((line) => line.replace(/^failed/, red));
  return [...whole, [...painted, ...more].join("\n")].filter((part) => part !== "").join("\n\n");
}

/** The first failure of a group on one screen, and who else is of its kind. */
function wholeText(group: FailureGroup, view: ReportView): string {
  const { contract, invocation, color, width, verbose } = view;
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

function shortText(group: FailureGroup, { color }: ReportView): string {
  const { dim } = coloursOf(color);
  const [{ result, failure }] = group;
  const others = testsOf(group).length - 1;
  const also = others === 0 ? "" : dim(` and ${others} like it`);
  const what = plainLine(`expected ${failure.expected}, got ${failure.got}`, 90);
  return `failed  ${result.id}  ${failure.rules.slice(0, 3).join(", ")}  ${what}${also}`;
}

/** Failures that do not count, each reason once. */
export function waivedText(view: ReportView): string {
  const { yellow } = coloursOf(view.color);
  return reasonsText("known  ", yellow, groupByReason(view.known), view);
}

/** What broke, a block for each cause; and below, each reason once, what was not even tried. */
export function errorsText(view: ReportView): string {
  const { errors, invocation, color, width, verbose } = view;
  const { red, dim } = coloursOf(color);
  const room = { width, indent: SAID, verbose };
  const isPlaced = ([{ breakage }]: ErrorGroup) => breakage !== undefined;
  const blocks = errors.filter(isPlaced).map(([result, ...others]) => {
    const [first = "", ...rest] = errorText(result, invocation);
    const ids = others.map(({ id }) => id);
    const also = ids.length === 0 ? [] : [dim(`  likewise  ${someOf(ids, room)}`)];
    return [red(first), ...rest, ...also].join("\n");
  });
  const others = groupByReason(errors.filter((group) => !isPlaced(group)).flat());
  return [...blocks, reasonsText("ERROR", red, others, view)].filter((text) => text !== "").join("\n\n");
}

/** What was left out, each reason once. */
export function skipsText(view: ReportView): string {
  return reasonsText("skipped", coloursOf(view.color).yellow, view.skipped, view);
}

/** Why, and below it which: a reason that many share is said once. */
function reasonsText(
  word: string,
  paint: (text: string) => string,
  groups: readonly ReasonGroup[],
  { color, width, verbose }: ReportView,
): string {
  const { dim } = coloursOf(color);
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
