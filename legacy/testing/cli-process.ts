import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { PATHS } from "../paths.ts";

/** The kit's program: what was built where that is of these sources, and else the sources. */
export const PROGRAM = join(PATHS.root, "bin/launch-draft-conformance.mjs");

/** Starts the kit's command line as a process of its own, in the root of the project. */
export function startCli(words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...words], {
    cwd: PATHS.root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1" },
  });
}
