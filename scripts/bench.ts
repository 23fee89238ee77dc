/**
 * Measures what the docs quote: the start of the kit, the default run of the reference, its requests per second, and those of
 * random sequences that the model judges. Each is also given in starts of a bare Node process, measured in the same run, so that figures of different machines compare.
 *
 * Usage: bench.ts [RUNS]: takes the median of RUNS samples (default: 5). Needs a quiet machine.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATHS } from "../legacy/paths.ts";
import { readReport } from "../legacy/reports/read-report.ts";
import { table } from "../legacy/reports/text-layout.ts";

const KIT = join(PATHS.root, "bin/launch-draft-conformance.mjs");
const NEW_KIT = join(PATHS.root, "conformance/main.ts");
const runs = Number(process.argv[2] ?? 5);
if (!Number.isInteger(runs) || runs < 1) {
  process.stderr.write(`RUNS must be a positive integer, got ${process.argv[2]}\n`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "bench-"));
const reportFile = join(folder, "report.json");
const bareS: number[] = [];
const startS: number[] = [];
const runS: number[] = [];
const rates: number[] = [];
const modelRates: number[] = [];
try {
  // The sides take turns, so that other load on the machine meets them alike.
  for (let count = 0; count < runs; count++) {
    bareS.push(secondsOf("--eval", "0"));
    startS.push(secondsOf(KIT, "--version"));
    const seconds = secondsOf(KIT, "run", "--reporter", `json=${reportFile}`);
    const requests = readReport(reportFile).time?.requests ?? {};
    runS.push(seconds);
    const search = ["--reference", "--only", "property/stateful", "--reporter", `json=${reportFile}`];
    secondsOf("--import", "tsx", NEW_KIT, "run", ...search);
    const { durationMs, requests: played } = JSON.parse(readFileSync(reportFile, "utf8")).run;
    modelRates.push((1000 * played) / durationMs);
    rates.push(Object.values<number>(requests).reduce((sum, some) => sum + some, 0) / seconds);
  }
} finally {
  rmSync(folder, { recursive: true });
}

const bare = median(bareS);
const rows = [
  ["a bare `node --eval 0`", `${bare.toFixed(3)} s`, "1"],
  ["start: `--version`", `${median(startS).toFixed(3)} s`, (median(startS) / bare).toFixed(1)],
  ["default run of the reference", `${median(runS).toFixed(2)} s`, (median(runS) / bare).toFixed(0)],
  [
    "requests of that run",
    `${median(rates).toFixed(0)} a second`,
    `${(median(rates) * bare).toFixed(0)} in one`,
  ],
  [
    "random requests with the model",
    `${median(modelRates).toFixed(0)} a second`,
    `${(median(modelRates) * bare).toFixed(0)} in one`,
  ],
];
process.stdout.write(`${table(["measure", "median", "in bare Node starts"], rows)}\n`);

/** How long a Node process takes from its start to its end. @throws {Error} where it fails */
function secondsOf(...words: readonly string[]): number {
  const startedMs = performance.now();
  const { status, stderr } = spawnSync(process.execPath, words, {
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${words.join(" ")} ended with status ${status}: ${stderr}`);
  return (performance.now() - startedMs) / 1000;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
