/**
 * Measures the figures in the docs: the start time of the kit, the duration of the default run of the
 * reference, and the requests per second of vectors, and of random sequences that the model judges. Prints
 * each figure also relative to the start time of a bare Node process, so that machines are comparable.
 *
 * Usage: bench.ts [RUNS]: takes the median of RUNS samples (default: 5). Needs an idle machine.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const KIT = ["--import", "tsx", join(import.meta.dirname, "../conformance/main.ts")];
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
  // Alternates between the measurements, so that other load on the machine affects all of them.
  for (let count = 0; count < runs; count++) {
    bareS.push(secondsOf("--eval", "0"));
    startS.push(secondsOf(...KIT, "--version"));
    runS.push(secondsOf(...KIT, "run", "--reference"));
    rates.push(rateOf("--runs", "0"));
    modelRates.push(rateOf("--only", "property/stateful"));
  }
} finally {
  rmSync(folder, { recursive: true });
}

const bare = median(bareS);
print("", "median", "per start of bare Node");
print("a bare `node --eval 0`", `${bare.toFixed(3)} s`, "1");
print("start: `--version`", `${median(startS).toFixed(3)} s`, (median(startS) / bare).toFixed(1));
print("default run of the reference", `${median(runS).toFixed(2)} s`, (median(runS) / bare).toFixed(0));
for (const [name, all] of [
  ["requests of vectors", rates],
  ["random requests with the model", modelRates],
] as const)
  print(name, `${median(all).toFixed(0)} a second`, (median(all) * bare).toFixed(0));

function print(name: string, value: string, relative: string): void {
  process.stdout.write(`${name.padEnd(32)} ${value.padStart(14)}  ${relative}\n`);
}

/** Returns the requests per second of a run, excluding the start time of its process. */
function rateOf(...words: readonly string[]): number {
  secondsOf(...KIT, "run", "--reference", ...words, "--reporter", `json=${reportFile}`);
  const { durationMs, requests } = JSON.parse(readFileSync(reportFile, "utf8")).run;
  return (1000 * requests) / durationMs;
}

/** Returns the duration of a Node process, in seconds. @throws {Error} if it fails */
function secondsOf(...words: readonly string[]): number {
  const startMs = performance.now();
  const stdio: ["ignore", "ignore", "pipe"] = ["ignore", "ignore", "pipe"];
  const { status, stderr } = spawnSync(process.execPath, words, { stdio, encoding: "utf8" });
  if (status !== 0) throw new Error(`${words.join(" ")} ended with status ${status}: ${stderr}`);
  return (performance.now() - startMs) / 1000;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
