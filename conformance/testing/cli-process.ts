import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { PATHS } from "../paths.ts";

/** Starts the kit's command line as a process of its own, in the root of the project. */
export function startCli(words: readonly string[]): ChildProcess {
  const bin = join(PATHS.root, "bin/launch-draft-conformance.mjs");
  return spawn(process.execPath, [bin, ...words], {
    cwd: PATHS.root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1" },
  });
}
