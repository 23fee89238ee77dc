// Prints the duration of a bare Node process in ms (median of nine), to compare CI times of machines.
import { spawnSync } from "node:child_process";

const RUNS = 9;
const samples = Array.from({ length: RUNS }, () => {
  const startedMs = performance.now();
  spawnSync(process.execPath, ["-e", "0"]);
  return performance.now() - startedMs;
});
samples.sort((a, b) => a - b);
process.stdout.write(`${Math.round(samples[Math.floor(RUNS / 2)])}\n`);
