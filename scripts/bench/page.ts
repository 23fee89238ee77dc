import type { Measured } from "./measure.ts";

/** Where the figures come from. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  readonly system: string;
}

/** What was measured, and where. */
export interface BenchReport {
  readonly machine: Machine;
  readonly runs: number;
  readonly measures: readonly Measured[];
}

/** The rows of the table: measure, figure, bar, whether it is kept, and the medians of the sides. */
export function rowsOf(measures: readonly Measured[]): readonly (readonly string[])[] {
  return measures.map(({ title, unit = "", bar, figure, holds, sides, fault }) => [
    title,
    figure === undefined ? "not measured" : `${digits(figure)} ${unit}`.trim(),
    barText(bar, unit),
    holds ? "yes" : "no",
    fault ?? sides.map(({ name, median, unit: of }) => `${name} ${sideText(median, of)}`).join("; "),
  ]);
}

/** The titles of these rows. */
export const COLUMNS = ["measure", "figure", "bar", "kept", "medians of the sides"] as const;

function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** The page of the figures: the table, notes, and why bars are not kept. */
export function benchPage({ machine, runs, measures }: BenchReport): string {
  const { processor, cores, memoryGb, node, system } = machine;
  const notes = measures.flatMap(({ title, notes: own }) => own.map((note) => `- ${title}: ${note}`));
  return [
    "# How fast it is",
    "",
    "Written by `npm run bench -- --write`. Medians; the sides of a measure take turns, so that what else the machine does",
    "meets them alike. Machines of one name may differ by half, in their processors and more so in their sockets: what a bare Node",
    "process takes, and a bare request of undici, tells which one this was.",
    "",
    `${runs} runs on ${processor}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}.`,
    "",
    tableLine(COLUMNS),
    tableLine(COLUMNS.map(() => "---")),
    ...rowsOf(measures).map(tableLine),
    ...(notes.length === 0 ? [] : ["", ...notes]),
    ...measures.flatMap(({ title, why }) =>
      why === undefined ? [] : ["", `## Why the bar is not kept: ${title}`, "", ...why],
    ),
    "",
  ].join("\n");
}

function barText(bar: Measured["bar"], unit: string): string {
  const told = "atMost" in bar ? `at most ${bar.atMost}` : `at least ${bar.atLeast}`;
  return `${told} ${unit}`.trim();
}

/** A median with its unit, in small units where it is little. */
function sideText(value: number, unit: string): string {
  if (unit === "1/s") return `${digits(value)} a second`;
  if (unit !== "s" || value >= 0.1) return `${digits(value)} ${unit}`;
  return value >= 0.0001 ? `${digits(1_000 * value)} ms` : `${digits(1_000_000 * value)} µs`;
}

function digits(value: number): string {
  return Math.abs(value) >= 100 ? `${Math.round(value)}` : `${Number(value.toPrecision(3))}`;
}
