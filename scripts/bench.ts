/**
 * Measures what the kit costs beside what it cannot cost less than, prints a table with the bar of each measure, and writes
 * all samples into `reports/bench.json`. Exit status 0 where every bar is kept, 1 otherwise.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem, type } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import picomatch from "picomatch";
import { PATHS } from "../conformance/paths.ts";
import { table } from "../conformance/reports/text-layout.ts";
import { MEASURES } from "./bench/all.ts";
import { type Measured, take } from "./bench/measure.ts";
import { benchPage, COLUMNS, type Machine, rowsOf } from "./bench/page.ts";
import { endWith } from "./end-with.ts";

interface Options {
  readonly only: readonly string[];
  readonly runs: number;
  readonly write?: true;
}

const options = new Command("bench")
  .description(`Measures: ${MEASURES.map(({ id }) => id).join(", ")}.`)
  .option("--only <glob...>", "only measures whose id matches: start/*, default-run/stdio", [])
  .option("--runs <n>", "samples of each side", Number, 5)
  .option("--write", "write docs/bench.md, too")
  .parse()
  .opts<Options>();

await endWith(main(options));

async function main({ only, runs, write }: Options): Promise<number> {
  if (!Number.isInteger(runs) || runs < 1) return refuse("--runs takes a whole number, 1 or more");
  const matches = only.length === 0 ? () => true : picomatch([...only]);
  const chosen = MEASURES.filter(({ id }) => matches(id));
  if (chosen.length === 0) return refuse(`no measure matches ${only.join(" ")}; there are ${ids()}`);
  const measures: Measured[] = [];
  for (const measure of chosen) {
    const measured = await take(measure, runs);
    measures.push(measured);
    const [title = "", figure = "", bar = "", , sides = ""] = rowsOf([measured])[0] ?? [];
    process.stderr.write(`${title}: ${figure} (${bar}); ${sides}\n`);
  }
  const report = { machine: machine(), runs, measures };
  process.stdout.write(
    `${table(
      [...COLUMNS],
      rowsOf(measures).map((row) => [...row]),
    )}\n`,
  );
  mkdirSync(join(PATHS.root, "reports"), { recursive: true });
  writeFileSync(join(PATHS.root, "reports", "bench.json"), `${JSON.stringify(report, undefined, 2)}\n`);
  if (write) writeFileSync(join(PATHS.root, "docs", "bench.md"), benchPage(report));
  return measures.every(({ holds }) => holds) ? 0 : 1;
}

function refuse(message: string): number {
  process.stderr.write(`${message}\n`);
  return 2;
}

function ids(): string {
  return MEASURES.map(({ id }) => id).join(", ");
}

function machine(): Machine {
  const all = cpus();
  return {
    processor: all[0]?.model.trim() ?? "an unknown processor",
    cores: all.length,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    node: process.versions.node,
    system: type(),
  };
}
