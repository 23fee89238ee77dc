import type { RuleBook } from "../../engine/rule-book.ts";
import { plainLine } from "../../plain-text.ts";
import { escapedJson } from "../json.ts";
import { coloursOf, table } from "../text-layout.ts";
import { verdictText } from "../view.ts";
import { sideWords } from "../words.ts";
import {
  type ComparedReport,
  type Comparison,
  IMPACTS,
  type Impact,
  type PointDifference,
} from "./comparison.ts";

export interface CompareTextOptions {
  readonly contract: RuleBook;
  readonly color: boolean;
  /** Columns of a line. */
  readonly width: number;
  /** Every point, also those that are about codes alone. */
  readonly verbose: boolean;
}

/** A comparison for people at a terminal. Pure: gives the text. */
export function compareText(comparison: Comparison, options: CompareTextOptions): string {
  const { warnings } = comparison;
  const { yellow } = coloursOf(options.color);
  const sections = [
    comparison.subjects.map(named).join("\n"),
    warnings.map((warning) => `${yellow("warning")}  ${plainLine(warning, 300)}`).join("\n"),
    summary(comparison),
    rules(comparison, options),
    points(comparison, options),
    pairs(comparison),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function named({ label, file, report: { implementation } }: ComparedReport): string {
  const { name, version, language } = implementation;
  return `${label}  ${plainLine(`${name} ${version}${language === undefined ? "" : ` (${language})`}`, 90)}  ${plainLine(file, 90)}`;
}

function summary({ side, subjects }: Comparison): string {
  const row = (name: string, cell: (subject: ComparedReport) => string | number) => [
    name,
    ...subjects.map((subject) => plainLine(String(cell(subject)), 40)),
  ];
  return table(labels("", subjects), [
    row("verdict", ({ report }) => verdictText(report)),
    row("required rules kept", ({ kept, required }) => `${kept}/${required}`),
    row("passed", ({ report }) => report.totals.passed),
    row("failed", ({ report }) => report.totals.failed),
    row("skipped", ({ report }) => report.totals.skipped),
    row("error", ({ report }) => report.totals.error),
    row(`choices unlike the ${sideWords({ side }).own}'s`, ({ unlikeReference }) => unlikeReference),
    row("kit", ({ report }) => report.kit.version),
    row("suite", ({ report: { suite } }) => `${suite.version} ${suite.digest.slice(0, 12)}`),
    row("reached by", ({ report }) => report.adapter),
  ]);
}

function rules({ subjects, rules }: Comparison, { contract }: CompareTextOptions): string {
  if (rules.length === 0) return "Every rule has the same outcome everywhere.";
  const rows = rules.map(({ id, outcomes }) => [
    plainLine(id, 30),
    ...outcomes.map((outcome) => outcome ?? "unknown"),
    plainLine(contract.rules.get(id)?.statement ?? "", 60),
  ]);
  return `Rules whose outcomes differ: ${rules.length}\n${table([...labels("rule", subjects), ""], rows)}`;
}

function points(comparison: Comparison, options: CompareTextOptions): string {
  const { side, subjects, points, comparable } = comparison;
  if (side === "client") return clientPoints(comparison, options);
  const head = `Where they would not interoperate: ${points.length} of ${comparable} open points read differently`;
  if (points.length === 0) return head;
  const most = Math.max(12, Math.floor((options.width - 34) / subjects.length) - 2);
  const sections = (Object.keys(IMPACTS) as Impact[]).flatMap((impact) => {
    const found = points.filter((point) => point.impact === impact);
    if (found.length === 0) return [];
    const { title, means } = IMPACTS[impact];
    const brief = impact === "answer" && !options.verbose;
    const rows = brief
      ? "  (--verbose lists them)"
      : table(
          labels("open point", subjects),
          found.map((point) => pointRow(point, most)),
        );
    return [`${title}: ${found.length}\n  ${coloursOf(options.color).dim(means)}\n${rows}`];
  });
  return [head, ...sections].join("\n\n");
}

/** What clients do each in its own way: none of it need fit what another does. */
function clientPoints({ subjects, points, comparable }: Comparison, { width }: CompareTextOptions): string {
  const head = `What they do each in its own way: ${points.length} of ${comparable} open points`;
  if (points.length === 0) return head;
  const most = Math.max(12, Math.floor((width - 34) / subjects.length) - 2);
  const rows = points.map((point) => pointRow(point, most));
  return `${head}\n${table(labels("open point", subjects), rows)}`;
}

function pointRow({ point, readings }: PointDifference, most: number): readonly string[] {
  return [plainLine(point, 32), ...readings.map((reading) => plainLine(reading ?? "not seen", most))];
}

function pairs({ side, pairs }: Comparison): string {
  if (pairs.length < 2 || side === "client") return "";
  const kinds = Object.keys(IMPACTS) as Impact[];
  return `How far they are apart\n${table(
    ["", "rules", ...kinds.map((kind) => IMPACTS[kind].title)],
    pairs.map(({ labels, rules, points }) => [
      labels.join(" and "),
      String(rules),
      ...kinds.map((kind) => String(points[kind])),
    ]),
  )}`;
}

function labels(first: string, subjects: readonly ComparedReport[]): readonly string[] {
  return [first, ...subjects.map(({ label }) => label)];
}

/** A comparison for programs: what differs, and of each report what says whose it is. Pure: gives the text. */
export function compareJson(comparison: Comparison): string {
  return escapedJson({ ...comparison, subjects: comparison.subjects.map(inShort) });
}

function inShort({ report, ...subject }: ComparedReport): unknown {
  const { implementation, kit, suite, adapter, seed, runs, verdict, selection, totals } = report;
  const chosen = selection === undefined ? {} : { selection };
  return { ...subject, implementation, kit, suite, adapter, seed, runs, verdict, ...chosen, totals };
}
