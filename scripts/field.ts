/**
 * Judges the reference where its users are: over every door of the kit, under conditions that services in the field
 * have. Prints a table, and exits with 1 where the kit held anything against a right service, or gave a green that it
 * had not earned.
 */
import { Command } from "commander";
import picomatch from "picomatch";
import { table } from "../conformance/reports/text-layout.ts";
import { CONDITIONS, type Condition, FRESH } from "./field/conditions.ts";
import { DOORS, type Door, PYTHON } from "./field/doors.ts";
import { type Cell, judgeCell, otherChoices } from "./field/judge-cell.ts";

/** Exit statuses of a run in which something broke, and of one that left something untried. */
const BROKE = 3;
const UNTRIED = 4;

const { only } = new Command("field")
  .description("Judges the reference over every door, under conditions of the field.")
  .option("--only <glob...>", "only cells whose name matches: 'stdio: *', '*: fresh'", [])
  .parse()
  .opts<{ readonly only: readonly string[] }>();

const cells: Cell[] = [];
for (const door of DOORS)
  for (const condition of CONDITIONS.filter((one) => door.has(one) && isChosen(door, one))) {
    const cell = await judgeCell(door, condition);
    cells.push(cell);
    process.stderr.write(`${door.name}: ${condition.name}: ${words(cell).join(", ")}\n`);
  }
process.stdout.write(`${table(["", ...DOORS.map(({ name }) => name)], CONDITIONS.map(row))}\n`);
const wrong = cells.filter((cell) => !isAsItMust(cell) || differences(cell).length > 0);
for (const cell of wrong)
  process.stdout.write(
    `\n${[`${cell.door}: ${cell.condition}:`, ...differences(cell), cell.told].join("\n")}\n`,
  );
if (cells.length === 0) process.stderr.write("field: --only matches no cell\n");
process.exitCode = cells.length === 0 ? 2 : wrong.length === 0 ? 0 : 1;

function isChosen(door: Door, condition: Condition): boolean {
  return only.length === 0 || picomatch.isMatch(`${door.name}: ${condition.name}`, [...only]);
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

/** Choices of a fresh service that differ from those over the first adapter: an adapter must not change what is judged. */
function differences({ door, condition, report }: Cell): readonly string[] {
  const first = cells.find((cell) => cell.condition === FRESH)?.report;
  if (condition !== FRESH || door === PYTHON || report === undefined || first === undefined) return [];
  return otherChoices(report, first);
}

/** Nothing is held against the reference, and it is green where everything was really tried, and only there. */
function isAsItMust({ status, report }: Cell): boolean {
  if (report === undefined || report.totals.failed > 0) return false;
  const untried = report.rules.some(({ level, outcome }) => level === "required" && outcome === "untried");
  const due = report.totals.error > 0 ? BROKE : untried ? UNTRIED : 0;
  return status === due;
}
