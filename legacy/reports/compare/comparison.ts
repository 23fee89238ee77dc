import type { OpenPoint, RuleBook } from "../../engine/rule-book.ts";
import { NOT_SEEN } from "../../engine/run/choices.ts";
import type { RuleOutcome } from "../../engine/run/verdict.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { byOutcome, choiceGroups, requiredRules } from "../view.ts";

/** One of the implementations that are compared. */
export interface ComparedReport {
  /** `A`, `B`, …: what it is called where there is little room. */
  readonly label: string;
  readonly file: string;
  readonly report: GatedReport;
  /** Observable required rules, and how many of them it keeps. */
  readonly required: number;
  readonly kept: number;
  /** Open points at which it was seen to differ from the bundled reference. */
  readonly unlikeReference: number;
}

/** A rule of which not all implementations have the same outcome. */
export interface RuleDifference {
  readonly id: string;
  /** One for each implementation: `advised` where advice was given; undefined where its report does not know the rule. */
  readonly outcomes: readonly (RuleOutcome | "advised" | undefined)[];
}

/** An open point that implementations were seen to read differently. */
export interface PointDifference {
  readonly point: string;
  readonly impact: Impact;
  /** One for each implementation, as reports write it; undefined where nothing showed it. */
  readonly readings: readonly (string | undefined)[];
}

/** How far two implementations are apart. */
export interface Pair {
  readonly labels: readonly [string, string];
  /** Open points that they read differently, by impact. */
  readonly points: Readonly<Record<Impact, number>>;
  /** Rules that one keeps and the other breaks. */
  readonly rules: number;
}

/** Implementations side by side. */
export interface Comparison {
  /** Which side of the contract they are of, where they are no services. */
  readonly side?: GatedReport["side"];
  readonly subjects: readonly ComparedReport[];
  /** Why what differs may come of the runs rather than of the implementations, a line each. */
  readonly warnings: readonly string[];
  /** Those that one of them breaks first. */
  readonly rules: readonly RuleDifference[];
  readonly points: readonly PointDifference[];
  /** Open points that at least two of them showed a reading of. */
  readonly comparable: number;
  readonly pairs: readonly Pair[];
}

/** Compares what reports say. Pure; `contract` gives the order of rules and points and what they mean. */
export function compareReports(
  reports: readonly { readonly file: string; readonly report: GatedReport }[],
  contract: RuleBook,
): Comparison {
  const subjects = reports.map(({ file, report }, index) => subjectOf(labelOf(index), file, report));
  const rules = rowsOf(contract.rules.keys(), reports, ({ rules }) =>
    rules.map(
      ({ id, level, outcome }) =>
        [id, level === "advice" && outcome === "failed" ? ("advised" as const) : outcome] as const,
    ),
  );
  const impactAt = (id: string, readings: readonly string[]): Impact => {
    const point = contract.points.get(id);
    return point === undefined ? "form" : impactOf(point, readings);
  };
  const points = rowsOf(contract.points.keys(), reports, ({ choices }) =>
    choices.map(({ point, observed }) => [point, observed === NOT_SEEN ? undefined : observed] as const),
  );
  const comparable = points.filter(({ cells }) => known(cells).length > 1);
  const unlikePoints = comparable
    .filter(({ cells }) => new Set(known(cells)).size > 1)
    .map(({ id, cells }) => ({ point: id, impact: impactAt(id, known(cells)), readings: cells }));
  const unlikeRules = rules
    .filter(({ cells }) => new Set(cells).size > 1)
    .map(({ id, cells }) => ({ id, outcomes: cells }))
    .sort((a, b) => Number(b.outcomes.includes("failed")) - Number(a.outcomes.includes("failed")));
  const side = reports[0]?.report.side;
  return {
    ...(side === undefined ? {} : { side }),
    subjects,
    warnings: warningsOf(subjects),
    rules: unlikeRules,
    points: unlikePoints,
    comparable: comparable.length,
    pairs: pairsOf(subjects, unlikeRules, unlikePoints, impactAt),
  };
}

function labelOf(index: number): string {
  return index < 26 ? String.fromCharCode("A".charCodeAt(0) + index) : String(index + 1);
}

function subjectOf(label: string, file: string, report: GatedReport): ComparedReport {
  const { count, kept } = byOutcome(requiredRules({ rules: report.rules }));
  const { unlike } = choiceGroups(report.choices);
  return { label, file, report, required: count, kept: kept.length, unlikeReference: unlike.length };
}

interface Row<Cell> {
  readonly id: string;
  readonly cells: readonly (Cell | undefined)[];
}

