/**
 * Judges the reference where its users are: over every door of the kit, under conditions that services in the field
 * have. Prints a table, and exits with 1 where the kit held anything against a right service, or gave a green that it
 * had not earned.
 */
import { Command } from "commander";
import picomatch from "picomatch";
import { table } from "../conformance/reports/table.ts";
import { CONDITIONS, type Condition } from "./field/conditions.ts";
import { DOORS, type Door } from "./field/doors.ts";
import { type Cell, judgeCell } from "./field/judge-cell.ts";

/** Exit statuses of a run in which something broke, and of one that left something untried. */
const BROKE = 3;
const UNTRIED = 4;

interface Options {
  readonly only: readonly string[];
  readonly gate?: boolean;
}

const { only, gate } = new Command("field")
  .description("Judges the reference over every door, under conditions of the field.")
  .option("--only <glob...>", "only cells whose name matches: 'stdio: *', '*: fresh'", [])
  .option("--gate", "one cell of each door, those that take little time")
  .parse()
  .opts<Options>();

/** One cell a door, and between them each condition that takes little time. */
const IN_GATE = [
  "module: no concurrency",
  "stdio: no restart",
  "socket: judged before",
  "HTTP with control: framework answers 405",
  "HTTP: proxy adds headers",
];
/** No search, and no wait that a person would notice: the vectors by themselves meet every door. */
const QUICK = ["--runs", "0", "--max-wait", "2s"];

const cells: Cell[] = [];
for (const door of DOORS)
  for (const condition of CONDITIONS.filter((one) => door.has(one) && isChosen(door, one))) {
    const cell = await judgeCell(door, condition, gate ? QUICK : []);
    cells.push(cell);
    process.stderr.write(`${door.name}: ${condition.name}: ${words(cell).join(", ")}\n`);
  }
process.stdout.write(`${table(["", ...DOORS.map(({ name }) => name)], CONDITIONS.map(row))}\n`);
const wrong = cells.filter((cell) => !isAsItMust(cell));
for (const { door, condition, told } of wrong) process.stdout.write(`\n${door}: ${condition}:\n${told}\n`);
if (cells.length === 0) process.stderr.write("field: --only matches no cell\n");
process.exitCode = cells.length === 0 ? 2 : wrong.length === 0 ? 0 : 1;

function isChosen(door: Door, condition: Condition): boolean {
  const globs = gate ? IN_GATE : only;
  return globs.length === 0 || picomatch.isMatch(`${door.name}: ${condition.name}`, [...globs]);
}

function row({ name }: Condition): readonly string[] {
  return [
    name,
    ...DOORS.map((door) => {
      const cell = cells.find((one) => one.door === door.name && one.condition === name);
      return cell === undefined ? "" : words(cell).join("\n");
    }),
  ];
}

function words({ status, report, seconds }: Cell): readonly string[] {
  const verdict = report === undefined ? "no report" : report.verdict;
  const failed = report?.totals.failed ?? 0;
  return [`${verdict}, exit ${status}`, `${failed} failed`, `${seconds.toFixed(1)} s`];
}

/** Nothing is held against the reference, and it is green where everything was really tried, and only there. */
function isAsItMust({ status, report }: Cell): boolean {
  if (report === undefined || report.totals.failed > 0) return false;
  const untried = report.rules.some(({ level, outcome }) => level === "required" && outcome === "untried");
  const due = report.totals.error > 0 ? BROKE : untried ? UNTRIED : 0;
  return status === due;
}
