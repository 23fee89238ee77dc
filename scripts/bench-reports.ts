/**
 * Measures how long it takes to write each report of a run of 1,000 results, a failing service's, and prints a table:
 * loading what makes them, which comes before a run; writing them for the first time, as after a run; then the best of
 * some more rounds, of all and of each.
 * Beside what the clock shows stands the time of the processor, which other programs on the machine change less.
 *
 * Usage: bench-reports.ts
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { loadReporters } from "../conformance/cli/reporters.ts";
import { writeReports } from "../conformance/cli/write-reports.ts";
import { inProcessAdapter, kitVersion, loadKitData, type Report, run } from "../conformance/index.ts";
import { PATHS } from "../conformance/paths.ts";
import { table } from "../conformance/reports/table.ts";
import * as reference from "../reference/service.ts";

const RESULTS = 1_000;
const ROUNDS = 5;
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
  const all = await timesOf(NAMES, report);
  const figures: (readonly [string, Times])[] = [
    ["loading", all.load],
    ["all, for the first time", all.first],
    ["all", all.best],
  ];
  for (const name of NAMES) figures.push([name, (await timesOf([name], report)).best]);
  const rows = figures.map(([name, { wall, cpu }]) => [name, wall.toFixed(1), cpu.toFixed(1)]);
  const { passed, failed } = report.totals;
  process.stdout.write(`${report.results.length} results, ${passed} passed, ${failed} failed\n\n`);
  process.stdout.write(`${table(["report", "ms", "ms of the processor"], rows)}\n`);
}

/** Milliseconds. */
interface Times {
  readonly wall: number;
  readonly cpu: number;
}

/** How long it takes to load reporters, and to make their texts and write them into files. */
async function timesOf(names: readonly string[], report: Report) {
  const values = names.map((name) => `${name}=${join(folder, name)}`);
  let reporters: Awaited<ReturnType<typeof loadReporters>> = [];
  const load = await timed(async () => {
    const loaded = await loadReporters(values, { subject: PATHS.reference });
    reporters = loaded.filter(({ file }) => file !== undefined);
  });
  const context = {
    contract: data.contract,
    operationOf: data.contract.operations.of,
    invocation: { command: "npx launch-draft-conformance run", options: [], seed: 1 },
    verbose: false,
  };
  const silent = { out: () => {}, err: (text: string) => process.stderr.write(text) };
  const output = { ...silent, color: false, width: 110, live: false };
  const rounds: Times[] = [];
  // Another report each time, as far as a reporter can tell: what is kept of one must not make the next look fast.
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push(await timed(() => writeReports(reporters, { ...report }, context, output)));
  const least = (of: (times: Times) => number) => Math.min(...rounds.map(of));
  const [first = load] = rounds;
  return { load, first, best: { wall: least(({ wall }) => wall), cpu: least(({ cpu }) => cpu) } };
}

async function timed(work: () => Promise<unknown>): Promise<Times> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - started, cpu: (user + system) / 1000 };
}
