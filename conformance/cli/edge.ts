/** The edge of the program: the parts of the process and machine that commands use. Tests replace them. */
import { randomInt } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Adapter, MachineClock } from "../adapters/adapter.ts";
import { MACHINE_CLOCK } from "../adapters/protocol.ts";
import { fileError } from "../contract/data-file.ts";

export interface Edge {
  /** Command that starts the kit. Printed commands begin with it. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Width of the terminal in columns. Undefined if standard output is not a terminal. */
  readonly terminal: { readonly columns: number } | undefined;
  readonly clock: MachineClock;
  /** Aborted by the signals that end a run. The reason is the message to print. */
  readonly interrupted: AbortSignal;
  write(text: string): void;
  writeError(text: string): void;
  /** Returns the time of a monotonic clock, in ms. */
  elapsedMs(): number;
  /** Calls a function at intervals. Returns a function that stops the calls. */
  every(ms: number, callback: () => void): () => void;
  /** Returns the ID of the process that started this one. It changes when that process ends. */
  parentPid(): number;
  /** Resolves after pending input and timers have been handled. */
  nextTurn(): Promise<void>;
  randomSeed(): number;
  /** Opens a service in place of the one that the options name. Only tests set this function. */
  openService?(): Promise<Adapter>;
}

/** Returns the edge of this process. @param program command that starts the kit */
export function processEdge(program: string): Edge {
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      // The second signal ends the process at once. The programs that it started also end.
      if (interruption.signal.aborted) process.exit(130);
      interruption.abort(`interrupted by ${signal}`);
    });
  // A reader such as `head` closes the pipe when it needs no more.
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? 0 : 2));
  const { isTTY, columns } = process.stdout;
  return {
    program,
    env: process.env,
    terminal: isTTY ? { columns } : undefined,
    clock: MACHINE_CLOCK,
    interrupted: interruption.signal,
    write: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    elapsedMs: () => performance.now(),
    every(ms, callback) {
      const timer = setInterval(callback, ms);
      return () => clearInterval(timer);
    },
    parentPid: () => process.ppid,
    nextTurn: () => setImmediate(undefined),
    randomSeed: () => randomInt(1, 2 ** 31),
  };
}

/** Writes a file, and creates its folder. @throws {DataError} if the file cannot be written */
export function writeFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw fileError(path, "written", error);
  }
}
