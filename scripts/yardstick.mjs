// Prints how long a bare Node process takes on this machine, in ms: the median of nine. Times of the gate are compared by it.
import { spawnSync } from "node:child_process";

const RUNS = 9;
const samples = Array.from({ length: RUNS }, () => {
  const startedMs = performance.now();
  spawnSync(process.execPath, ["-e", "0"]);
  return performance.now() - startedMs;
});
samples.sort((a, b) => a - b);
process.stdout.write(`${Math.round(samples[Math.floor(RUNS / 2)])}\n`);
