/**
 * Measures how long a user waits for the kit, and a developer for its tests. Prints each duration also
 * relative to a bare Node process, so that machines are comparable. Needs an idle machine.
 *
 * Usage: bench.ts [RUNS]: takes the median of RUNS samples of each long command (default: 3), and of ten
 * samples of each short command and of bare Node.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const ROUNDS = 10;
/** Exit status of a run of selected tests. */
const NO_VERDICT = 4;
const VECTOR = "session/issued/between-seconds";
const ROOT = join(import.meta.dirname, "..");
const NPM_RUN = ["npm", "run", "--silent"] as const;
const runs = Number(process.argv[2] ?? 3);
if (!Number.isInteger(runs) || runs < 1 || runs > ROUNDS) {
  process.stderr.write(`RUNS must be an integer from 1 to ${ROUNDS}, got ${process.argv[2]}\n`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "bench-"));
const busyFile = join(folder, "busy.txt");
const moduleFile = join(folder, "service.mjs");

/** Durations in seconds, by command. */
const samples = new Map<string, number[]>();
/** Duration of each run of the module, divided by the time that the module itself was busy. */
const shares: number[] = [];

try {
  writeFileSync(moduleFile, moduleText());
  // Alternates between the commands, so that other load on the machine affects all of them.
  for (let round = 0; round < ROUNDS; round++) {
    measure("a bare `node --eval 0`", "node", "--eval", "0");
    kit("--help", "--help");
    kit("list", "list");
    kit("explain ID", "explain", VECTOR);
    measure(
      "one vector through npm run",
      ...NPM_RUN,
      "conformance",
      "--",
      "run",
      "--reference",
      "--only",
      VECTOR,
    );
    if (round >= runs) continue;
    kit("default run of the reference", "run", "--reference");
    kit("run with --runs 0", "run", "--reference", "--runs", "0");
    const seconds = kit("run of a module", "run", "--module", moduleFile);
    shares.push(seconds / busySeconds());
    measure("npm test", ...NPM_RUN, "test");
  }
} finally {
  rmSync(folder, { recursive: true });
}

const bare = median(samples.get("a bare `node --eval 0`") ?? []);
print("", "median", "relative to bare Node");
for (const [name, all] of samples)
  print(name, `${median(all).toFixed(2)} s`, (median(all) / bare).toFixed(1));
print("run of a module, relative to the time in its calls", "", median(shares).toFixed(1));

function print(name: string, duration: string, ratio: string): void {
  process.stdout.write(`${name.padEnd(50)} ${duration.padStart(9)}  ${ratio}\n`);
}

/** Measures a command of the kit, without npm. Returns its duration in seconds. */
function kit(name: string, ...args: readonly string[]): number {
  return measure(name, "node", "scripts/conformance.mjs", ...args);
}

/** Measures a command. Returns its duration in seconds. @throws {Error} if it fails */
function measure(name: string, command: string, ...args: readonly string[]): number {
  const startMs = performance.now();
  const { status, stderr } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  const seconds = (performance.now() - startMs) / 1000;
  if (status !== 0 && status !== NO_VERDICT)
    throw new Error(`${name} ended with status ${status}: ${stderr}`);
  samples.set(name, [...(samples.get(name) ?? []), seconds]);
  return seconds;
}

/** Returns the source of a module that serves the reference, and reports how long its calls took. */
function moduleText(): string {
  const reference = pathToFileURL(join(ROOT, "reference/service.ts")).href;
  return `import { appendFileSync } from "node:fs";
import { createService as create } from "${reference}";
export * from "${reference}";
let busyMs = 0;
export function createService(options) {
  const service = create(options);
  return {
    handle(call) {
      const startMs = performance.now();
      const envelope = service.handle(call);
      busyMs += performance.now() - startMs;
      return envelope;
    },
  };
}
process.on("exit", () => appendFileSync(${JSON.stringify(busyFile)}, busyMs + "\\n"));
`;
}

/** Returns the time that the processes of the last run of the module spent in its calls, and forgets it. */
function busySeconds(): number {
  const times = readFileSync(busyFile, "utf8").trim().split("\n");
  rmSync(busyFile);
  return times.reduce((sum, ms) => sum + Number(ms) / 1000, 0);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
