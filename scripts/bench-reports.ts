/**
 * Measures how long it takes to write each report of a run of 1,000 results, a failing service's, and prints a table:
 * the first time, with loading what makes the report, and the best of the times after that. Beside what the clock
 * shows stands the time of the processor, which other programs on the machine change less.
 *
 * Usage: bench-reports.ts
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { loadReporters } from "../conformance/cli/reporters.ts";
import { writeReports } from "../conformance/cli/write-reports.ts";
import { inProcessAdapter, kitVersion, loadKitData, type Report, run } from "../conformance/index.ts";
import { PATHS } from "../conformance/paths.ts";
import { table } from "../conformance/report/table.ts";
import * as reference from "../reference/service.ts";

const RESULTS = 1_000;
const AGAIN = 5;
const NAMES = ["console", "json", "junit", "tap", "spec", "dot", "html", "github", "badge", "in-toto"];

const data = loadKitData();
const folder = mkdtempSync(join(tmpdir(), "launch-draft-bench-"));
try {
  await measure(await failingReport());
} finally {
  rmSync(folder, { recursive: true });
}

/** The report on a service whose drafts say that they can be sent. */
async function failingReport(): Promise<Report> {
  const createService = (options: { readonly now: () => number }) => {
    const service = reference.createService(options);
    return {
      handle(call: Parameters<typeof service.handle>[0]) {
        const { status, body } = service.handle(call);
        return { status, body: "sendable" in body ? { ...body, sendable: true } : body };
      },
    };
  };
  return run({
    ...data,
    suites: { ...data.suites, vectors: data.suites.vectors.slice(0, RESULTS) },
    adapter: inProcessAdapter({ ...reference, createService }, { name: "failing" }),
    kitVersion: kitVersion(),
    seed: 1,
    only: [],
    runs: 0,
    bail: false,
    maxWaitMs: 0,
    accepted: new Set(),
    time: { now: () => performance.now(), sleep: (ms) => sleep(ms) },
  });
}

async function measure(report: Report): Promise<void> {
  const rows: string[][] = [];
  const sums = [0, 0, 0, 0];
  for (const name of NAMES) {
    const file = join(folder, name);
    const times: Times[] = [];
    for (let round = 0; round <= AGAIN; round += 1) times.push(await timeOf(name, file, report));
    const [cold = { wall: 0, cpu: 0 }, ...warm] = times;
    const best = (of: (times: Times) => number) => Math.min(...warm.map(of));
    const figures = [cold.wall, cold.cpu, best(({ wall }) => wall), best(({ cpu }) => cpu)];
    for (const [index, figure] of figures.entries()) sums[index] = (sums[index] ?? 0) + figure;
    rows.push([name, ...figures.map(shown), `${(statSync(file).size / 1024).toFixed(0)} KiB`]);
  }
  rows.push(["all", ...sums.map(shown), ""]);
  const { passed, failed } = report.totals;
  process.stdout.write(`${report.results.length} results, ${passed} passed, ${failed} failed\n\n`);
  process.stdout.write(
    `${table(["report", "first, ms", "processor", "again, ms", "processor", "size"], rows)}\n`,
  );
}

/** Milliseconds. */
interface Times {
  readonly wall: number;
  readonly cpu: number;
}

function shown(ms: number): string {
  return ms.toFixed(1);
}

/** How long it takes to load a reporter, make its text and write it. */
async function timeOf(name: string, file: string, report: Report): Promise<Times> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  const reporters = await loadReporters([`${name}=${file}`], { subject: PATHS.reference });
  const context = {
    contract: data.contract,
    invocation: { command: "npx launch-draft-conformance run", options: [], seed: 1 },
    verbose: false,
  };
  const silent = { out: () => {}, err: (text: string) => process.stderr.write(text) };
  const output = { ...silent, color: false, width: 110, live: false };
  await writeReports(
    reporters.filter((one) => one.file === file),
    report,
    context,
    output,
  );
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - started, cpu: (user + system) / 1000 };
}
