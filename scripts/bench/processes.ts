import { spawn } from "node:child_process";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { PATHS } from "../../conformance/paths.ts";
import type { Sample } from "./measure.ts";

/** How long a process took, and what it wrote. */
export interface Ran extends Sample {
  readonly status: number | null;
  readonly output: string;
}

/** The shell tells the processor time of all that it has waited for, the processes below it included. */
const TIMED = '"$@"; status=$?; times >&3; exit $status';

/** Runs a program to its end and times the whole of it. */
export async function runProcess(
  command: readonly string[],
  { env = {}, cwd = PATHS.root }: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
): Promise<Ran> {
  const startedAt = performance.now();
  const child = spawn("sh", ["-c", TIMED, "sh", ...command], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  let output = "";
  let times = "";
  child.stdout?.on("data", (text) => {
    output += text;
  });
  child.stderr?.on("data", (text) => {
    output += text;
  });
  child.stdio[3]?.on("data", (text) => {
    times += text;
  });
  const [status] = (await once(child, "close")) as [number | null];
  const value = (performance.now() - startedAt) / 1000;
  return { value, cpuS: processorTime(times), status, output };
}

/** Runs a program that has to end with status 0. @throws {Error} one line, where it does not */
export async function runWell(...given: Parameters<typeof runProcess>): Promise<Ran> {
  const ran = await runProcess(...given);
  if (ran.status !== 0) {
    throw new Error(`${given[0].slice(1, 4).join(" ")} … ended with ${ran.status}: ${plainest(ran.output)}`);
  }
  return ran;
}

/** The line that says best what went wrong: that of a failure, or else the last. */
function plainest(output: string): string {
  const lines = output.trim().split("\n");
  const told = lines.find((line) => /^(FAILED|ERROR|Error|error)/.test(line)) ?? lines.at(-1) ?? "";
  return told.slice(0, 200);
}

/** The kit's command line. */
export function kit(...words: readonly string[]): readonly string[] {
  return [process.execPath, `${PATHS.root}/bin/launch-draft-conformance.mjs`, ...words];
}

/** A TypeScript program of this repository. */
export function program(file: string, ...words: readonly string[]): readonly string[] {
  return [process.execPath, "--import", "tsx", file, ...words];
}

/** User and system time of the children, in seconds: the second line of `times`. */
function processorTime(times: string): number {
  const [, children = ""] = times.split("\n");
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );
}
