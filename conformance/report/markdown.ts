/** Prints a report as Markdown without HTML, for a job summary or a comment. */
import { cutText, plural } from "../data/text.ts";
import { formatVerdict, policyTexts } from "./console.ts";
import type { ReportData } from "./data.ts";
import { failureLines } from "./failure.ts";
import { type FailureGroup, groupFailures } from "./groups.ts";
import { figures } from "./html.ts";

const MARKS = { conforms: "✅", "does-not-conform": "❌", undecided: "⚠️", none: "☑️" } as const;

/** Maximum number of groups, and of characters of a line. A job summary has at most 1 MiB. */
const MAX_GROUPS = 50;
const MAX_LINE = 400;
const WIDTH = 100;

export function printMarkdown(data: ReportData): string {
  const { service, verdict } = data;
  const shown = figures(data).filter(([, count], index) => count > 0 || index === 0);
  const problems = policyTexts(data).flat();
  const groups = groupFailures(data);
  const rest = groups.length - MAX_GROUPS;
  return [
    `## ${MARKS[verdict.conclusion]} ${escapeMarkdown(`${service.name} ${service.version}`)}`,
    `**${escapeMarkdown(formatVerdict(data))}**`,
    shown.map(([label, count]) => `${count} ${label}`).join(", "),
    ...(problems.length === 0 ? [] : [asBlock(problems)]),
    ...groups.slice(0, MAX_GROUPS).flatMap((group) => failure(group, data)),
    ...(rest > 0 ? [`The JSON report has ${plural(rest, "more group")}.`] : []),
    "",
  ].join("\n\n");
}

function failure(group: FailureGroup, data: ReportData): readonly string[] {
  const [rule] = group.first.finding?.rules ?? [];
  const title = rule === undefined ? "Error" : `${rule} in ${plural(group.tests.length, "test")}`;
  return [`### ${escapeMarkdown(title)}`, asBlock(failureLines(group.first, data, WIDTH, group))];
}

/** Escapes the characters that are markup within a line (CommonMark, section 2.4), and links without markup. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_~<>[\]&|$@#]|:(?=\/\/)|(?<=www)\./gi, "\\$&");
}

/** Returns lines as a block of code, in which nothing is markup. Its fence is longer than any in the lines. */
function asBlock(lines: readonly string[]): string {
  const text = lines.map((line) => cutText(line, MAX_LINE)).join("\n");
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