/** What each report says of each id: those of the contract in its order, then those that reports alone know. */
function rowsOf<Cell>(
  ids: Iterable<string>,
  reports: readonly { readonly report: GatedReport }[],
  entries: (report: GatedReport) => readonly (readonly [string, Cell | undefined])[],
): readonly Row<Cell>[] {
  const maps = reports.map(({ report }) => new Map(entries(report)));
  const all = new Set([...ids, ...maps.flatMap((map) => [...map.keys()])]);
  return [...all].map((id) => ({ id, cells: maps.map((map) => map.get(id)) }));
}

function known<Cell>(cells: readonly (Cell | undefined)[]): readonly Cell[] {
  return cells.filter((cell) => cell !== undefined);
}

function warningsOf(subjects: readonly ComparedReport[]): readonly string[] {
  const told = (what: (subject: ComparedReport) => string) =>
    subjects.map((subject) => `${subject.label} ${what(subject)}`).join(", ");
  const differ = (what: (report: GatedReport) => unknown) =>
    new Set(subjects.map(({ report }) => what(report))).size > 1;
  return [
    ...(differ(({ suite }) => suite.digest)
      ? [
          `judged by different suites: ${told(({ report: { suite } }) => `${suite.version} ${suite.digest.slice(0, 12)}`)}`,
        ]
      : []),
    ...(differ(({ suite }) => suite.expected)
      ? [`not everything was selected everywhere: ${told(({ report }) => `${report.suite.expected} tests`)}`]
      : []),
    ...subjects
      .filter(({ report }) => report.shard !== undefined)
      .map(({ label }) => `${label} is one part of a run; merge puts the parts together`),
  ];
}

function pairsOf(
  subjects: readonly ComparedReport[],
  rules: readonly RuleDifference[],
  points: readonly PointDifference[],
  impactAt: (id: string, readings: readonly string[]) => Impact,
): readonly Pair[] {
  return subjects.flatMap((a, first) =>
    subjects.slice(first + 1).map((b, offset): Pair => {
      const second = first + 1 + offset;
      const apart = points.flatMap(({ point, readings }) => {
        const two = known([readings[first], readings[second]]);
        return new Set(two).size < 2 ? [] : [impactAt(point, two)];
      });
      const count = (wanted: Impact) => apart.filter((impact) => impact === wanted).length;
      return {
        labels: [a.label, b.label],
        points: {
          form: count("form"),
          acceptance: count("acceptance"),
          limit: count("limit"),
          answer: count("answer"),
        },
        rules: rules.filter(({ outcomes }) => {
          const two = [outcomes[first], outcomes[second]];
          return two.includes("passed") && two.includes("failed");
        }).length,
      };
    }),
  );
}

/** What a client, or whoever stands behind it, would notice of two implementations reading an open point differently. */
export type Impact = "form" | "acceptance" | "answer" | "limit";

/** What each kind means for who relies on both, hardest first. */
export const IMPACTS: Readonly<Record<Impact, { readonly title: string; readonly means: string }>> = {
  form: {
    title: "What answers look like and hold",
    means: "A client that reads, signs or shows the answers of one may not manage those of another.",
  },
  acceptance: {
    title: "What is accepted",
    means: "A request that one serves is refused by another, or taken for something else.",
  },
  limit: {
    title: "Limits, lifetimes and what is remembered",
    means:
      "The same sequence of requests ends otherwise: at a limit, at the end of a lifetime, after a refusal.",
  },
  answer: {
    title: "How a fault is answered",
    means: "The same fault gets another status or code: a client that decides by them behaves otherwise.",
  },
};

/** Readings that say that a request is served rather than refused. */
const SERVED = new Set(["accepted", "served", "same-input"]);

/**
 * The impact of reading this point in these ways, told by the answers that show them.
 * @param observed as reports write them: a reading, or several joined by ` | `
 */
export function impactOf(
  { readings, area }: Pick<OpenPoint, "readings" | "area">,
  observed: readonly string[],
): Impact {
  if (!readings.every(({ outcome }) => outcome !== undefined)) {
    if (area === "limit") return "limit";
    return area === "json" ? "acceptance" : "form";
  }
  const seen = new Set(observed.flatMap((reading) => reading.split(" | ")));
  const answered = readings.filter(({ id, outcome }) => seen.has(id) && (outcome?.status ?? 0) < 400);
  if (answered.length === 0) return "answer";
  return answered.some(({ id }) => SERVED.has(id)) ? "acceptance" : "limit";
}
