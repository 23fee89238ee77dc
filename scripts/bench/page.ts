import type { Measured } from "./measure.ts";
import type { Profiled } from "./profile.ts";

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

const PROFILES = "\n## Where the time goes\n";

/**
 * The page, of which a part is written anew.
 * @param page as it was
 */
export function newPage(
  page: string,
  { figures, profiles }: { readonly figures?: BenchReport; readonly profiles?: readonly Profiled[] },
): string {
  const [before = "", after] = page.split(PROFILES);
  const top = figures === undefined ? before : benchPage(figures);
  const bottom =
    profiles === undefined ? after : ["", ...PROFILES_TOLD, "", profilesText(profiles), ""].join("\n");
  return bottom === undefined ? top : `${top}${PROFILES}${bottom}`;
}

/** A part of the time that is less than this is told with the rest. */
const LEAST_SHARE = 0.02;

/** A table for each measure: the processes side by side, and the parts of the time of each. */
export function profilesText(profiles: readonly Profiled[]): string {
  const tables = profiles.map(({ title, why, threads }) => {
    const parts = [...new Set(threads.flatMap(({ shares }) => [...shares.keys()]))];
    const most = (part: string) => Math.max(...threads.map(({ shares }) => shares.get(part) ?? 0));
    const told = parts
      .filter((part) => most(part) >= LEAST_SHARE)
      .sort((one, other) => most(other) - most(one));
    const rest = threads.map(
      ({ shares }) => 1 - told.reduce((sum, part) => sum + (shares.get(part) ?? 0), 0),
    );
    return [
      `### ${title}`,
      "",
      ...(why === undefined ? [] : [...why, ""]),
      tableLine(["part", ...threads.map(({ name }) => name)]),
      tableLine(["---", ...threads.map(() => "---")]),
      ...told.map((part) =>
        tableLine([part, ...threads.map(({ shares }) => percent(shares.get(part) ?? 0))]),
      ),
      tableLine(["less than 2 % each", ...rest.map(percent)]),
    ].join("\n");
  });
  return tables.join("\n\n");
}

const PROFILES_TOLD = [
  "Written by `npm run bench -- --profile --write --only …`: one run with V8's profiler for each bar that is not kept, on this or",
  "on another machine. Shares are of the time from start to end of a process; what waits does so for another process, or for the",
  "processor. The process of a module, which the kit starts by itself, is not profiled.",
];

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** The page of the figures. */
function benchPage({ machine, runs, measures }: BenchReport): string {
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
