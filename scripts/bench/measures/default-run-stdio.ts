import { spawn } from "node:child_process";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { type Measure, ratio } from "../measure.ts";
import { kit, runWell } from "../processes.ts";
import { asCommand, linesOfDefaultRun, stdioService } from "../recorded.ts";

/** A default run over stdio beside the same lines, written to the same program as fast as it takes them. */
export const defaultRunStdio: Measure = {
  id: "default-run/stdio",
  title: "default run over stdio / the same lines sent bare to the same child",
  bar: { atMost: 2 },
  why: [
    "What is sent bare fills the pipe, and waits for no answer. The kit must know an answer before it can ask what hangs on it: 26,000",
    "times both processes wake each other, which with the pipes is two thirds of its time. An adapter that holds several services is",
    "asked side by side, and the pipe is full again: with `instances: 64` the same program is judged in two thirds of the time.",
  ],
  async open() {
    const programs = await linesOfDefaultRun();
    return {
      sides: [
        { name: "kit", unit: "s", sample: () => runWell(kit("run", "--command", asCommand(stdioService()))) },
        { name: "bare", unit: "s", sample: async () => ({ value: await sendAll(programs) }) },
      ],
      figure: ratio("kit", "bare"),
      notes: () => [`${programs.flat().length} lines to ${programs.length} programs, one after the other`],
    };
  },
};

async function sendAll(programs: readonly (readonly string[])[]): Promise<number> {
  let seconds = 0;
  for (const lines of programs) seconds += await sendBare(lines);
  return seconds;
}

/** From the start of the program to its last answer, in seconds. */
async function sendBare(lines: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const [command = "", ...words] = stdioService();
  const child = spawn(command, words, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdout.resume();
  for (const line of lines) if (!child.stdin.write(`${line}\n`)) await once(child.stdin, "drain");
  child.stdin.end();
  await once(child, "close");
  return (performance.now() - startedAt) / 1000;
}
