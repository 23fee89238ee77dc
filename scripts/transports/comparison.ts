import wrapAnsi from "wrap-ansi";
import type { Report } from "../../conformance/index.ts";

/** One implementation over one transport, and what the kit found. */
export interface Column {
  readonly implementation: string;
  readonly transport: string;
  readonly report: Report;
}

/** Columns that a reason for a skip takes. */
const WIDTH = 50;

/** Reports of the same vectors side by side. */
export interface Comparison {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What must not be: a required rule failed, or a difference that no skip explains. Empty where all is well. */
  readonly problems: readonly string[];
}

/** Puts reports side by side. Pure. The first column of an implementation is what its others are held against. */
export function compareTransports(columns: readonly Column[]): Comparison {
  const row = (name: string, cell: (report: Report) => number | string) => [
    name,
    ...columns.map(({ report }) => String(cell(report))),
  ];
  const reasons = new Set(columns.flatMap(({ report }) => [...skipReasons(report).keys()]));
  return {
    head: ["", ...columns.map(({ implementation, transport }) => `${implementation}\n${transport}`)],
    rows: [
      row("verdict", ({ verdict }) => verdict),
      row("required rules passed", (report) => required(report, "passed").length),
      row("required rules failed", (report) => required(report, "failed").length),
      row("required rules untried", (report) => required(report, "untried").length),
      row("vectors passed", ({ totals }) => totals.passed),
      row("vectors failed", ({ totals }) => totals.failed),
      row("vectors in error", ({ totals }) => totals.error),
      row("vectors skipped", ({ totals }) => totals.skipped),
      ...[...reasons].map((reason) =>
        row(wrapAnsi(`- ${reason}`, WIDTH), (report) => skipReasons(report).get(reason) ?? ""),
      ),
      row("open points seen", (report) => seen(report).length),
      row(
        "- unlike the reference's",
        (report) => seen(report).filter(({ observed, reference }) => observed !== reference).length,
      ),
      row("seconds", ({ durationMs }) => (durationMs / 1000).toFixed(1)),
    ],
    problems: columns.flatMap((column) => {
      const first = columns.find(({ implementation }) => implementation === column.implementation) ?? column;
      const name = `${column.implementation}, ${column.transport}`;
      return [...brokenRules(column), ...differences(column, first)].map((problem) => `${name}: ${problem}`);
    }),
  };
}

function brokenRules({ report }: Column): readonly string[] {
  const { results, selection } = report;
  const skipped = new Set(
    results.filter(({ outcome }) => outcome === "skipped").flatMap(({ rules }) => rules),
  );
  const errors = results.filter(({ outcome }) => outcome === "error");
  const [error] = errors;
  return [
    ...required(report, "failed").map(({ id }) => `required rule ${id} failed`),
    ...(error === undefined ? [] : [`${errors.length} in error, first ${error.id}: ${error.reason}`]),
    // A selection leaves rules out, and says so.
    ...(selection === undefined ? required(report, "untried") : [])
      .filter(({ id }) => !skipped.has(id))
      .map(({ id }) => `required rule ${id} was not tried, and nothing about it was skipped`),
  ];
}

/** Whether a crowd finds an end hangs on what else is stored: a service that all vectors share forgets meanwhile. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(["CROWD-OF-CREATORS"]);

/** How an implementation seems to be another than over the first transport. */
function differences({ report }: Column, first: Column): readonly string[] {
  const verdict =
    report.totals.skipped === 0 && report.verdict !== first.report.verdict
      ? [`${report.verdict}, but ${first.report.verdict} over ${first.transport}`]
      : [];
  const readings = new Map(seen(first.report).map(({ point, observed }) => [point, observed]));
  const choices = seen(report).flatMap(({ point, observed }) => {
    const other = readings.get(point);
    // Where vectors were skipped, fewer readings may show; another one may not.
    const fits =
      other === undefined ||
      OF_THE_MOMENT.has(point) ||
      observed.split(" | ").every((one) => other.split(" | ").includes(one));
    return fits ? [] : [`${point} is ${observed}, but ${other} over ${first.transport}`];
  });
  return [...verdict, ...choices];
}

function required({ rules }: Report, outcome: Report["rules"][number]["outcome"]) {
  return rules.filter((rule) => rule.level === "required" && rule.outcome === outcome);
}

function seen({ choices }: Report) {
  return choices.filter(({ observed }) => observed !== "not seen");
}

/** How many vectors were skipped for each reason; reasons that differ in a number or a name alone are one. */
function skipReasons({ results }: Report): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { outcome, reason = "no reason given" } of results) {
    if (outcome !== "skipped") continue;
    const kind = reason.replace(/^.* cannot send it: /, "cannot be sent: ").replaceAll(/\d+(\.\d+)?/g, "N");
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
